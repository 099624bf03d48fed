//! Planted failures as a device reports them, in logcat's form.

use super::model::{Ix, Model, PlantedCrash};
use crate::outcome::evidence::{Anr, Crash};

/// A crash on operating this widget of this node.
#[cold]
pub fn crash(model: &Model, node: Ix, widget: Ix, planted: &PlantedCrash) -> Crash {
    let own = own_frame(model, node, widget);
    let frame = match &planted.frame {
        Some(frame) if frame.contains('(') => frame.clone(),
        Some(frame) => format!("{frame}(Unknown Source)"),
        None => own.clone(),
    };
    let thrown = match &planted.message {
        Some(message) => format!("{}: {message}", planted.exception),
        None => planted.exception.clone(),
    };
    let mut stack = format!(
        "FATAL EXCEPTION: main\nProcess: {}, PID: 1\n{thrown}\n\tat {frame}",
        model.package
    );
    if frame != own {
        stack.push_str("\n\tat ");
        stack.push_str(&own);
    }
    for frame in framework(model, widget) {
        stack.push_str("\n\tat ");
        stack.push_str(frame);
    }
    Crash {
        thread: "main".into(),
        class: planted.exception.clone(),
        message: planted.message.clone(),
        stack,
        root_class: Some(planted.exception.clone()),
        root_message: planted.message.clone(),
        app_frame: Some(frame),
        environment: None,
        detail: None,
        provoked_by: None,
    }
}

/// A main thread blocked by operating this widget of this node.
#[cold]
pub fn anr(model: &Model, node: Ix, widget: Ix, ms: u64) -> Anr {
    let mut stack = format!(
        "main\n\tat java.lang.Thread.sleep(Native method)\n\tat {}",
        own_frame(model, node, widget)
    );
    for frame in framework(model, widget) {
        stack.push_str("\n\tat ");
        stack.push_str(frame);
    }
    Anr {
        ms,
        virtual_time: true,
        stack,
        ..Anr::default()
    }
}

/// The model's code that handles the widget, as if it were written in Java.
fn own_frame(model: &Model, node: Ix, widget: Ix) -> String {
    let java = |text: &str| -> String {
        text.chars()
            .map(|c| if c.is_alphanumeric() { c } else { '_' })
            .collect()
    };
    let class = java(&model.nodes[node as usize].id);
    let widget = &model.widgets[widget as usize];
    let on = if widget.editable { "onText" } else { "onClick" };
    let method = java(&widget.id);
    format!("{}.{class}.{on}_{method}({class}.java)", model.package)
}

fn framework(model: &Model, widget: Ix) -> [&'static str; 4] {
    let dispatch = if model.widgets[widget as usize].editable {
        "android.widget.TextView.sendAfterTextChanged(TextView.java:11017)"
    } else {
        "android.view.View.performClick(View.java:7659)"
    };
    [
        dispatch,
        "android.os.Handler.dispatchMessage(Handler.java:102)",
        "android.os.Looper.loop(Looper.java:288)",
        "android.app.ActivityThread.main(ActivityThread.java:8061)",
    ]
}
