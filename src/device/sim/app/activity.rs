//! One node as an activity in Java.

use super::expression::{java, text};
use super::names::{Names, OWN};
use crate::device::sim::expr::Texts;
use crate::device::sim::model::{Back, Effect, Ix, Model, PlantedCrash};
use std::fmt::Write as _;

/// The source of a node's activity.
pub fn source(model: &Model, names: &Names, texts: &Texts, node: Ix) -> String {
    let this = &model.nodes[node as usize];
    let class = &names.activities[node as usize];
    let package = &names.package;
    let mut out = format!(
        "package {package};\n\nimport {package}.{OWN}.*;\n\n/** The node {} of the model. */\n\
         public final class {class} extends Screen {{\n",
        // A comment that a node's name could end is not a comment.
        text(&this.id).replace("*/", "* /")
    );
    let _ = writeln!(
        out,
        "  @Override\n  protected boolean hasHistory() {{\n    return {};\n  }}\n",
        model.back == Back::History
    );
    out.push_str("  @Override\n  protected void fill() {\n");
    if let Some(title) = &this.title {
        let _ = writeln!(out, "    title({});", text(title));
    }
    for ix in this.widgets.clone() {
        let widget = &model.widgets[ix as usize];
        let id = &names.ids[ix as usize];
        let shown = widget.text.clone();
        let _ = if widget.editable {
            writeln!(
                out,
                "    field(R.id.{id}, {}, {}, {}, {});",
                text(&widget.hint),
                text(&shown.unwrap_or_default()),
                widget.password,
                widget.active
            )
        } else {
            let shown = shown.unwrap_or_else(|| format!("Button {}", widget.id));
            writeln!(
                out,
                "    button(R.id.{id}, {}, {});",
                text(&shown),
                widget.active
            )
        };
    }
    out.push_str(
        "  }\n\n  @Override\n  protected void operate(int widget, Object input) {\n    switch (widget) {\n",
    );
    for (number, ix) in this.widgets.clone().enumerate() {
        let _ = writeln!(
            out,
            "      case {number}:\n        {}(input);\n        return;",
            method(model, ix, number)
        );
    }
    out.push_str("      default:\n    }\n  }\n");
    if !this.blocks.is_empty() {
        let _ = write!(
            out,
            "\n  @Override\n  protected void reached() {{\n{}  }}\n",
            blocks(model, names, &this.blocks)
        );
    }
    for (number, ix) in this.widgets.clone().enumerate() {
        widget(&mut out, model, names, texts, ix, number);
    }
    let own = (names.package.clone(), class.clone());
    for (class, named) in model.classes.iter().zip(&names.blocks) {
        if *named == own {
            out.push_str(&block_methods(class.probes));
        }
    }
    out.push_str("}\n");
    out
}

/// A class of code blocks that is no activity.
pub fn block_class(package: &str, name: &str, blocks: u32) -> String {
    format!(
        "package {package};\n\n/** Code blocks of the model. */\npublic final class {name} {{\n  private {name}() {{}}\n{}}}\n",
        block_methods(blocks)
    )
}

fn block_methods(blocks: u32) -> String {
    let mut out = String::new();
    for number in 0..blocks {
        let _ = write!(out, "\n  public static void block{number}() {{\n  }}\n");
    }
    out
}

/// What handles a widget, named as in the sim device's stacks, and by its number: ids may differ in odd characters only.
fn method(model: &Model, widget: Ix, number: usize) -> String {
    let widget = &model.widgets[widget as usize];
    let on = if widget.editable { "onText" } else { "onClick" };
    let name: String = widget
        .id
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name == number.to_string() {
        format!("{on}_{name}")
    } else {
        format!("{on}_{name}_{number}")
    }
}

