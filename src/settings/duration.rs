//! Durations as people write them: `90s`, `10m`, `1h30m`, `500ms`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The regular expression for [`HumanDuration`].
const PATTERN: &str = r"^(?:\d{1,9}(?:ms|s|m|h)\s?)+$";

/// A duration that is read and written as `1h30m`, `10m`, `30s` or `500ms`.
///
/// A number without a unit is rejected: `time = 600` could be seconds or milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HumanDuration(pub Duration);

impl HumanDuration {
    /// A duration in seconds.
    pub const fn secs(secs: u64) -> Self {
        Self(Duration::from_secs(secs))
    }
}

impl From<HumanDuration> for Duration {
    fn from(value: HumanDuration) -> Self {
        value.0
    }
}

/// Why a text is not a duration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a duration: write it as \"90s\", \"10m\", \"1h30m\" or \"500ms\"")]
pub struct ParseDurationError(String);

impl FromStr for HumanDuration {
    type Err = ParseDurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ParseDurationError(text.to_owned());
        let mut total = Duration::ZERO;
        let mut rest = text.trim();
        if rest.is_empty() {
            return Err(wrong());
        }
        while !rest.is_empty() {
            let digits = rest.find(|c: char| !c.is_ascii_digit()).ok_or_else(wrong)?;
            let (number, tail) = rest.split_at(digits);
            let number: u64 = number.parse().map_err(|_| wrong())?;
            let letters = tail
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(tail.len());
            let (unit, tail) = tail.split_at(letters);
            let part = match unit {
                "ms" => Some(Duration::from_millis(number)),
                "s" => Some(Duration::from_secs(number)),
                "m" => number.checked_mul(60).map(Duration::from_secs),
                "h" => number.checked_mul(3600).map(Duration::from_secs),
                _ => None,
            };
            total = part
                .and_then(|part| total.checked_add(part))
                .ok_or_else(wrong)?;
            rest = tail.trim_start();
        }
        Ok(Self(total))
    }
}

impl fmt::Display for HumanDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millis = self.0.as_millis();
        if millis == 0 {
            return f.write_str("0s");
        }
        let parts = [
            (millis / 3_600_000, "h"),
            (millis / 60_000 % 60, "m"),
            (millis / 1000 % 60, "s"),
            (millis % 1000, "ms"),
        ];
        for (number, unit) in parts {
            if number > 0 {
                write!(f, "{number}{unit}")?;
            }
        }
        Ok(())
    }
}

impl Serialize for HumanDuration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HumanDuration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

impl JsonSchema for HumanDuration {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "pattern": PATTERN,
            "x-expects": "a duration such as \"90s\", \"10m\", \"1h30m\" or \"500ms\"",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_and_print_back() {
        for (text, millis) in [
            ("500ms", 500),
            ("90s", 90_000),
            ("10m", 600_000),
            ("1h30m", 5_400_000),
            ("1h 30m", 5_400_000),
            ("0s", 0),
        ] {
            let parsed: HumanDuration = text.parse().unwrap();
            assert_eq!(parsed.0.as_millis(), millis, "{text}");
            assert_eq!(parsed.to_string().parse(), Ok(parsed), "{text}");
        }
        assert_eq!(HumanDuration::secs(90).to_string(), "1m30s");
    }

    #[test]
    fn what_is_no_duration_is_refused() {
        for text in [
            "",
            " ",
            "10",
            "m",
            "10x",
            "-5s",
            "1.5h",
            "10 m",
            "99999999999999999999s",
        ] {
            assert!(text.parse::<HumanDuration>().is_err(), "{text}");
        }
        assert!(format!("{}h", u64::MAX).parse::<HumanDuration>().is_err());
    }

    #[test]
    fn the_pattern_of_the_schema_accepts_what_the_parser_accepts() {
        let pattern = regex::Regex::new(PATTERN).unwrap();
        for text in [
            "500ms", "90s", "1h30m", "1h 30m", "10", "m", "10x", "-5s", "1.5h", "10 m", "",
        ] {
            assert_eq!(
                pattern.is_match(text),
                text.parse::<HumanDuration>().is_ok(),
                "{text}"
            );
        }
    }
}
