//! The adb device and everything above it, against the simulated phone. One binary: most of these tests wait, so they run
//! beside each other.

mod adb_device;
mod agent_java;
mod avd;
mod avd_suite;
mod coverage;
mod device_commands;
mod endings;
mod export;
mod faults;
mod guide;
mod in_the_midst;
mod keyboard;
mod left_behind;
mod live;
mod losses;
mod lost_log;
mod same_pages;
mod snapshots;
mod stock_adb;
mod stored;
mod users;
