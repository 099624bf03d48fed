//! Scripts by screen, blocked and allowed parts, in complete runs over adb: what `tests/it/guide_sim.rs` shows on sim holds
//! for a screen that came through the agent's socket too.

use droidtest_rig::sdk::Sdk;
use droidtest_rig::{Config, Phone, Rig};
use serde_json::Value;
use std::path::Path;

const LOGIN: &str = r#"
[[app.script]]
name = "log-in"
when = "//EditText[@password='true']"
step = [
    { do = "type", id = "Login_name", secret = "email" },
    { do = "type", id = "Login_password", secret = "password" },
    { do = "click", id = "Login_submit" },
]
"#;

/// A session of the shop's model, whatever the APK is: as it has a build command, the APK at hand does not tell which
/// activities the app has.
struct Left {
    journal: Vec<Value>,
    text: String,
    said: String,
}

fn run(events: u32, app: &str) -> Left {
    let folder = tempfile::tempdir().unwrap();
    let sdk = Sdk::new(folder.path(), Path::new(env!("CARGO_BIN_EXE_rig-sdk")));
    let rig = Rig::start(Phone::new(Config::sim(34, "shop")), 0).unwrap();
    sdk.server.connect(&rig.serial());
    let apk = Path::new(env!("CARGO_MANIFEST_DIR")).join("../apps/notes/notes.apk");
    let suite = format!(
        "[suite]\nname = \"s\"\nbudget = {{ events = {events} }}\nseeds = [5]\n\
         [[strategy]]\nkind = \"random\"\nsystem-rate = 0.0\n[minimize]\nenabled = false\n[report]\nhtml = false\n\
         [[device]]\nname = \"phone\"\nkind = \"adb\"\nserial = \"{}\"\n\
         [[app]]\nname = \"shop\"\napk = {apk:?}\nbuild = \"true\"\n\
         [app.text]\nemail = \"ada@example.org\"\npassword = {{ env = \"PASSWORD\" }}\n{app}",
        rig.serial()
    );
    let out = sdk.run(&suite, &[("PASSWORD", "correct horse")]);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    let file = folder
        .path()
        .join("target/droidtest/latest/sessions/shop-phone-random-5/journal.jsonl");
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{e}\n{said}"));
    let read = |line: &str| serde_json::from_str(line).unwrap();
    Left {
        journal: text.lines().map(read).collect(),
        text,
        said,
    }
}

impl Left {
    fn of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Value> {
        self.journal.iter().filter(move |line| line["e"] == kind)
    }

    fn touched(&self, id: &str) -> bool {
        let is = |at: &Value| at["id"].as_str().is_some_and(|said| said.ends_with(id));
        self.of("event").any(is)
    }

    /// The steps that start in this activity.
    fn steps_in<'a>(&'a self, activity: &'a str) -> impl Iterator<Item = &'a Value> {
        self.of("step").filter(move |step| {
            self.of("page")
                .any(|page| page["id"] == step["from"] && page["activity"] == activity)
        })
    }
}

#[test]
fn a_script_passes_the_login_wall_on_a_phone_too() {
    let left = run(250, LOGIN);
    let led: Vec<_> = left.of("step").filter(|s| !s["led"].is_null()).collect();
    assert_eq!(led.len(), 3, "{}", left.said);
    assert!(led.iter().all(|s| s["led"]["script"] == "log-in"));
    assert!(left.of("page").any(|page| page["activity"] == "Account"));
    assert!(!left.text.contains("correct horse"));
}

#[test]
fn what_is_blocked_is_never_touched_on_a_phone_either() {
    let open = run(250, LOGIN);
    assert!(open.touched("Start_browse"));
    assert!(open.steps_in("Cart").any(|step| step["led"].is_null()));
    let block = "[app.block]\nactivities = [\"Cart\"]\nwidgets = [\"Account_logout\", \"//Button[@text='Browse']\"]\n";
    let left = run(250, &format!("{LOGIN}{block}"));
    assert!(!left.touched("Account_logout") && !left.touched("Start_browse"));
    assert!(left.steps_in("Cart").all(|step| step["led"] == "block"));
    assert_eq!(left.of("step").count(), 250, "{}", left.said);
}

#[test]
fn only_what_is_allowed_is_touched() {
    let left = run(
        60,
        "[app.allow]\nwidgets = [\"Start_browse\", \"//EditText\"]\n",
    );
    let ours = |at: &Value| {
        let said = |name: &str| at[name].as_str().unwrap_or_default();
        said("id").is_empty()
            || said("id").ends_with("Start_browse")
            || said("class").ends_with("EditText")
    };
    assert!(left.of("event").all(ours), "{}", left.said);
    assert!(left.touched("Start_browse"), "{}", left.said);
}