fn widget(out: &mut String, model: &Model, names: &Names, texts: &Texts, ix: Ix, number: usize) {
    let widget = &model.widgets[ix as usize];
    // One that is not active is never taken: clean semantics, as a disabled widget has them.
    let ways: Vec<Ix> = widget
        .transitions
        .clone()
        .filter(|way| model.transitions[*way as usize].active)
        .collect();
    let _ = writeln!(
        out,
        "\n  private void {}(Object input) {{",
        method(model, ix, number)
    );
    let guard = |way: Ix| match &model.transitions[way as usize].guard {
        Some(guard) => format!("Python.truth({})", java(guard, names, texts)),
        None => "true".to_owned(),
    };
    match ways.as_slice() {
        [] => {}
        [way] => {
            let _ = writeln!(
                out,
                "    if ({}) {{\n      take{way}(input);\n    }}",
                guard(*way)
            );
        }
        several => {
            let _ = writeln!(
                out,
                "    int[] open = new int[{}];\n    int met = 0;",
                several.len()
            );
            for way in several {
                let guard = guard(*way);
                let _ = writeln!(
                    out,
                    "    if ({guard}) {{\n      open[met++] = {way};\n    }}"
                );
            }
            out.push_str("    if (met == 0) {\n      return;\n    }\n    switch (open[Fault.anyOf(met)]) {\n");
            for way in several {
                let _ = writeln!(
                    out,
                    "      case {way}:\n        take{way}(input);\n        return;"
                );
            }
            out.push_str("      default:\n    }\n");
        }
    }
    out.push_str("  }\n");
    for way in ways {
        take(out, model, names, texts, way);
    }
}

/// A transition is taken: globals, code blocks, what goes wrong, where it leads.
fn take(out: &mut String, model: &Model, names: &Names, texts: &Texts, way: Ix) {
    let transition = &model.transitions[way as usize];
    let _ = writeln!(out, "\n  private void take{way}(Object input) {{");
    for (slot, code) in &transition.set {
        let _ = writeln!(
            out,
            "    State.{} = {};",
            names.globals[*slot as usize],
            java(code, names, texts)
        );
    }
    let kept = |(slot, _): &(Ix, _)| model.persistent[*slot as usize];
    if transition.set.iter().any(kept) {
        out.push_str("    State.save();\n");
    }
    out.push_str(&blocks(model, names, &transition.blocks));
    let lives = transition.effect.as_deref().is_none_or(|effect| {
        fault(out, effect);
        !effect.ends()
    });
    if lives {
        let _ = writeln!(
            out,
            "    go({}.class);",
            names.activities[transition.destination as usize]
        );
    }
    out.push_str("  }\n");
}

fn fault(out: &mut String, effect: &Effect) {
    if let Some(ms) = effect.anr_ms {
        let ms = i64::try_from(ms).unwrap_or(i64::MAX);
        let _ = writeln!(out, "    Fault.block({ms}L);");
    }
    if let Some(crash) = &effect.crash {
        let _ = writeln!(out, "    {}", thrown(crash));
    } else if let Some(exit) = &effect.exit {
        out.push_str(if exit == "finished" {
            "    finishAffinity();\n"
        } else {
            "    System.exit(0);\n"
        });
    }
}

fn thrown(crash: &PlantedCrash) -> String {
    let frame = crash.frame.as_deref().unwrap_or_default();
    let (place, rest) = frame.split_once('(').unwrap_or((frame, ""));
    let (class, method) = place.rsplit_once('.').unwrap_or((place, "run"));
    let rest = rest.trim_end_matches(')');
    let (file, line) = match rest.rsplit_once(':') {
        Some((file, line)) => (file, line.parse::<u16>().map_or(-1, i32::from)),
        None => (if rest == "Unknown Source" { "" } else { rest }, -1),
    };
    format!(
        "Fault.crash({}, {}, {}, {}, {}, {line});",
        text(&crash.exception),
        crash.message.as_deref().map_or("null".to_owned(), text),
        text(class),
        text(method),
        text(file)
    )
}

fn blocks(model: &Model, names: &Names, blocks: &[Ix]) -> String {
    blocks
        .iter()
        .map(|block| {
            let (class, number) = model.blocks[*block as usize];
            let (package, name) = &names.blocks[class as usize];
            format!("    {package}.{name}.block{number}();\n")
        })
        .collect()
}
