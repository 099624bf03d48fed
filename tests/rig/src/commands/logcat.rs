//! `logcat`.

use super::Call;
use std::time::Duration;

pub fn run(call: &mut Call<'_>) -> i32 {
    let words = call.args();
    let format = call.option("-v").unwrap_or("threadtime").to_owned();
    if words.contains(&"-c") {
        call.phone.log.clear();
        return 0;
    }
    let since = call.option("-T").or(call.option("-t")).map(str::to_owned);
    let follow = !words.contains(&"-d") && !words.contains(&"-t");
    let log = &call.phone.log;
    let mut last = match since.as_deref().map(str::parse::<u64>) {
        Some(Ok(count)) => log.last().saturating_sub(count),
        _ => 0,
    };
    let since = since.filter(|s| s.contains(':'));
    loop {
        let lines = call.phone.log.after(
            last,
            if follow {
                Duration::from_millis(100)
            } else {
                Duration::ZERO
            },
        );
        if lines.is_empty() && !follow {
            return 0;
        }
        let mut text = String::new();
        for line in &lines {
            last = line.number;
            if since
                .as_ref()
                .is_none_or(|since| line.time.as_str() >= since.as_str())
            {
                text += &line.print(&format);
            }
        }
        if !text.is_empty() && call.outputs.out(text.as_bytes()).is_err()
            || call.outputs.is_closed()
            || call.phone.is_off()
        {
            return 0;
        }
    }
}
