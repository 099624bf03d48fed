//! What `am start -W` answers.

use super::error::FormatError;
use super::text;
use serde::Serialize;

/// An answer of `am start -W`.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct AmStart {
    /// `ok`, `timeout` (the app runs, its first frame was late), `null`; `None` if the answer ends before.
    pub status: Option<String>,
    /// `COLD`, `WARM`, `HOT` or `UNKNOWN`, from Android 10 on.
    pub launch_state: Option<String>,
    /// The activity started, as `package/class`.
    pub activity: Option<String>,
    /// Times in milliseconds.
    pub this_time: Option<u64>,
    /// Until the first frame.
    pub total_time: Option<u64>,
    /// With the time before the process was there.
    pub wait_time: Option<u64>,
    /// What `am` warned of: the task was brought to the front, for one.
    pub warnings: Vec<String>,
    /// Why nothing started.
    pub error: Option<String>,
    /// Did it complete?
    pub complete: bool,
}

impl AmStart {
    /// Does the app run now, in front?
    pub fn started(&self) -> bool {
        // Other warnings tell why nothing was started: a locked task, for one.
        let in_front = |warning: &String| {
            warning.contains("brought to the front")
                || warning.contains("delivered to currently running")
        };
        self.error.is_none()
            && (matches!(self.status.as_deref(), Some("ok" | "timeout"))
                || self.warnings.iter().any(in_front))
    }
}

/// Reads an answer.
///
/// # Errors
/// `no-am-answer` when no line is one of `am`'s.
pub fn parse(answer: &str) -> Result<AmStart, FormatError> {
    let mut found = AmStart::default();
    let mut any = false;
    for (_, line) in text::lines(answer) {
        let line = line.trim();
        let (name, value) = line
            .split_once(':')
            .map_or((line, ""), |(n, v)| (n.trim(), v.trim()));
        let number = || value.parse().ok();
        let mut known = true;
        match name {
            "Starting" | "Stopping" => {}
            "Status" => found.status = Some(value.to_owned()),
            "LaunchState" => found.launch_state = Some(value.to_owned()),
            "Activity" => found.activity = Some(value.to_owned()),
            "ThisTime" => found.this_time = number(),
            "TotalTime" => found.total_time = number(),
            "WaitTime" => found.wait_time = number(),
            "Complete" => found.complete = true,
            "Warning" => found.warnings.push(value.to_owned()),
            "Error" => found.error = Some(value.to_owned()),
            _ if line.starts_with("Error type ") => {
                found.error.get_or_insert_with(|| line.to_owned());
            }
            _ if line.starts_with("Exception occurred")
                || line.starts_with("Security exception") =>
            {
                found.error.get_or_insert_with(|| line.to_owned());
            }
            _ if name.starts_with("java.lang.")
                || name.starts_with("android.") && name.ends_with("Exception") =>
            {
                found.error = Some(line.to_owned());
            }
            _ => known = false,
        }
        any |= known;
    }
    if any {
        Ok(found)
    } else {
        let lines = answer.lines().count().max(1);
        Err(FormatError::new(
            "no-am-answer",
            lines,
            "no line up to here is output of `am start`",
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_new_answers_are_read() {
        let old = parse("Starting: Intent { cmp=com.x/.A }\r\nStatus: ok\nActivity: com.x/.A\nThisTime: 357\nTotalTime: 357\nWaitTime: 402\nComplete\n").unwrap();
        assert_eq!(
            (old.this_time, old.wait_time, old.complete),
            (Some(357), Some(402), true)
        );
        let new = parse("Starting: Intent { cmp=com.x/.A }\nStatus: timeout\nLaunchState: COLD\nActivity: com.x/.A\nWaitTime: 9000\nComplete").unwrap();
        assert!(new.started() && new.launch_state.as_deref() == Some("COLD"));
    }

    #[test]
    fn a_task_brought_to_the_front_is_no_failure_and_a_missing_class_is() {
        let front = parse("Warning: Activity not started, its current task has been brought to the front\nStatus: ok\n").unwrap();
        assert!(front.started());
        let running = parse("Warning: Activity not started, intent has been delivered to currently running top-most instance.\n").unwrap();
        assert!(running.started());
        let kept = parse("Warning: Activity not started because the current activity is being kept for the user.\nStatus: null\n").unwrap();
        assert!(!kept.started());
        let missing = parse("Starting: Intent { cmp=com.x/.B }\nError type 3\nError: Activity class {com.x/com.x.B} does not exist.\n").unwrap();
        assert!(!missing.started());
        assert_eq!(
            missing.error.unwrap(),
            "Activity class {com.x/com.x.B} does not exist."
        );
        assert_eq!(parse("hello").unwrap_err().code, "no-am-answer");
    }
}
