//! The screen of a device.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The size of a screen. The default is a phone of 411 x 891 dp at 160 dpi,
/// where a dp is a pixel, which keeps screenshots small.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Screen {
    /// Width in dp, in portrait orientation.
    #[schemars(range(min = 120, max = 4096))]
    pub width: u32,
    /// Height in dp, in portrait orientation.
    #[schemars(range(min = 120, max = 4096))]
    pub height: u32,
    /// Pixels per inch; at 160, a dp is one pixel.
    #[schemars(range(min = 120, max = 640))]
    pub density: u32,
}

impl Default for Screen {
    fn default() -> Self {
        Self {
            width: 411,
            height: 891,
            density: 160,
        }
    }
}

/// The orientation of a device at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Orientation {
    /// Portrait orientation.
    #[default]
    Portrait,
    /// Landscape orientation.
    Landscape,
}
