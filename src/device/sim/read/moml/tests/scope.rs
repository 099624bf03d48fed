//! What names mean in a drawing: ports, the controller's parameters, those around it.

use super::{DRAWING, guarded, opens, parameter, refused, with_parameters};
use crate::device::sim::Model;

const TOP: &str = "  <entity name=\"ModalModel\"";
const MODAL: &str = "    <port name=\"input_0\"";

#[test]
fn parameters_around_the_controller_are_taken_where_they_are_used() {
    let drawing = |top: &str, modal: &str, own: &str| {
        let drawing = guarded("user == &quot;admin&quot;");
        let drawing = drawing.replacen(TOP, &format!("{top}{TOP}"), 1);
        let drawing = drawing.replacen(MODAL, &format!("{modal}{MODAL}"), 1);
        let first = "<property name=\"word\"";
        drawing.replacen(first, &format!("{own}{first}"), 1)
    };
    let is = |name: &str| parameter("user", &format!("&quot;{name}&quot;"));
    // The nearest wins; those that nothing uses are not read, whatever they hold.
    let odd = parameter("unused", "{1, 2}");
    for (top, modal, own, open) in [
        (is("admin"), odd.clone(), String::new(), true),
        (odd, is("admin"), String::new(), true),
        (is("no"), is("admin"), String::new(), true),
        (is("admin"), is("no"), String::new(), false),
        (is("no"), is("no"), is("admin"), true),
    ] {
        let drawing = drawing(&top, &modal, &own);
        let model = Model::parse(&drawing, "gate.xml", "x").unwrap();
        assert_eq!(opens(&model), open, "{drawing}");
        assert_eq!(model.globals.len(), 4);
    }
    // A port hides a parameter of its name; an action may set what stands around.
    let hidden = DRAWING.replacen(TOP, &format!("{}{TOP}", parameter("input_0", "1")), 1);
    let model = Model::parse(&hidden, "gate.xml", "x").unwrap();
    assert_eq!(model.globals, ["word", "typed", "tries"]);
    let set =
        drawing(&is("no"), "", "").replacen("tries = tries + 1", "user = &quot;admin&quot;", 1);
    assert!(Model::parse(&set, "gate.xml", "x").is_ok());
    refused(
        &drawing(&parameter("user", "¦{1}"), "", ""),
        "expression-unsupported",
        "array",
    );
    refused(
        &drawing("", "", "").replacen("user", "¦user", 1),
        "unknown-name",
        "`user`",
    );
}

#[test]
fn a_string_parameter_is_its_text() {
    let drawing = |value: &str| {
        let text = format!(
            "<property name=\"t\" class=\"ptolemy.data.expr.StringParameter\" value=\"{value}\"/>"
        );
        with_parameters(&text)
    };
    for (drawn, meant) in [
        ("admin", "admin"),
        ("&quot;a\\n&quot; + 1", "\"a\\n\" + 1"),
        ("", ""),
        ("2$$", "2$"),
    ] {
        let model = Model::parse(&drawing(drawn), "gate.xml", "x").unwrap();
        let texts = model.texts();
        assert_eq!(
            model.initial[0].literal(&texts).to_string(),
            format!("{meant:?}")
        );
    }
    refused(&drawing("a$$&quot;¦$word"), "parameter-value", "dollar");
}

#[test]
fn a_guard_that_reads_the_port_makes_a_text_field() {
    let model = Model::parse(&guarded("input_0 == word"), "gate.xml", "x").unwrap();
    assert!(model.widgets[0].editable && model.widgets[1].editable);
}
