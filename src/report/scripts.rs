//! How often the suite's scripts ran: one that never matched is reported, as its suite takes it for granted.

use super::console::{plural, times};
use crate::outcome::summary::{CorpusSummary, RunSummary, ScriptSummary};
use crate::util::text::shorten;

/// A script over all sessions of its app.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OverAll<'a> {
    /// The app.
    pub app: &'a str,
    /// The script's name.
    pub name: &'a str,
    /// Started sessions that had it.
    pub sessions: u64,
    /// How often it started.
    pub matched: u64,
    /// Where it failed, one entry per failure.
    pub lost: Vec<&'a str>,
}

/// The scripts of all apps, in the suite's order.
pub fn over_all(run: &RunSummary) -> Vec<OverAll<'_>> {
    let mut all: Vec<OverAll<'_>> = Vec::new();
    for session in &run.sessions {
        for script in &session.scripts {
            let known = |one: &&mut OverAll<'_>| one.app == session.app && one.name == script.name;
            let lost = script.lost.iter().map(String::as_str);
            match all.iter_mut().find(known) {
                Some(one) => {
                    one.sessions += 1;
                    one.matched += script.matched;
                    one.lost.extend(lost);
                }
                None => all.push(OverAll {
                    app: &session.app,
                    name: &script.name,
                    sessions: 1,
                    matched: script.matched,
                    lost: lost.collect(),
                }),
            }
        }
    }
    all
}

impl OverAll<'_> {
    /// The problem to report, if any.
    pub fn trouble(&self) -> Option<String> {
        let Self { app, name, .. } = self;
        if self.matched == 0 {
            let sessions = plural(self.sessions, "session");
            return Some(format!("{name} of {app} matched 0 times in {sessions}"));
        }
        let last = self.lost.last()?;
        Some(format!(
            "{name} of {app} started {}, failed {}, most recently: {}",
            times(self.matched),
            times(self.lost.len() as u64),
            shorten(last, 160)
        ))
    }
}

/// One session's script in a line.
pub fn line(script: &ScriptSummary) -> String {
    let mut text = format!("script {}: matched {}", script.name, times(script.matched));
    for lost in &script.lost {
        text += &format!("; failed at {lost}");
    }
    text
}

/// What a session's corpus did, in a line.
pub fn corpus(corpus: &CorpusSummary) -> String {
    let mut text = format!(
        "corpus: {} started, {}",
        plural(corpus.started, "trace"),
        plural(corpus.events, "event")
    );
    if let Some(last) = corpus.lost.last() {
        let left_out = plural(corpus.lost.len() as u64, "step");
        text += &format!(
            "; {left_out} left out, most recently {}",
            shorten(last, 160)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Spec, run};
    use super::super::summarize;
    use super::*;

    #[test]
    fn a_script_is_counted_over_all_sessions_and_told_where_it_did_not_go_as_it_should() {
        let base = tempfile::tempdir().unwrap();
        let spec = |seed| Spec {
            seed,
            events: 20,
            ..Spec::default()
        };
        let folder = run(base.path(), &[spec(1), spec(2)]);
        let mut record = summarize::read(&folder).unwrap();
        let script = |name: &str, matched, lost: &[&str]| ScriptSummary {
            name: name.into(),
            matched,
            lost: lost.iter().map(|text| (*text).to_owned()).collect(),
        };
        for session in &mut record.summary.sessions {
            session.scripts = vec![
                script("log-in", 1, &[]),
                script("tour", 0, &[]),
                script("rate", 2, &["step 1, click \"Later\": gone"]),
            ];
        }
        let all = over_all(&record.summary);
        assert_eq!(all[0].trouble(), None);
        let words = all[1].trouble().unwrap();
        assert_eq!(words, "tour of notes matched 0 times in 2 sessions");
        let words = all[2].trouble().unwrap();
        assert!(words.contains("started 4 times, failed 2 times"), "{words}");
        let text = super::super::console::summary(&record, &[], Default::default());
        assert!(
            text.contains("Script tour of notes matched 0 times"),
            "{text}"
        );
        assert!(!text.contains("log-in"), "{text}");
    }
}
