//! Mistakes in a suite and the error messages for them. Each snapshot is
//! the complete message and the exit code.

use crate::common::suite::Case;

/// A suite that is right, to be spoiled by what follows it.
const APP: &str = "[[app]]\nname = \"notes\"\napk = \"notes.apk\"\n";

fn suite(rest: &str) -> Case {
    Case::new(&format!("{APP}\n{rest}"))
}

/// A suite whose strategy starts from this file.
fn learned(kind: &str, key: &str, path: &str) -> Case {
    let strategy = format!("[[strategy]]\nkind = \"{kind}\"\n{key} = {{ load = \"{path}\" }}\n");
    suite(&strategy).file("notes.apk", "")
}

macro_rules! reported {
    ($($(#[$meta:meta])* $name:ident: $case:expr;)*) => {
        $($(#[$meta])* #[test] fn $name() { insta::assert_snapshot!(stringify!($name), $case.reported()); })*
    };
}

// The text is not TOML.
reported! {
    a_quote_is_not_closed: Case::new("[suite]\nname = \"smoke\nseeds = [1]\n");
    a_key_stands_twice: Case::new("[suite]\nname = \"a\"\nname = \"b\"\n");
    a_number_has_too_many_digits: suite("[suite]\nseeds = [99999999999999999999]\n");
    the_file_is_not_utf8: Case::bytes(b"[suite]\nname = \"caf\xe9\"\n");
}

// Keys.
reported! {
    a_table_is_misspelt: suite("[reports]\njunit = true\n");
    a_key_is_misspelt: suite("[suite]\nbudget = { event = 500 }\n");
    a_key_has_an_underscore: suite("[reward]\nnew_coverage = 1.0\n");
    a_key_stands_in_another_table: suite("[suite]\nplateau = 300\n");
    a_setting_of_another_device_kind: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nsemantics = \"clean\"\n");
    a_setting_of_another_strategy: suite("[[strategy]]\nkind = \"ares-ddpg\"\ntau = 0.01\ntarget-update = 2\npolicy-delay = 2\n");
    a_setting_of_ddpg: suite("[[strategy]]\nkind = \"ares-sac\"\nvisited = true\nnoise = 0.2\n");
    a_key_of_no_table: suite("[coverage]\nthreshold = 80\n");
    a_profile_holds_a_budget_without_its_table: suite("[profile.ci]\nbudget = { events = 5 }\n");
    an_app_has_no_name: Case::new("[[app]]\napk = \"notes.apk\"\n");
    an_app_has_neither_apk_nor_model: Case::new("[[app]]\nname = \"notes\"\n");
    an_app_has_both_apk_and_model: suite("model = \"notes.json\"\n");
    a_device_has_no_kind: suite("[[device]]\nname = \"phone\"\napi = 34\n");
    a_secret_is_written_in_another_way: suite("[app.text]\npin = { environment = \"PIN\" }\n");
}

// Values.
reported! {
    a_base_contains_another: suite("[[strategy]]\nkind = \"timemachine\"\nbase = { kind = \"timemachine\" }\n");
    a_base_has_anothers_key: suite("[[strategy]]\nkind = \"timemachine\"\nbase = { kind = \"random\", throttle = \"1s\" }\n");
    a_member_has_no_strategy: suite("[[strategy]]\nname = \"mine\"\nkind = \"random\"\n[[strategy]]\nkind = \"portfolio\"\nmembers = [\"mien\", { kind = \"monkey\" }]\n");
    a_member_is_in_a_circle: suite("[[strategy]]\nkind = \"portfolio\"\nmembers = [\"portfolio\", { kind = \"monkey\" }]\n");
    a_member_is_far_from_all_names: suite("[[strategy]]\nname = \"mine\"\nkind = \"random\"\n[[strategy]]\nname = \"back\"\nkind = \"timemachine\"\n[[strategy]]\nkind = \"portfolio\"\nmembers = [\"xyz\", { kind = \"monkey\" }]\n");
    a_member_is_in_a_suite_without_another: suite("[[strategy]]\nkind = \"portfolio\"\nmembers = [\"portfolios-of-old\", { kind = \"monkey\" }]\n");
    a_member_is_the_name_of_a_kind: suite("[[strategy]]\nkind = \"portfolio\"\nmembers = [\"frontier\", { kind = \"monkey\" }]\n");
    a_member_names_one_that_contains_another: suite("[[strategy]]\nname = \"mine\"\nkind = \"random\"\n[[strategy]]\nkind = \"timemachine\"\n[[strategy]]\nkind = \"portfolio\"\nmembers = [\"timemachine\", { kind = \"monkey\" }]\n");
    a_member_contains_another: suite("[[strategy]]\nkind = \"portfolio\"\nmembers = [{ kind = \"timemachine\" }, { kind = \"monkey\" }]\n");
    a_portfolio_has_one_member: suite("[[strategy]]\nkind = \"portfolio\"\nmembers = [{ kind = \"monkey\" }]\n");
    a_base_has_no_kind: suite("[[strategy]]\nkind = \"timemachine\"\nbase = { throttle = \"1s\" }\n");
    a_think_time_of_no_strategy: suite("[[strategy]]\nkind = \"random\"\n\n[bench]\nthink = { rnadom = \"1s\" }\n");
    modelled_time_never_passes: suite("[bench]\ntime = \"1h\"\ncost = { tap = \"0s\", system = \"0s\" }\n");
    modelled_time_lets_nothing_be_done: suite("[bench]\ntime = \"0s\"\n");
    a_strategy_is_misspelt: suite("[[strategy]]\nkind = \"radnom\"\n");
    an_orientation_is_misspelt: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\norientation = \"potrait\"\n");
    faults_are_more_than_all_events: suite("[faults]\nrate = 1.5\n");
    two_devices_have_one_serial: suite("[[device]]\nname = \"d\"\nkind = \"adb\"\nserial = \"x\"\ncount = 2\n");
    a_web_engine_is_not_there: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nweb = \"webkit\"\n");
    commands_are_for_a_jvm_device: suite("before = [{ run = [\"true\"] }]\n[[device]]\nname = \"d\"\nkind = \"jvm\"\n").file("notes.apk", "");
    commands_are_for_a_model: Case::new("[[app]]\nname = \"notes\"\nmodel = \"builtin:notes\"\nafter = [{ run = [\"true\"] }]\n[[device]]\nname = \"d\"\nkind = \"sim\"\n");
    an_archive_is_missing: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nnetwork = { replay = \"a.har\" }\n").file("notes.apk", "");
    a_stub_leaves_its_folder: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nnetwork = { replay = \"stubs\" }\n").file("notes.apk", "").file("stubs/stubs.toml", "[[stub]]\nurl = \"https://api.example.org/\"\nfile = \"../secret\"\n");
    a_har_lacks_a_body: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nnetwork = { replay = \"a.har\" }\n").file("notes.apk", "").file("a.har", r#"{"log": {"entries": [{"request": {"method": "GET", "url": "https://api.example.org/"}, "response": {"status": 200, "content": {"size": 9}}}]}}"#);
    a_replay_has_no_archive: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nnetwork = \"replay\"\n");
    a_network_is_misspelt: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nnetwork = \"alow\"\n");
    a_network_is_two_things: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nnetwork = { allow = true, replay = \"a.har\" }\n");
    an_oracle_has_no_such_level: suite("[oracles]\nrotation-loss = \"error\"\n");
    github_is_neither_auto_nor_a_bool: suite("[report]\ngithub = \"on\"\n");
    an_api_level_is_too_old: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\napi = 21\n");
    a_budget_is_zero: suite("[suite.budget]\nevents = 0\n");
    a_rate_is_a_percentage: suite("[[strategy]]\nkind = \"random\"\nsystem-rate = 5\n");
    no_seed_is_listed: suite("[suite]\nseeds = []\n");
    a_duration_is_in_words: suite("[suite]\nbudget = { time = \"10 minutes\" }\n");
    a_name_has_a_slash: Case::new("[[app]]\nname = \"debug/notes\"\napk = \"notes.apk\"\n");
    a_locale_has_an_underscore: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nlocale = \"en_US\"\n");
    a_package_is_a_glob: suite("[coverage]\nexclude = [\"androidx.*\"]\n");
    a_policy_is_loaded_and_fresh: suite("[[strategy]]\nkind = \"dinodroid\"\npolicy = { load = \"p\", fresh = true }\n");
    system_events_come_by_chance_and_by_count: suite("[[strategy]]\nkind = \"dinodroid\"\nsystem-rate = 0.1\nsystem-every = 10\n");
    a_base_has_keys_that_exclude_each_other: suite("[[strategy]]\nkind = \"timemachine\"\nbase = { kind = \"dinodroid\", system-rate = 0.1, system-every = 10 }\n");
    a_member_is_loaded_and_fresh: suite("[[strategy]]\nkind = \"portfolio\"\nmembers = [{ kind = \"random\" }, { kind = \"dinodroid\", policy = { load = \"p\", fresh = true } }]\n");
    a_members_name_has_a_space: suite("[[strategy]]\nkind = \"portfolio\"\nmembers = [{ kind = \"random\", name = \"a b\" }, { kind = \"monkey\" }]\n");
    a_key_stands_behind_a_base: suite("[[strategy]]\nkind = \"timemachine\"\nbase = { kind = \"random\" }\nsystem-rate = 0.05\n");
    a_wait_is_longer_than_a_day: suite("[[app.script]]\nname = \"s\"\nactivity = \"A\"\n[[app.script.step]]\ndo = \"wait\"\nms = 86400001\n");
    a_sensor_has_a_number_beyond_32_bits: suite("[[app.script]]\nname = \"s\"\nactivity = \"A\"\n[[app.script.step]]\ndo = \"sensor\"\nsensor = -2147483649\n");
    a_place_has_one_number: suite("[[app.script]]\nname = \"s\"\nactivity = \"A\"\n[[app.script.step]]\ndo = \"click\"\nat = [0.5]\n");
    a_base_has_a_name: suite("[[strategy]]\nkind = \"timemachine\"\nbase = { kind = \"random\", name = \"r\" }\n");
    limits_do_not_ascend: suite("[[strategy]]\nkind = \"qbe\"\nlimits = [8, 3, 1, 0]\n");
    limits_of_a_base_do_not_ascend: suite("[[strategy]]\nkind = \"timemachine\"\nbase = { kind = \"qbe\", limits = [8, 3, 1, 0] }\n");
    limits_of_a_named_member_do_not_ascend: suite("[[strategy]]\nname = \"q\"\nkind = \"qbe\"\nlimits = [8, 3, 1, 0]\n[[strategy]]\nkind = \"portfolio\"\nmembers = [\"q\", { kind = \"random\" }]\n");
    no_member_learns_from_demonstrations: suite("[[strategy]]\nkind = \"portfolio\"\ndemonstrations = [\"shown\"]\nmembers = [{ kind = \"random\" }, { kind = \"monkey\" }]\n");
    monkeys_shares_exceed_100: suite("[[strategy]]\nkind = \"monkey\"\npct-touch = 80\npct-nav = 30\n");
}

