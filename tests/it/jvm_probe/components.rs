//! Services, receivers, providers, alarms, threads, sensors, and crashes included.

use crate::common::phone::Phone;
use droidtest::device::{Action, Reset, announced};
use droidtest::gui::Extra;

pub fn components(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves("services start, are bound, and end", |phone| {
        phone.open("NavigationActivity");
        phone.click("start_service");
        phone.expect("result", "service started 1");
        phone.click("start_service");
        phone.expect("result", "service started 2");
        phone.click("bind_service");
        phone.expect("result", "bound, answer 42");
        phone.click("stop_service");
        phone.expect("result", "stopped true");
        phone.click("unbind_service");
        phone.expect("result", "service destroyed after 2 starts");
        phone.click("bind_service");
        phone.expect("result", "bound, answer 42");
        phone.click("unbind_service");
        phone.expect("result", "service destroyed after 0 starts");
        let component = "org.droidtest.probe.ProbeService".to_owned();
        phone.act(&Action::Service {
            component,
            action: None,
            extras: Default::default(),
        });
        phone.expect("result", "service started 1");
    });
    phone.proves(
        "broadcasts reach registered receivers and the manifest's",
        |phone| {
            phone.open("NavigationActivity");
            let listens = phone.now.listens.clone();
            assert!(
                listens
                    .receivers
                    .iter()
                    .any(|a| a == "org.droidtest.probe.REGISTERED"),
                "{listens:?}"
            );
            phone.click("send_registered");
            phone.expect("result", "registered receiver got button");
            phone.click("send_manifest");
            phone.expect("result", "manifest receiver got button");
            for (name, who) in [("REGISTERED", "registered"), ("MANIFEST", "manifest")] {
                let action = format!("org.droidtest.probe.{name}");
                let extras = [("from".to_owned(), Extra::Text("outside".into()))].into();
                phone.act(&Action::Broadcast {
                    action,
                    component: None,
                    extras,
                });
                phone.expect("result", &format!("{who} receiver got outside"));
            }
            phone.back();
            assert!(
                phone.now.listens.receivers.is_empty(),
                "{:?}",
                phone.now.listens
            );
        },
    );
    phone.proves("the app's own provider works, others' are empty", |phone| {
        phone.open("NavigationActivity");
        phone.click("provider");
        phone.expect("result", "provider has 1 rows");
        phone.click("provider");
        phone.expect("result", "provider has 2 rows");
        phone.click("contacts");
        phone.expect("result", "contacts has 0 rows");
    });
    phone.proves("alarms go off in virtual time, by either clock", |phone| {
        phone.open("NavigationActivity");
        for (button, got) in [("alarm", "alarm"), ("dated_alarm", "dated alarm")] {
            phone.click(button);
            phone.expect("result", "alarm set");
            phone.wait(2000);
            phone.expect("result", &format!("manifest receiver got {got}"));
        }
    });
    phone.proves("handlers, tasks, executors and threads run", |phone| {
        phone.open("NavigationActivity");
        phone.click("handler");
        phone.expect("result", "handler ran");
        phone.click("async_task");
        phone.expect("result", "task counted 3 with 3 steps");
        phone.click("executor");
        phone.expect("result", "executor ran");
        phone.click("thread");
        phone.expect("result", "thread summed 499500");
    });
    phone.proves("a granted permission needs no question", |phone| {
        phone.open("NavigationActivity");
        phone.click("permission");
        phone.expect("result", "camera was granted before");
    });
    phone.proves("a crash in a service is reported as in logcat", |phone| {
        phone.open("NavigationActivity");
        phone.click("service_throws");
        let crash = phone.now.crash.clone().expect("a crash");
        assert!(!phone.now.alive);
        assert_eq!(crash.thread, "main");
        assert_eq!(crash.class, "java.lang.RuntimeException");
        assert_eq!(crash.root_class.as_deref(), Some("java.lang.IllegalStateException"));
        let frame = "org.droidtest.probe.ProbeService.onStartCommand(ProbeService.java:";
        assert!(crash.app_frame.unwrap().starts_with(frame));
        let lines: Vec<_> = crash.stack.lines().collect();
        assert_eq!(lines[0], "FATAL EXCEPTION: main");
        assert!(lines[1].starts_with("Process: org.droidtest.probe, PID: "), "{}", lines[1]);
        assert!(
            lines[2].starts_with("java.lang.RuntimeException: Unable to start service org.droidtest.probe.ProbeService@"),
            "{}",
            lines[2]
        );
        assert!(lines.contains(&"Caused by: java.lang.IllegalStateException: thrown in a service"));
        assert!(!crash.stack.contains("robolectric") && !crash.stack.contains("$$robo$$"), "{}", crash.stack);
    });
}

