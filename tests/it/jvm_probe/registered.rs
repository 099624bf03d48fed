//! What an app registers for beside listeners of positions, sensors and calls: Dynodroid's table of services, a row each.
//! And what its own views do without a listener.

use crate::common::phone::Phone;
use droidtest::device::{Action, Reset, announced};
use droidtest::gui::{EventKind, Extra};

pub fn registered(phone: &mut Phone) {
    let open = |phone: &mut Phone, id: &str| {
        phone.reset(Reset::ClearData);
        phone.open("RegisteredActivity");
        assert_eq!(phone.now.listens.places.len(), 0);
        phone.click(id);
    };
    let call = |state: &str| Action::Call {
        state: state.into(),
        number: "5550142".into(),
    };
    let fix = |latitude: f64| Action::Location {
        values: vec![latitude, 13.25, 1.0],
    };
    let key = |code: i64| Action::Broadcast {
        action: "android.intent.action.MEDIA_BUTTON".into(),
        component: None,
        extras: [(announced::KEY.to_owned(), Extra::Number(code))].into(),
    };
    phone.proves("a call takes the audio focus and gives it back", |phone| {
        open(phone, "hear_focus");
        phone.expect("result", "focus asked 1");
        assert!(phone.now.listens.audio_focus && !phone.now.listens.telephony);
        phone.act(&call("RINGING"));
        phone.expect("result", "focus -2");
        phone.act(&call("IDLE"));
        phone.expect("result", "focus 1");
    });
    phone.proves("a position comes as NMEA", |phone| {
        open(phone, "hear_sentences");
        assert!(phone.now.listens.location);
        phone.act(&fix(-52.5));
        let said = "said $GPGGA,120000,5230.0000,S,01315.0000,E,1,08,0.9,0.0,M,0.0,M,,*6F";
        phone.expect("result", said);
    });
    phone.proves("a fix changes the receiver's status", |phone| {
        open(phone, "hear_satellites");
        assert!(phone.now.listens.location);
        phone.act(&fix(52.5));
        phone.expect("result", "first fix");
    });
    phone.proves("an alert is raised at its place and behind it", |phone| {
        open(phone, "hear_place");
        let places = &phone.now.listens.places;
        assert_eq!(format!("{places:?}"), "[[Number(52.5), Number(13.25)]]");
        assert!(!phone.now.listens.location);
        phone.act(&fix(52.5));
        phone.expect("result", "near true");
        phone.act(&fix(10.0));
        phone.expect("result", "near false");
    });
    phone.proves(
        "an alert of a used up intent is over, and no place is none",
        |phone| {
            open(phone, "hear_once");
            assert_eq!(phone.now.listens.places.len(), 1);
            phone.act(&fix(52.5));
            phone.expect("result", "near true");
            phone.act(&fix(10.0));
            assert!(phone.now.alive);
            assert!(phone.now.listens.places.is_empty());
            phone.expect("result", "near true");
        },
    );
    phone.proves("a position comes by a pending intent", |phone| {
        open(phone, "hear_moves");
        assert!(phone.now.listens.location);
        phone.act(&fix(52.5));
        phone.expect("result", "moved to 52.5");
    });
    phone.proves("a request for audio focus is one, too", |phone| {
        open(phone, "hear_request");
        phone.expect("result", "focus asked 1");
        phone.act(&call("RINGING"));
        phone.expect("result", "focus -2");
    });
    phone.proves(
        "the receiver registered last is the one registered again",
        |phone| {
            open(phone, "hear_again");
            phone.act(&key(85));
            phone.expect("result", "button 85");
        },
    );
    phone.proves("media buttons reach a registered receiver", |phone| {
        open(phone, "hear_button");
        assert!(phone.now.listens.media_keys);
        phone.act(&key(85));
        phone.expect("result", "button 85");
    });
    phone.proves("what is no longer registered gets no event", |phone| {
        open(phone, "hear_focus");
        for id in [
            "hear_sentences",
            "hear_satellites",
            "hear_place",
            "hear_button",
        ] {
            phone.click(id);
        }
        phone.click("hear_none");
        phone.expect("result", "nothing is heard");
        let listens = &phone.now.listens;
        assert!(
            !listens.location && !listens.audio_focus && !listens.media_keys,
            "{listens:?}"
        );
        assert!(listens.places.is_empty());
        phone.act(&fix(52.5));
        phone.act(&call("RINGING"));
        phone.expect("result", "nothing is heard");
    });
}

fn offered(phone: &Phone, id: &str) -> Vec<EventKind> {
    let n = phone.by_id(id);
    let (page, _) = phone.page();
    let events = page.events.iter().filter(|e| e.widget == Some(n));
    events.map(|e| e.kind).collect()
}

pub fn overridden(phone: &mut Phone) {
    let open = |phone: &mut Phone| {
        phone.reset(Reset::ClearData);
        phone.open("OverridesActivity");
    };
    phone.proves("a view's own performClick is clicked", |phone| {
        open(phone);
        let both = [EventKind::Click, EventKind::LongClick];
        assert_eq!(offered(phone, "own_click"), both);
        phone.click("own_click");
        phone.expect("result", "own click");
    });
    phone.proves("a text field's own clicks are more than focus", |phone| {
        open(phone);
        let all = [EventKind::Text, EventKind::Click, EventKind::LongClick];
        assert_eq!(offered(phone, "own_field"), all);
        phone.click("own_field");
        phone.expect("result", "own field was clicked");
        phone.long("own_field");
        phone.expect("result", "own field was held");
    });
    phone.proves("a view's own context menu is opened", |phone| {
        open(phone);
        let both = [EventKind::Text, EventKind::LongClick];
        assert_eq!(offered(phone, "own_menu"), both);
        phone.long("own_menu");
        phone.click_text("Own one");
        phone.expect("result", "own menu chose Own one");
    });
    phone.proves(
        "own methods that no touch reaches, and those of parents, add nothing",
        |phone| {
            open(phone);
            assert!(offered(phone, "own_deaf").is_empty());
            let n = phone.by_id("own_deaf");
            phone.act(&Action::Click { n });
            phone.expect("result", "");
            assert_eq!(offered(phone, "own_parent"), [EventKind::LongClick]);
            phone.open("GesturesActivity");
            assert_eq!(offered(phone, "field"), [EventKind::Text]);
        },
    );
}
