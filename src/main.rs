//! `cargo droidtest`.

fn main() -> droidtest::exit_code::ExitCode {
    droidtest::cli::main(std::env::args_os())
}
