//! The tensor engine itself: which device it computes on, and that it computes at all.

use std::str::FromStr;
use std::sync::Once;

/// Where tensors live.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TorchDevice {
    /// A GPU where libtorch has CUDA and finds one, else the CPU.
    #[default]
    Auto,
    /// The CPU.
    Cpu,
    /// The GPU of this number.
    Cuda(usize),
}

impl FromStr for TorchDevice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "auto" => Ok(Self::Auto),
            None if text == "cpu" => Ok(Self::Cpu),
            None if text == "cuda" => Ok(Self::Cuda(0)),
            Some(("cuda", number)) => number.parse().map(Self::Cuda).map_err(|e| e.to_string()),
            _ => Err(format!(
                "{text:?} is not auto, cpu or a CUDA device such as cuda:0"
            )),
        }
        .map_err(|e| format!("not a device of the tensor engine: {e}"))
    }
}

impl TorchDevice {
    /// The engine's own device.
    ///
    /// # Errors
    /// A GPU was asked for that libtorch does not have.
    pub fn resolve(self) -> Result<tch::Device, String> {
        one_thread();
        let has = |n: usize| {
            tch::Cuda::is_available()
                && i64::try_from(n).is_ok_and(|n| n < tch::Cuda::device_count())
        };
        match self {
            Self::Auto if has(0) => Ok(tch::Device::Cuda(0)),
            Self::Auto | Self::Cpu => Ok(tch::Device::Cpu),
            Self::Cuda(n) if has(n) => Ok(tch::Device::Cuda(n)),
            Self::Cuda(n) => Err(format!(
                "cuda:{n} does not exist ({}); use --torch-device cpu",
                if tch::Cuda::is_available() {
                    "libtorch sees fewer GPUs"
                } else {
                    "this libtorch has no CUDA, or no GPU is available"
                }
            )),
        }
    }
}

/// Sums in one order: one thread, set once for the process.
pub fn one_thread() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        tch::set_num_threads(1);
        tch::set_num_interop_threads(1);
    });
}

/// Multiplies two small matrices where `auto` computes; an engine that is there but broken gives something else.
/// Gives the name of the GPU that it takes, if it sees one.
///
/// # Errors
/// In words: what the engine said, or what it computed.
pub fn probe() -> Result<Option<String>, String> {
    let device = TorchDevice::Auto.resolve()?;
    let a = tch::Tensor::from_slice(&[1.0_f32, 2.0, 3.0, 4.0]).reshape([2, 2]);
    let product = a
        .f_to_device(device)
        .and_then(|a| a.f_matmul(&a))
        .and_then(|product| product.f_to_device(tch::Device::Cpu));
    let product = product.map_err(|e| e.to_string())?;
    let values = Vec::<f32>::try_from(product.reshape([4])).map_err(|e| e.to_string())?;
    if values == [7.0, 10.0, 15.0, 22.0] {
        Ok(match device {
            tch::Device::Cuda(n) => Some(format!("cuda:{n}")),
            _ => None,
        })
    } else {
        Err(format!(
            "its multiplication gives a wrong result: {values:?}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_multiplies() {
        assert_eq!(
            probe().map(|gpu| gpu.is_some()),
            Ok(tch::Cuda::is_available())
        );
        assert_eq!(tch::get_num_threads(), 1);
    }

    #[test]
    fn devices_are_named_as_torch_names_them() {
        assert_eq!("cpu".parse(), Ok(TorchDevice::Cpu));
        assert_eq!("cuda:1".parse(), Ok(TorchDevice::Cuda(1)));
        assert!(
            "gpu"
                .parse::<TorchDevice>()
                .unwrap_err()
                .contains("auto, cpu or")
        );
        assert!("cuda:x".parse::<TorchDevice>().is_err());
    }
}
