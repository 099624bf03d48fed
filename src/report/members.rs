//! What each member of a portfolio brought in a session.

use super::console::plural;
use crate::outcome::exchange::Exchange;
use crate::outcome::run_event::StepRecord;
use crate::outcome::summary::{GroupSummary, MemberSummary};

/// It is the turn of this member.
pub fn turn(members: &mut Vec<MemberSummary>, name: String) {
    let at = members.iter().position(|member| member.name == name);
    let mut member = at.map_or_else(
        || MemberSummary {
            name,
            ..MemberSummary::default()
        },
        |at| members.remove(at),
    );
    member.turns += 1;
    // The last one has the turn.
    members.push(member);
}

/// A step; `findings`: those observed for the first time.
pub fn step(members: &mut [MemberSummary], step: &StepRecord, findings: u64) {
    if let (Some(member), None) = (members.last_mut(), &step.led) {
        member.events += 1;
        member.activities += step.activities.len() as u64;
        member.probes += step.probes.len() as u64;
        member.findings += findings;
    }
}

/// An exchange of the sessions of a group.
pub fn exchange(group: &mut Vec<GroupSummary>, exchange: &Exchange) {
    for turn in &exchange.turns {
        let at = group.iter().position(|known| known.name == turn.member);
        let at = at.unwrap_or_else(|| {
            group.push(GroupSummary {
                name: turn.member.clone(),
                ..GroupSummary::default()
            });
            group.len() - 1
        });
        let member = &mut group[at];
        if let Err(free) = member.seats.binary_search(&turn.seat) {
            member.seats.insert(free, turn.seat);
        }
        // An edited journal may have any numbers.
        member.events = member.events.saturating_add(turn.events);
        member.news = member.news.saturating_add(turn.news);
    }
}

/// The members of all sessions of a group in a line, by name.
pub fn group_line(group: &[GroupSummary]) -> String {
    let mut group: Vec<_> = group.iter().collect();
    group.sort_by(|a, b| a.name.cmp(&b.name));
    let parts = group.into_iter().map(|member| {
        let seats: Vec<_> = member.seats.iter().map(ToString::to_string).collect();
        format!(
            "{}: {} on {} {}, {} of them with something new to all",
            member.name,
            plural(member.events, "event"),
            if seats.len() == 1 {
                "device"
            } else {
                "devices"
            },
            seats.join(", "),
            member.news,
        )
    });
    format!("side by side, {}", parts.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gui::{ExactId, PageId};
    use crate::outcome::run_event::{Did, LedBy};

    #[test]
    fn an_edited_exchange_has_sums_at_most_as_large_as_numbers_go() {
        let turn = crate::outcome::exchange::Turn {
            seat: 1,
            member: "a".into(),
            events: u64::MAX,
            news: u64::MAX,
        };
        let edited = Exchange {
            before: 1,
            steps: 0,
            sha256: String::new(),
            turns: vec![turn.clone(), turn],
            ended: Vec::new(),
        };
        let mut group = Vec::new();
        exchange(&mut group, &edited);
        assert_eq!((group[0].events, group[0].news), (u64::MAX, u64::MAX));
    }

    #[test]
    fn each_step_counts_for_the_member_whose_turn_it_is() {
        let mut members = Vec::new();
        let mut one = StepRecord {
            probes: vec![(0, 1), (0, 2)],
            activities: vec!["A".into()],
            i: 1,
            did: Did::Invalid,
            led: None,
            from: PageId(0),
            to: PageId(0),
            exact: ExactId(0),
            changed: true,
            reward: 0.0,
            left: Vec::new(),
            toasts: Vec::new(),
            findings: Vec::new(),
        };
        step(&mut members, &one, 1); // no portfolio
        turn(&mut members, "b".into());
        step(&mut members, &one, 1);
        turn(&mut members, "a".into());
        step(&mut members, &one, 0);
        one.led = Some(LedBy::Fault);
        step(&mut members, &one, 1);
        turn(&mut members, "b".into());
        one.led = None;
        step(&mut members, &one, 0);
        members.sort_by(|a, b| a.name.cmp(&b.name));
        let counts = members.iter().map(|member| {
            let new = (member.probes, member.activities, member.findings);
            (member.name.as_str(), member.events, member.turns, new)
        });
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts, [("a", 1, 1, (2, 1, 0)), ("b", 2, 2, (4, 2, 1))]);
    }
}
