//! Redacts secrets in events, findings and nodes: in texts that people read, not in values that programs read.
//!
//! A hash may contain a PIN by chance, and a password may equal the name of a class, kind or field. Such names stay,
//! so that a journal can be read and its traces replayed whatever the secrets are.

use crate::gui::RawNode;
use crate::outcome::evidence::Left;
use crate::outcome::explanation::{Explanation, Valued};
use crate::outcome::finding::Blame;
use crate::outcome::run_event::{Did, EventIdentity, Input, StepRecord};
use crate::outcome::{Finding, RunEvent};
use crate::util::text::Redactor;

// Patterns name every field, so that the compiler reports a new one here.

/// Redacts an event in place.
pub(super) fn event(event: &mut RunEvent, redactor: &Redactor) {
    match event {
        RunEvent::Page {
            id: _,
            activity: _,
            label,
            widgets: _,
            events: _,
            screen: _,
            sketch: _,
        } => redactor.redact_in(label),
        RunEvent::Event { k: _, kind: _, at } => identity(at, redactor),
        // A pane's title may contain typed text.
        RunEvent::Place(place) => redactor.redact_in(&mut place.name),
        RunEvent::Script {
            name: _,
            before: _,
            lost,
        }
        | RunEvent::Corpus {
            name: _,
            before: _,
            lost,
        } => optional(lost, redactor),
        RunEvent::Explain(why) => explanation(why, redactor),
        RunEvent::Step(of_it) => step(of_it, redactor),
        RunEvent::Finding(found) => finding(found, redactor),
        RunEvent::DeviceFailure { at: _, message } => redactor.redact_in(message),
        // Names, numbers and identities only.
        RunEvent::Session(_)
        | RunEvent::Launch { .. }
        | RunEvent::Member { .. }
        | RunEvent::Exchange(_)
        | RunEvent::Save { .. }
        | RunEvent::Restore { .. }
        | RunEvent::Screen { .. }
        | RunEvent::Class { .. }
        | RunEvent::End { .. } => {}
    }
}

fn identity(at: &mut EventIdentity, redactor: &Redactor) {
    let EventIdentity {
        class: _,
        id: _,
        text,
        desc,
        caption,
        path: _,
        bounds: _,
    } = at;
    [text, desc, caption]
        .into_iter()
        .for_each(|said| redactor.redact_in(said));
}

fn explanation(why: &mut Explanation, redactor: &Redactor) {
    let Explanation {
        i: _,
        why: _,
        chosen: _,
        best,
        loss: _,
        further: _,
    } = why;
    for event in best {
        let Valued {
            ix: _,
            what,
            q: _,
            features,
        } = event;
        redactor.redact_in(what);
        all(features, redactor);
    }
}

fn step(step: &mut StepRecord, redactor: &Redactor) {
    let StepRecord {
        i: _,
        did,
        led: _,
        from: _,
        to: _,
        exact: _,
        changed: _,
        probes: _,
        activities: _,
        reward: _,
        left,
        toasts,
        findings: _,
    } = step;
    deed(did, redactor);
    all(toasts, redactor);
    left.iter_mut().for_each(|left| intent(left, redactor));
}

/// Redacts what is done in place.
pub(super) fn deed(did: &mut Did, redactor: &Redactor) {
    match did {
        Did::Event {
            input: Some(Input::Text { s, enter: _ }),
            ..
        } => redactor.redact_in(s),
        // A secret's text is not written; a system event is from the manifest.
        Did::Event { .. } | Did::Raw { .. } | Did::System { .. } | Did::Invalid => {}
    }
}

/// Redacts a finding in place.
pub(super) fn finding(finding: &mut Finding, redactor: &Redactor) {
    let Finding {
        id: _,
        kind: _,
        fingerprint: _,
        v1: _,
        title,
        exception: _,
        frame: _,
        evidence,
        activity: _,
        trigger: _,
        event: _,
        warning: _,
        environment,
        provoked_by: _,
        left,
    } = finding;
    redactor.redact_in(title);
    redactor.redact_in(evidence);
    if let Some(Blame { rule: _, detail }) = environment {
        optional(detail, redactor);
    }
    left.iter_mut().for_each(|left| intent(left, redactor));
}

fn intent(left: &mut Left, redactor: &Redactor) {
    let Left {
        kind: _,
        action,
        data,
        component,
        for_result: _,
    } = left;
    // The app controls all of these texts.
    [action, data, component]
        .into_iter()
        .for_each(|said| optional(said, redactor));
}

/// Redacts the texts of a node in place.
pub(super) fn node(node: &mut RawNode, redactor: &Redactor) {
    let RawNode {
        text,
        description,
        hint,
        state,
        ..
    } = node;
    [text, description, hint, state]
        .into_iter()
        .for_each(|said| redactor.redact_in(said));
}

fn all(texts: &mut [String], redactor: &Redactor) {
    texts.iter_mut().for_each(|text| redactor.redact_in(text));
}

fn optional(text: &mut Option<String>, redactor: &Redactor) {
    text.iter_mut().for_each(|text| redactor.redact_in(text));
}
