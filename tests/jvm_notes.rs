//! The crashes planted in the sample app: each witness trace leads to its crash, with the events it claims.

mod phone;

use droidtest::device::Reset;
use phone::Phone;

#[test]
fn every_witness_leads_to_its_crash() {
    let Some(mut phone) = Phone::with("notes", |_| {}) else {
        return;
    };
    let planted: toml::Table = include_str!("apps/notes/planted.toml").parse().unwrap();
    let crashes = planted["crash"].as_array().unwrap();
    assert!(crashes.len() >= 12);
    for crash in crashes {
        let crash = crash.as_table().unwrap();
        let id = crash["id"].as_str().unwrap();
        phone.proves(id, |phone| replay(phone, crash));
    }
    phone.finish();
}

fn replay(phone: &mut Phone, crash: &toml::Table) {
    let field = |name: &str| crash[name].as_str().unwrap();
    phone.reset(Reset::ClearData);
    assert!(phone.now.alive, "{}", phone.shown());
    let witness = crash["witness"].as_array().unwrap();
    let mut before = String::new();
    for (ix, step) in witness.iter().enumerate() {
        let now = &phone.now;
        assert!(
            now.alive && now.anr.is_none(),
            "before step {ix}: {}",
            phone.shown()
        );
        before = phone.activity();
        phone.step(step.as_table().unwrap()).unwrap();
    }
    let least = usize::try_from(crash["min_events"].as_integer().unwrap()).unwrap();
    assert_eq!(phone.events, least);
    assert_eq!(format!("org.droidtest.notes.{before}"), field("activity"));
    let frame = format!("{}(", field("frame"));
    if field("exception") == "ANR" {
        let anr = phone.now.anr.as_ref().expect("an ANR");
        assert!(anr.virtual_time && anr.ms >= 5000, "{anr:?}");
        assert!(anr.stack.contains(&frame), "{}", anr.stack);
        return;
    }
    let found = phone
        .now
        .crash
        .as_ref()
        .unwrap_or_else(|| panic!("no crash; {}", phone.shown()));
    assert_eq!(
        found.root_class.as_deref(),
        Some(field("exception")),
        "{}",
        found.stack
    );
    let at = found.app_frame.as_deref().unwrap_or_default();
    assert!(at.starts_with(&frame), "{at}\n{}", found.stack);
    assert_eq!(found.environment, None, "{}", found.stack);
    assert!(found.stack.starts_with(&format!(
        "FATAL EXCEPTION: {}\nProcess: org.droidtest.notes, PID: ",
        found.thread
    )));
    assert!(!phone.now.alive);
}