// Scripts, and what is left alone.
reported! {
    an_xpath_has_no_such_attribute: suite("[app.block]\nwidgets = [\"//Button[@txt='Log out']\"]\n");
    an_xpath_of_a_script_is_cut: suite("[[app.script]]\nname = \"login\"\nwhen = \"//*[@text='Log in'\"\nstep = [{ do = \"back\" }]\n");
    a_region_is_inside_out: suite("[app.block]\nregions = [[0.0, 1.0, 1.0, 0.9]]\n");
    a_region_is_in_pixels: suite("[app.allow]\nregions = [[0, 0, 1080, 200]]\n");
    a_script_is_for_no_screen: suite("[[app.script]]\nname = \"login\"\nstep = [{ do = \"back\" }]\n");
    a_script_does_nothing: suite("[[app.script]]\nname = \"login\"\nactivity = \"Login\"\nstep = []\n");
    a_step_is_misspelt: suite("[[app.script]]\nname = \"login\"\nactivity = \"Login\"\nstep = [{ do = \"clik\", id = \"ok\" }]\n");
    a_step_lacks_what_it_needs: suite("[[app.script]]\nname = \"login\"\nactivity = \"Login\"\nstep = [{ do = \"type\", id = \"user\" }]\n");
    a_step_types_a_secret_that_is_not_there: suite("[[app.script]]\nname = \"login\"\nactivity = \"Login\"\nstep = [{ do = \"type\", id = \"pin\", secret = \"pni\" }]\n[app.text]\npin = { env = \"PIN\" }\n");
    a_probability_is_in_percent: suite("[[app.script]]\nname = \"tour\"\nactivity = \"Tour\"\nprobability = 20\nstep = [{ do = \"back\" }]\n");
    an_assertion_has_a_broken_regex: suite("[[app.script]]\nname = \"cart\"\nactivity = \"Cart\"\nassert = { widget = \"total\", text = '^(\\d+ EUR$' }\n");
    an_absent_widget_is_enabled: suite("[[app.script]]\nname = \"cart\"\nactivity = \"Cart\"\nassert = { widget = \"total\", exists = false, enabled = true }\n");
    an_answer_is_typed_nowhere: suite("[[app.script]]\nname = \"code\"\nactivity = \"Login\"\nask = \"The code?\"\nstep = [{ do = \"back\" }]\n");
    an_answer_has_the_name_of_a_text: suite("[[app.script]]\nname = \"pin\"\nactivity = \"Login\"\nask = \"The PIN?\"\nstep = [{ do = \"type\", id = \"pin\", secret = \"pin\" }]\n[app.text]\npin = \"1234\"\n");
    a_time_is_in_no_calendar: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\n[device.data]\ncalls = [{ number = \"1\", at = \"2024-02-30T12:00Z\" }]\n");
    a_start_is_in_no_calendar: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\nstart = \"2026-02-30T09:00Z\"\n");
    a_time_has_no_zone: suite("[[device]]\nname = \"d\"\nkind = \"jvm\"\n[device.data]\ncalendar = [{ title = \"x\", at = \"2024-02-03 12:00\" }]\n");
    two_scripts_have_one_name: suite("[[app.script]]\nname = \"a\"\nactivity = \"A\"\nstep = [{ do = \"back\" }]\n[[app.script]]\nname = \"a\"\nactivity = \"B\"\nstep = [{ do = \"back\" }]\n");
}

