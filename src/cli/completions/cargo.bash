
# `cargo droidtest`: what comes after `droidtest` is completed as for cargo-droidtest, everything else as before.
: "${_cargo_droidtest_before=}"
_cargo_droidtest_hook() {
    local at=1
    [[ ${COMP_WORDS[1]-} == +* ]] && at=2
    COMPREPLY=()
    if [[ $COMP_CWORD -gt $at && ${COMP_WORDS[at]} == droidtest ]]; then
        COMP_WORDS=(cargo-droidtest "${COMP_WORDS[@]:at+1}")
        COMP_CWORD=$((COMP_CWORD - at))
        _cargo__droidtest cargo-droidtest "$2" "$3"
    elif [[ -n $_cargo_droidtest_before ]]; then
        "$_cargo_droidtest_before" "$@"
    elif [[ $COMP_CWORD -eq $at && droidtest == "$2"* ]]; then
        COMPREPLY=(droidtest)
    fi
}
if ! complete -p cargo &>/dev/null; then
    # bash-completion loads cargo's completion at its first use, which would replace this one.
    if declare -F _comp_load >/dev/null; then
        _comp_load cargo &>/dev/null
    elif declare -F __load_completion >/dev/null; then
        __load_completion cargo &>/dev/null
    fi
fi
if [[ $(complete -p cargo 2>/dev/null) =~ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _cargo_droidtest_hook ]]; then
    _cargo_droidtest_before=${BASH_REMATCH[1]}
fi
complete -F _cargo_droidtest_hook -o bashdefault -o default cargo
