//! The `avd` device: emulators of our own, made, started, restored and ended by the tool; the app on them is the
//! [adb device](super::adb)'s affair.

pub mod console;
mod device;
mod emulator;
mod images;
mod locks;
mod pool;
pub mod senses;
mod settings;

pub use device::AvdDevice;
pub use locks::is_of_a_run;
pub use pool::end_all;
pub use settings::AvdSettings;