// Types.
reported! {
    a_duration_is_a_number: suite("[suite]\nbudget = { time = 600 }\n");
    a_number_is_quoted: suite("[suite]\nbudget = { events = \"500\" }\n");
    members_are_one_table: suite("[[strategy]]\nkind = \"portfolio\"\nmembers = { kind = \"random\" }\n");
    a_script_is_one_table: suite("[app.script]\nname = \"login\"\nactivity = \"Login\"\n");
    the_suite_is_a_list_in_a_line: Case::new(&format!("suite = [{{ name = \"x\" }}]\n{APP}"));
    an_integer_is_infinite: suite("[[strategy]]\nkind = \"fastbot\"\nsteps = inf\n");
    an_integer_is_an_infinite_text: suite("[[strategy]]\nkind = \"fastbot\"\nsteps = \"inf\"\n");
    an_integer_is_far_beyond_64_bits: suite("[[strategy]]\nkind = \"fastbot\"\nsteps = 1e308\n");
    one_seed_is_no_array: suite("[suite]\nseeds = 7\n");
    one_device_is_no_array: suite("devices = \"phone\"\n");
    a_bool_is_quoted: suite("[report]\njunit = \"false\"\n");
    an_oracle_is_a_number: suite("[oracles]\nanr = 5\n");
    one_app_is_written_as_a_table: Case::new("[app]\nname = \"notes\"\napk = \"notes.apk\"\n");
    the_suite_is_written_as_an_array: suite("[[suite]]\nname = \"smoke\"\n");
    a_text_is_a_number: suite("[app.text]\npin = 1234\n");
    a_profile_is_no_table: Case::new(&format!("profile = \"ci\"\n{APP}"));
}

