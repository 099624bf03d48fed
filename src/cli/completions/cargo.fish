
# `cargo droidtest`: what comes after `droidtest` is completed as for cargo-droidtest.
function __cargo_droidtest_complete
    set -l words (commandline -opc)
    set -e words[1..(contains -i -- droidtest $words)]
    if set -q words[1]
        set words (string escape -- $words)
    end
    set -l current (commandline -ct)
    complete -C "cargo-droidtest $words $current"
end
complete -c cargo -n __fish_use_subcommand -a droidtest -d 'Explore Android apps'
complete -c cargo -n '__fish_seen_subcommand_from droidtest' -f -a '(__cargo_droidtest_complete)'
