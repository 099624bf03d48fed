//! A recorder that keeps nothing.

use droidtest::explore::{Counts, Pages, Recorder};
use droidtest::outcome::{Finding, RunEvent};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Keeps nothing.
pub struct Nowhere;

impl Recorder for Nowhere {
    fn event(&mut self, _: &RunEvent) -> io::Result<()> {
        Ok(())
    }
    fn timing(&mut self, _: u64, _: Duration, _: Duration) -> io::Result<()> {
        Ok(())
    }
    fn progress(&mut self, _: &Counts) {}
    fn finding(&mut self, _: &Finding, _: &Pages<'_>) -> io::Result<Option<PathBuf>> {
        Ok(None)
    }
}