// Names.
reported! {
    two_apps_have_one_name: suite(APP);
    two_devices_differ_in_case_only: suite("[[device]]\nname = \"Phone\"\nkind = \"jvm\"\n[[device]]\nname = \"phone\"\nkind = \"jvm\"\n");
    two_strategies_of_a_kind_have_no_names: suite("[[strategy]]\nkind = \"random\"\n[[strategy]]\nkind = \"random\"\nsystem-rate = 0.5\n");
    a_seed_stands_twice: suite("[suite]\nseeds = [1, 2, 1]\n");
    two_sessions_would_share_a_folder: Case::new(
        "[[app]]\nname = \"a\"\napk = \"a.apk\"\n[[app]]\nname = \"a-b\"\napk = \"b.apk\"\n\
         [[device]]\nname = \"b-c\"\nkind = \"jvm\"\n[[device]]\nname = \"c\"\nkind = \"jvm\"\n\
         [[strategy]]\nkind = \"random\"\n",
    );
    an_app_is_bound_to_a_device_that_is_not_there: suite("devices = [\"phnoe\"]\n[[device]]\nname = \"phone\"\nkind = \"jvm\"\n");
    the_suite_selects_an_app_that_is_not_there: suite("[suite]\napps = [\"note\"]\n");
    an_apk_is_bound_to_a_sim_device: suite("devices = [\"sim\"]\n[[device]]\nname = \"sim\"\nkind = \"sim\"\n[[device]]\nname = \"jvm\"\nkind = \"jvm\"\n");
    no_device_can_run_a_model: Case::new("[[app]]\nname = \"bank\"\nmodel = \"bank.json\"\n[[device]]\nname = \"phone\"\nkind = \"jvm\"\n");
    there_is_no_app: Case::new("[suite]\nname = \"smoke\"\n");
}

