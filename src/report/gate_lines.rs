//! The gate on the terminal: what is fixed, which limits are exceeded, and the counts.

use super::console::{Paint, Tone};
use crate::outcome::verdict::{Judged, Status, Verdict};
use crate::util::text::shorten;

/// Lines about a run compared with a baseline. Findings that were observed have their own lines.
pub fn lines(verdict: &Verdict, paint: Paint) -> String {
    let mut text = String::new();
    for notice in &verdict.notices {
        text += &paint.line(Tone::Warn, "Baseline", notice);
    }
    for replayed in verdict.replayed() {
        let tone = match replayed.status {
            Status::New => Tone::Bad,
            _ => Tone::Quiet,
        };
        text += &paint.line(tone, "Reproduced", &entry(replayed));
    }
    for fixed in verdict.of(Status::Fixed) {
        text += &paint.line(Tone::Good, "Fixed", &entry(fixed));
    }
    for unseen in verdict.of(Status::NotSeen) {
        text += &paint.line(Tone::Quiet, "Not seen", &entry(unseen));
    }
    for stale in &verdict.stale {
        text += &paint.line(Tone::Warn, "Stale", stale);
    }
    for exceeded in &verdict.exceeded {
        let app = exceeded.app.as_ref().map(|app| format!("{app}: "));
        let line = format!(
            "{}{} (`{}`)",
            app.unwrap_or_default(),
            exceeded.what,
            exceeded.limit
        );
        text += &paint.line(Tone::Bad, "Exceeded", &line);
    }
    for why in &verdict.incomplete {
        text += &paint.line(Tone::Warn, "Incomplete", why);
    }
    let line = format!("{}: {}", verdict.outcome(), verdict.words());
    text + &paint.line(tone(verdict), "Gate", &line)
}

/// How good a verdict is.
pub const fn tone(verdict: &Verdict) -> Tone {
    match verdict.exit_code {
        0 => Tone::Good,
        106 => Tone::Warn,
        _ => Tone::Bad,
    }
}

fn entry(judged: &Judged) -> String {
    let mut parts = vec![judged.name.clone(), judged.app.clone()];
    parts.extend(judged.reason.clone());
    shorten(&parts.join(" · "), 300).into_owned()
}

/// The status of a cause with its reason: `known: first seen 2026-11-26`.
pub fn status(judged: &Judged) -> String {
    let name = judged.status.name();
    match &judged.reason {
        Some(reason) if judged.status == Status::Accepted => reason.clone(),
        Some(reason) => format!("{name}: {reason}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::verdict::Exceeded;

    fn judged(status: Status) -> Judged {
        Judged {
            app: "notes".into(),
            fingerprint: "v2:0".into(),
            status,
            name: "Error at Main.run [v2:0]".into(),
            observed: false,
            kind: None,
            title: String::new(),
            exception: None,
            frame: None,
            warning: false,
            reason: Some("first seen 2026-01-02".into()),
            confirmed: None,
            trace: None,
            steps: Vec::new(),
        }
    }

    #[test]
    fn every_part_of_a_verdict_has_a_line() {
        let verdict = Verdict {
            version: 1,
            baseline: "b.toml".into(),
            findings: vec![judged(Status::Fixed), judged(Status::NotSeen)],
            exceeded: vec![Exceeded {
                limit: "min-lines".into(),
                app: Some("notes".into()),
                what: "30.0 % of lines covered, at least 40.0 % required".into(),
            }],
            stale: vec!["an entry".into()],
            notices: vec!["missing".into()],
            incomplete: vec!["killed".into()],
            exit_code: 108,
        };
        let wanted = [
            "    Baseline missing",
            "       Fixed Error at Main.run [v2:0] · notes · first seen 2026-01-02",
            "    Not seen Error at Main.run [v2:0] · notes · first seen 2026-01-02",
            "       Stale an entry",
            "    Exceeded notes: 30.0 % of lines covered, at least 40.0 % required (`min-lines`)",
            "  Incomplete killed",
            "        Gate failed: 1 fixed, 1 not seen",
        ];
        let lines = lines(&verdict, Paint::default());
        assert_eq!(lines.lines().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn a_status_has_its_reason() {
        assert_eq!(
            status(&judged(Status::Known)),
            "known: first seen 2026-01-02"
        );
        let mut accepted = judged(Status::Accepted);
        accepted.reason = Some("accepted by ana: sdk".into());
        assert_eq!(status(&accepted), "accepted by ana: sdk");
    }
}
