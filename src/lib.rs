//! cargo-droidtest.
