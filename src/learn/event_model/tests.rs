use super::*;

fn model() -> EventModel {
    let mut model = EventModel::new("a.b");
    model.count(7, "Main", "Main", 2);
    model.count(7, "Main", "Detail", 1);
    model.count(u64::MAX, "Main", "", 1);
    model.sessions.push("run/one".to_owned());
    model
}

fn error(bytes: &[u8]) -> String {
    let error = EventModel::from_bytes(bytes, "a.b").unwrap_err();
    format!("{:?}: {error}", error.line)
}

#[test]
fn a_model_reads_back_as_it_is_and_equal_ones_are_equal_bytes() {
    let bytes = model().to_bytes().unwrap();
    let read = EventModel::from_bytes(&bytes, "a.b").unwrap();
    assert_eq!(read, model());
    assert_eq!(read.to_bytes().unwrap(), bytes);
    assert_eq!(read.results(7), [(0, 2), (1, 1)]);
    assert!(read.results(8).is_empty());
}

#[test]
fn merging_adds_counts_whatever_the_order_of_activities() {
    let mut other = EventModel::new("a.b");
    other.count(7, "Main", "Detail", 4);
    other.count(9, "Main", "Main", 1);
    let mut merged = model();
    merged.add(&other);
    assert_eq!(merged.results(7), [(0, 2), (1, 5)]);
    assert_eq!(merged.results(9), [(0, 1)]);
    assert_eq!(merged.size(), (3, 3));
}

#[test]
fn every_truncation_and_every_changed_byte_is_noticed() {
    let bytes = model().to_bytes().unwrap();
    for length in 0..bytes.len() {
        assert!(
            EventModel::from_bytes(&bytes[..length], "a.b").is_err(),
            "{length}"
        );
    }
    for at in 0..bytes.len() {
        let mut bad = bytes.clone();
        bad[at] ^= 1;
        let read = EventModel::from_bytes(&bad, "a.b");
        assert!(read.is_err(), "{}", String::from_utf8_lossy(&bad));
    }
}

#[test]
fn foreign_files_are_refused_with_line_and_reason() {
    let bytes = model().to_bytes().unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let newer = text.replace("\"version\":1", "\"version\":2");
    assert_eq!(
        error(newer.as_bytes()),
        "Some(1): it has format version 2, but this tool reads version 1"
    );
    let other = EventModel::from_bytes(&bytes, "x.y").unwrap_err();
    assert_eq!(other.to_string(), "it is of \"a.b\", the app is \"x.y\"");
    assert!(error(b"\x10\0\0\0").starts_with("Some(1): it is not an event model"));
    let other = text.replace(FORMAT, "another");
    assert!(error(other.as_bytes()).contains("in the format \"another\""));
    let fastbot = EventModel::open(Path::new("fastbot_a.b.fbm"), "a.b").unwrap_err();
    assert!(fastbot.to_string().contains("Fastbot's own"), "{fastbot}");
}

#[test]
fn a_body_with_a_right_checksum_is_still_checked() {
    let body = |activities: &str, events: &str| {
        let body = format!(
            "{{\"package\":\"a.b\",\"sessions\":[],\"activities\":[{activities}],\"events\":{{{events}}}}}"
        );
        let hash = sha256::of_bytes(body.as_bytes());
        let header = format!("{{\"format\":\"{FORMAT}\",\"version\":1,\"sha256\":\"{hash}\"}}");
        error(format!("{header}\n{body}\n").as_bytes())
    };
    let main = "\"Main\"";
    assert!(body(main, "\"07\":[0,[[1,1]]]").contains("the unknown activity 1"));
    assert!(body(main, "\"07\":[0,[[0,0]]]").contains("count of 0"));
    assert!(body(main, "\"x\":[0,[[0,1]]]").contains("not a hyper-event"));
    assert!(body("\"Main\",\"Main\"", "").contains("twice"));
}
