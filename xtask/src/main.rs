//! Set-up and chores of the repository.
fn main() {}