pub fn senses(phone: &mut Phone) {
    phone.reset(Reset::ClearData);
    phone.proves(
        "sensors, places and calls reach their listeners, and are reported",
        |phone| {
            phone.open("SensesActivity");
            assert!(phone.now.listens.sensors.is_empty() && !phone.now.listens.location);
            phone.click("listen_sensor");
            phone.expect("result", "listening true");
            assert_eq!(phone.now.listens.sensors, [1]);
            phone.act(&Action::Sensor {
                values: vec![1.0, 0.5, 2.0, 9.5],
            });
            phone.expect("result", "felt 0.5 2.0 9.5");
            phone.click("listen_location");
            phone.expect("result", "waiting for the place");
            assert!(phone.now.listens.location);
            phone.act(&Action::Location {
                values: vec![52.5, 13.25, 30.0],
            });
            phone.expect("result", "at 52.5 13.25");
            phone.click("listen_phone");
            assert!(phone.now.listens.telephony);
            phone.act(&Action::Call {
                state: "RINGING".into(),
                number: "5550142".into(),
            });
            phone.expect("result", "call 1 of 5550142");
            phone.act(&Action::Call {
                state: "IDLE".into(),
                number: String::new(),
            });
            phone.expect("result", "call 0 of ");
            phone.click("listen_none");
            let listens = &phone.now.listens;
            assert!(
                listens.sensors.is_empty() && !listens.location && !listens.telephony,
                "{listens:?}"
            );
        },
    );
    phone.proves(
        "ordered and sticky broadcasts, intent services, aliases",
        |phone| {
            phone.open("SensesActivity");
            phone.click("ordered");
            phone.expect("result", "ordered ended with 4 012");
            phone.click("sticky");
            phone.expect("result", "battery 80");
            phone.click("intent_service");
            phone.expect("result", "worked on 7 in IntentService[probe]");
            phone.click("alias");
            phone.expect("label", "found by null");
            assert_eq!(phone.activity(), "ImplicitActivity");
        },
    );
    phone.proves("broadcasts bring what Android puts in", |phone| {
        phone.open("SensesActivity");
        phone.click("announcements");
        let text = |text: &str| Extra::Text(text.into());
        let sms = "android.provider.Telephony.SMS_RECEIVED";
        let wifi = "android.net.wifi.STATE_CHANGE";
        let button = "android.intent.action.MEDIA_BUTTON";
        let mounted = "android.intent.action.MEDIA_MOUNTED";
        let unmounted = "android.intent.action.MEDIA_UNMOUNTED";
        let scanned = "android.intent.action.MEDIA_SCANNER_FINISHED";
        let widgets = "android.appwidget.action.APPWIDGET_UPDATE";
        for (action, extras, news) in [
            (
                "android.intent.action.PACKAGE_ADDED",
                vec![],
                "org.example.other",
            ),
            (wifi, vec![], "wifi DISCONNECTED"),
            (
                wifi,
                vec![("networkType", Extra::Number(1))],
                "wifi CONNECTED",
            ),
            (sms, vec![], "Hello by 5550100"),
            (
                sms,
                vec![
                    ("number", text("5550107")),
                    ("text", text("Your code is 483920")),
                ],
                "Your code is 483920 by 5550107",
            ),
            (mounted, vec![], "MOUNTED true"),
            (unmounted, vec![], "UNMOUNTED true"),
            (scanned, vec![], "SCANNER_FINISHED true"),
            (button, vec![], "key 85 true"),
            (
                button,
                vec![(announced::KEY, Extra::Number(87))],
                "key 87 true",
            ),
            (
                widgets,
                vec![("appWidgetIds", Extra::Numbers(vec![3, 17]))],
                "widgets [3, 17]",
            ),
        ] {
            let named = |(name, extra): (&str, Extra)| (name.to_owned(), extra);
            phone.act(&Action::Broadcast {
                action: action.into(),
                component: None,
                extras: extras.into_iter().map(named).collect(),
            });
            phone.expect("result", &format!("heard of {news}"));
        }
    });
    phone.proves(
        "jobs run when their time has come, with their work",
        |phone| {
            phone.open("JobsActivity");
            phone.click("job");
            phone.expect("result", "job 5 ran");
            phone.click("job_work");
            phone.expect("result", "work one, delivered 1");
            // Those that ran are gone from the list; one without a network waits forever.
            phone.click("job_network");
            phone.wait(5000);
            phone.expect("result", "pending 1");
            // A life's jobs end with it.
            phone.click("job_later");
            phone.reset(Reset::Relaunch);
            phone.open("JobsActivity");
            phone.click("job_network");
            phone.wait(10_000);
            phone.expect("result", "pending 1");
        },
    );
    phone.proves(
        "keys are kept over a relaunch, and go with the data",
        |phone| {
            phone.open("JobsActivity");
            phone.click("key_make");
            phone.expect("result", "key told secret");
            phone.reset(Reset::Relaunch);
            phone.open("JobsActivity");
            phone.click("key_find");
            phone.expect("result", "key there true of 1");
            phone.reset(Reset::ClearData);
            phone.open("JobsActivity");
            phone.click("key_find");
            phone.expect("result", "key there false of 0");
        },
    );
    phone.proves("the parts of a phone answer", |phone| {
        phone.open("PartsActivity");
        for (what, said) in [
            (
                "web_page",
                "asked, started, script null, finished about:blank 100",
            ),
            (
                "web_error",
                "asked, started, error -2 net::ERR_INTERNET_DISCONNECTED, finished https://example.org/ 100",
            ),
            ("cameras", "2 cameras, 2, 270, true, true"),
            ("picture", "asked, focus true, shutter, picture 640x480"),
            ("scan", "asked, /sdcard/none.jpg null"),
            ("sound", "asked, loaded 1 0"),
            ("feature", "camera true, nfc false, all true"),
            ("volume", "1 volume true"),
            ("signature", "signed true"),
            ("blur", "blurred ff123456"),
            ("web_provider", "120 true true true false"),
            ("unsafe", "true 7 trueother 0 0 6 0 0"),
            ("metrics", "true false"),
        ] {
            phone.click(what);
            phone.wait(500);
            phone.expect("result", said);
        }
    });
    phone.proves(
        "what the device does not have is the device's fault, and a mistake is the app's",
        |phone| {
            let stub = |missing| Some(("framework-stub", missing));
            for (what, fault) in [
                ("no_service", stub("android.content.IContentService")),
                ("no_service_said", stub("android.content.IContentService")),
                ("no_renderer", stub("android.graphics.HardwareRenderer")),
                (
                    "no_native_half",
                    stub("android.graphics.pdf.PdfDocument.nativeCreateDocument"),
                ),
                (
                    "no_native_result",
                    stub("android.graphics.Movie.decodeByteArray"),
                ),
                ("no_channel", Some(("network-channels", ""))),
                ("no_font", Some(("play-services", ""))),
                ("no_context", None),
                ("message_in_use", None),
                ("endless_causes", None),
            ] {
                phone.reset(Reset::ClearData);
                phone.open("PartsActivity");
                phone.click(what);
                let crash = phone.now.crash.clone().expect("a crash");
                let rule = fault.map(|(rule, _)| rule);
                let (found, stack) = (crash.environment.as_deref(), &crash.stack);
                assert_eq!(found, rule, "{what}: {stack}");
                if let Some(("framework-stub", missing)) = fault {
                    assert_eq!(crash.detail.as_deref(), Some(missing), "{what}");
                }
            }
            phone.reset(Reset::ClearData);
        },
    );
    phone.proves("what Android answers and refuses", |phone| {
        phone.open("RefusalsActivity");
        for (what, said) in [
            ("select", "asked, selected 1 true"),
            ("toast_nothing", "refused: IllegalStateException"),
            ("toast_thread", "refused: NullPointerException"),
            ("cleared", "changed null"),
            (
                "resolved",
                "com.android.launcher3, true, false, online false",
            ),
            ("tasks", "on top .RefusalsActivity"),
            ("network_main", "refused: NetworkOnMainThreadException"),
            ("file_address", "refused: FileUriExposedException"),
            ("late_window", "refused: BadTokenException"),
        ] {
            phone.click(what);
            phone.expect("result", said);
        }
        phone.click("lie_down");
        assert_eq!(phone.page().0.screen, (891, 411));
        phone.back();
        assert_eq!(phone.page().0.screen, (411, 891));
    });
    phone.proves(
        "what Android does later is not done while it is asked for",
        |phone| {
            phone.open("LaterActivity");
            for (what, said) in [
                ("query", "asked, answer 7 of rows"),
                ("filter", "asked, found 3"),
                ("receiver", "sent, got 3"),
                ("speech", "asked, ready 0 true"),
                ("space", "space true in /storage/emulated/0"),
                ("zoom", "zoom true"),
                ("widget", "widget written"),
                ("next_card", "shows card two"),
                ("next_card", "shows card one"),
            ] {
                phone.click(what);
                phone.expect("result", said);
            }
            phone.click("count_down");
            phone.expect_that("result", "count down", |said| {
                said.starts_with("tick, ") && said.ends_with("tick, over")
            });
        },
    );
    phone.proves(
        "the app's own crash handler runs, the crash is still reported",
        |phone| {
            phone.open("SensesActivity");
            phone.expect("label", "handled 0");
            phone.click("handler_crash");
            let crash = phone.now.crash.clone().expect("a crash");
            assert_eq!(crash.message.as_deref(), Some("thrown with a handler"));
            assert!(!phone.now.alive && phone.now.exit.is_none());
            phone.reset(Reset::Relaunch);
            phone.open("SensesActivity");
            phone.expect("label", "handled 1");
        },
    );
}
