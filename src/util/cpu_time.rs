//! How long this thread has computed: what a measurement means on a machine that does other work as well.

use std::time::Duration;

/// Time that the processor has spent in this thread, to be subtracted from a later one.
#[cfg(unix)]
pub fn of_thread() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or(0))
}

/// Where there is no such clock: the time that has passed since the first call.
#[cfg(not(unix))]
pub fn of_thread() -> Duration {
    static BEGUN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGUN.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_while_something_is_computed() {
        let before = of_thread();
        let mut sum = 0_u64;
        while of_thread() == before {
            sum = std::hint::black_box(sum.wrapping_mul(31) + 1);
        }
        assert!(of_thread() > before);
    }
}
