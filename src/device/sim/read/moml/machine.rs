//! Which state machine of a drawing is the model, and what of machines no model can say.

use super::edges::flag;
use super::{Xml, class, name, property, value, value_at};
use crate::device::sim::fault::Fault;

/// Flags of a transition that change when it is taken, and what to draw instead.
const FLAGS: [(&str, &str); 3] = [
    (
        "defaultTransition",
        "guard it with the condition that the other transitions' guards exclude, and clear the flag",
    ),
    (
        "immediate",
        "let the preceding transitions lead to its destination, and clear the flag",
    ),
    ("error", "delete it: no action of a model fails"),
];

/// The machine at the outermost level: those inside of others are refinements, or belong to actors around it.
///
/// # Errors
/// There is none, or several are at that level.
pub fn machine<'a, 'i>(root: Xml<'a, 'i>) -> Result<Xml<'a, 'i>, Fault> {
    let mut level = vec![root];
    while !level.is_empty() {
        let mut found = level
            .iter()
            .filter_map(|entity| Some((*entity, controller(*entity)?)));
        match (found.next(), found.next()) {
            (Some((_, machine)), None) => return Ok(machine),
            (Some((first, _)), Some((second, _))) => {
                return Err(Fault::new(
                    "several-machines",
                    value_at(second, "name"),
                    format!(
                        "`{}` is a second machine besides `{}`",
                        name(second),
                        name(first)
                    ),
                    "keep one machine in each drawing: an app is one modal model",
                ));
            }
            (None, _) => level = level.iter().flat_map(|entity| entities(*entity)).collect(),
        }
    }
    Err(Fault::new(
        "no-controller",
        root.range().start,
        "the drawing has no modal model",
        "draw the app as a ModalModel with one state for each activity",
    ))
}

fn entities<'a, 'i>(holder: Xml<'a, 'i>) -> impl Iterator<Item = Xml<'a, 'i>> {
    holder
        .children()
        .filter(|child| child.has_tag_name("entity"))
}

/// The machine that an entity is, or that a modal model holds: machines next to `_Controller` are its refinements.
fn controller<'a, 'i>(entity: Xml<'a, 'i>) -> Option<Xml<'a, 'i>> {
    let is_machine = |node: Xml<'_, '_>| {
        class(node).ends_with("ModalController") || class(node).ends_with("FSMActor")
    };
    if is_machine(entity) {
        return Some(entity);
    }
    entities(entity).find(|child| is_machine(*child) && name(*child) == "_Controller")
}

/// Refuses a state or transition with a refinement: what it does would be lost.
pub fn unrefined(node: Xml<'_, '_>) -> Result<(), Fault> {
    let refinement = property(node, "refinementName").filter(|p| !value(*p).trim().is_empty());
    refinement.map_or(Ok(()), |refinement| {
        Err(Fault::new(
            "refinement",
            value_at(refinement, "value"),
            format!(
                "`{}` has the refinement `{}`",
                name(node),
                value(refinement)
            ),
            "draw the refinement's states in the machine itself, and clear `refinementName`",
        ))
    })
}

/// Refuses a transition that is taken otherwise than a touch takes it.
pub fn plain(relation: Xml<'_, '_>) -> Result<(), Fault> {
    unrefined(relation)?;
    for (key, fix) in FLAGS {
        if flag(relation, key)? {
            let at = property(relation, key).map_or(0, |p| value_at(p, "value"));
            let what = format!("`{key}` is true, which models do not support");
            return Err(Fault::new("transition-flag", at, what, fix));
        }
    }
    Ok(())
}
