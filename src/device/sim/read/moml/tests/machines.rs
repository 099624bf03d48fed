//! Which machine of a drawing is read, and what of machines is refused.

use super::{DRAWING, parameter, refused};
use crate::device::sim::Model;

const MODAL: &str = "  <entity name=\"ModalModel\"";
const CONTROLLER: &str = "    <entity name=\"_Controller\"";

fn machine(name: &str, class: &str) -> String {
    format!(
        "<entity name=\"{name}\" class=\"ptolemy.domains.modal.modal.{class}\">\
         <entity name=\"S\" class=\"ptolemy.domains.modal.kernel.State\"/></entity>"
    )
}

#[test]
fn the_machine_at_the_outermost_level_is_the_model() {
    let nodes = |drawing: &str| {
        let model = Model::parse(drawing, "gate.xml", "x").unwrap();
        model.activities().map(str::to_owned).collect::<Vec<_>>()
    };
    let held = |class: &str, machine: &str| {
        format!("<entity name=\"E\" class=\"{class}\">{machine}</entity>")
    };
    // Refinements are next to the controller: another state machine, or an actor that contains one.
    let inner = machine("_Controller", "ModalController");
    for refinement in [
        machine("Inner", "ModalController"),
        held("ptolemy.domains.modal.modal.ModalRefinement", &inner),
    ] {
        let drawing = DRAWING.replacen(CONTROLLER, &format!("{refinement}{CONTROLLER}"), 1);
        assert_eq!(nodes(&drawing), ["In", "Out"]);
    }
    // What stands inside of another actor is further in, also where it comes first.
    let model = held("ptolemy.domains.modal.modal.ModalModel", &inner);
    let deep = held("ptolemy.actor.TypedCompositeActor", &model);
    let drawing = DRAWING.replacen(MODAL, &format!("{deep}{MODAL}"), 1);
    assert_eq!(nodes(&drawing), ["In", "Out"]);
    let alone =
        format!("<entity name=\"top\" class=\"ptolemy.actor.TypedCompositeActor\">{deep}</entity>");
    assert_eq!(nodes(&alone), ["S"]);
    // Two side by side: neither is the model.
    for second in [model, machine("F", "FSMActor")] {
        let drawing = DRAWING.replacen(MODAL, &format!("{second}{MODAL}"), 1);
        let marked = drawing.replacen("\"ModalModel\"", "\"¦ModalModel\"", 1);
        refused(&marked, "several-machines", "keep one");
    }
}

#[test]
fn what_no_model_can_say_is_refused() {
    let state = "<entity name=\"Out\" class=\"ptolemy.domains.modal.kernel.State\"";
    let refined = |refinement: &str| {
        let property =
            format!("<property name=\"refinementName\" class=\"x\" value=\"{refinement}\"/>");
        let drawn = DRAWING.replacen(
            &format!("{state}/>"),
            &format!("{state}>{property}</entity>"),
            1,
        );
        assert_ne!(drawn, DRAWING);
        drawn
    };
    refused(&refined("¦Inner"), "refinement", "`Inner`");
    assert!(Model::parse(&refined(""), "gate.xml", "x").is_ok());
    let way = "<relation name=\"r2\" class=\"ptolemy.domains.modal.kernel.Transition\">";
    let flagged = |name: &str, value: &str| {
        DRAWING.replacen(way, &format!("{way}{}", parameter(name, value)), 1)
    };
    for name in ["defaultTransition", "immediate", "error"] {
        refused(&flagged(name, "¦true"), "transition-flag", name);
        refused(
            &flagged(name, "¦perhaps"),
            "parameter-value",
            "true or false",
        );
        assert!(Model::parse(&flagged(name, "false"), "gate.xml", "x").is_ok());
    }
    refused(&flagged("refinementName", "¦Inner"), "refinement", "`r2`");
    // The way into the first screen is taken at once whether it reports it or not.
    let entry = way.replacen("r2", "r0", 1);
    let immediate = format!("{entry}{}", parameter("immediate", "true"));
    assert!(Model::parse(&DRAWING.replacen(&entry, &immediate, 1), "gate.xml", "x").is_ok());
}