// Profiles.
reported! {
    a_profile_is_chosen_that_is_not_there: suite("[profile.ci]\n[profile.nightly]\n").profile("nighly");
    a_profile_inherits_from_none: suite("[profile.ci]\ninherits = \"base\"\n").profile("ci");
    profiles_inherit_in_a_circle: suite("[profile.a]\ninherits = \"b\"\n[profile.b]\ninherits = \"c\"\n[profile.c]\ninherits = \"b\"\n").profile("a");
    a_profile_that_nobody_chose_is_wrong: suite("[profile.ci]\nsuite = { devices = [\"phone\"] }\n");
}

// The environment and the command line.
reported! {
    a_variable_has_single_underscores: suite("").env("DROIDTEST_SUITE_BUDGET_EVENTS", "5");
    a_variable_is_misspelt: suite("").env("DROIDTEST_PROFLIE", "ci");
    a_variable_names_no_setting: suite("").env("DROIDTEST_SUITE__BUGDET__EVENTS", "5");
    a_variable_holds_a_word_for_a_number: suite("").env("DROIDTEST_SUITE__BUDGET__EVENTS", "many");
    a_reward_is_infinite: suite("[reward]\nnothing = -inf\n");
    a_reward_is_enormous: suite("[reward]\nnew-finding = 1e30\n");
    a_rate_is_endless: suite("[[strategy]]\nkind = \"ares-sac\"\nlearning-rate = inf\n");
    a_flag_is_out_of_range: suite("").flag("--events", "0", "suite.budget.events", 0);
    a_flag_is_no_duration: suite("").flag("--time", "soon", "suite.budget.time", "soon");
    a_flag_is_nearly_a_kind: suite("").flag("--strategy", "fastbott", "suite.strategies", vec!["fastbott"]);
    a_flag_names_no_app: suite("").flag("--app", "ntoes", "suite.apps", vec!["ntoes"]);
    flags_leave_nothing: suite("[[app]]\nname = \"shop\"\nmodel = \"builtin:shop\"\n")
        .flag("--app", "shop", "suite.apps", vec!["shop"])
        .flag("--device", "jvm", "suite.devices", vec!["jvm"]);
}

// What the suite needs from outside.
reported! {
    an_apk_is_not_there: suite("");
    an_apk_is_nearly_there: suite("").file("note.apk", "");
    a_built_in_model_is_misspelt: Case::new("[[app]]\nname = \"shop\"\nmodel = \"builtin:shpo\"\n");
    a_class_folder_is_not_there: suite("classes = [\"build/classes\"]\n").file("notes.apk", "");
    a_model_is_a_folder: learned("fastbot", "model", ".");
    a_policy_is_a_folder: learned("q-learning", "policy", ".");
    a_policy_is_missing: learned("q-learning", "policy", "p.safetensors");
    a_policy_has_an_empty_path: learned("q-learning", "policy", "");
    #[cfg(unix)] a_policy_is_endless: learned("q-learning", "policy", "/dev/zero");
    #[cfg(unix)] a_model_is_a_link_in_a_circle: learned("fastbot", "model", "loop").link("loop", "loop");
    a_secret_is_not_set: suite("[app.text]\npin = { env = \"DEMO_PIN\" }\n").file("notes.apk", "");
}

// Where the suite is.
reported! {
    there_is_no_suite: Case::empty();
    the_named_suite_is_not_there: Case::empty().named("suite.toml");
    the_named_suite_is_a_folder: Case::empty().file("suites/notes.apk", "").named("suites");
    the_suite_in_a_cargo_manifest_is_wrong: Case::empty().file(
        "Cargo.toml",
        "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [lib]\npath = \"x.rs\"\n\n[package.metadata.droidtest.suite]\nseed = [1]\n",
    );
    a_cargo_manifest_has_no_suite: Case::empty().file(
        "Cargo.toml",
        "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[lib]\npath = \"x.rs\"\n",
    );
    the_cargo_manifest_is_broken: Case::empty().file("Cargo.toml", "[package]\nversion = 3\n");
}

#[test]
fn all_mistakes_are_told_at_once() {
    let case = suite(
        "[suite]\nname = \"my suite\"\nbudget = { event = 3, time = 600 }\n\
         [oracles]\njava-crsh = true\n",
    );
    insta::assert_snapshot!(case.reported());
}
