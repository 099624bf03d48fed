//! A model as a picture: screens in columns by their distance from the first, ways as arrows, guarded ones dashed,
//! crashes red. One SVG, no script, no reference to anything outside.

use super::Model;
use super::model::Ix;
use crate::util::text::for_xml;
use std::collections::VecDeque;
use std::fmt::Write as _;

/// More screens make no picture that anybody could read.
pub const MOST: usize = 2000;

const WIDTH: usize = 150;
const HEIGHT: usize = 44;
const GAP: (usize, usize) = (110, 26);

/// Where a screen stands: column and row.
type Spot = (usize, usize);

/// The picture.
///
/// # Errors
/// The model is too large, in words.
pub fn svg(model: &Model) -> Result<String, String> {
    if model.nodes.len() > MOST {
        return Err(format!(
            "{} screens are too many for a picture; at most {MOST} can be drawn",
            model.nodes.len()
        ));
    }
    let (spots, columns, rows) = spots(model);
    let size = |count: usize, step: usize, gap: usize| count * (step + gap) + gap;
    let (width, height) = (size(columns, WIDTH, GAP.0), size(rows, HEIGHT, GAP.1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<title>{}</title>\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" \
         refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#456\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        escaped(&model.name)
    );
    for (ix, node) in (0_u32..).zip(&model.nodes) {
        for widget in node.widgets.clone() {
            way(model, ix, widget, &spots, &mut out);
        }
    }
    for (ix, node) in model.nodes.iter().enumerate() {
        let (x, y) = corner(spots[ix]);
        let first = ix == model.start as usize;
        let fill = if first { "#cfe8cf" } else { "#eef2f7" };
        let widgets = &model.widgets[node.widgets.start as usize..node.widgets.end as usize];
        let fields = widgets.iter().filter(|w| w.editable).count();
        let _ = writeln!(
            out,
            "<g><rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\" fill=\"{fill}\" stroke=\"#456\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\" fill=\"#567\">{} buttons, {fields} fields</text></g>",
            x + WIDTH / 2,
            y + 19,
            escaped(&crate::util::text::shorten(&node.id, 22)),
            x + WIDTH / 2,
            y + 35,
            widgets.len() - fields,
        );
    }
    out.push_str("</svg>\n");
    Ok(out)
}

fn escaped(text: &str) -> String {
    let text = for_xml(text);
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

const fn corner(spot: Spot) -> (usize, usize) {
    (
        GAP.0 + spot.0 * (WIDTH + GAP.0),
        GAP.1 + spot.1 * (HEIGHT + GAP.1),
    )
}

/// Each screen's spot, and how many columns and rows there are. Screens that nothing leads to be in a last column.
fn spots(model: &Model) -> (Vec<Spot>, usize, usize) {
    let mut column: Vec<Option<usize>> = vec![None; model.nodes.len()];
    let mut open = VecDeque::from([model.start]);
    column[model.start as usize] = Some(0);
    while let Some(node) = open.pop_front() {
        let next = column[node as usize].map_or(0, |c| c + 1);
        for to in destinations(model, node) {
            if column[to as usize].is_none() {
                column[to as usize] = Some(next);
                open.push_back(to);
            }
        }
    }
    let last = column.iter().flatten().max().map_or(0, |c| c + 1);
    let mut filled = vec![0; last + 1];
    let spots = column
        .iter()
        .map(|column| {
            let column = column.unwrap_or(last);
            filled[column] += 1;
            (column, filled[column] - 1)
        })
        .collect();
    let columns = filled.iter().filter(|count| **count > 0).count();
    (spots, columns, filled.iter().copied().max().unwrap_or(1))
}

fn destinations(model: &Model, node: Ix) -> Vec<Ix> {
    let widgets = model.nodes[node as usize].widgets.clone();
    let ways = widgets.flat_map(|widget| model.widgets[widget as usize].transitions.clone());
    ways.map(|way| model.transitions[way as usize].destination)
        .collect()
}

/// The arrows of a widget; those that stay on their screen are small loops.
fn way(model: &Model, from: Ix, widget: Ix, spots: &[Spot], out: &mut String) {
    let widget = &model.widgets[widget as usize];
    for way in widget.transitions.clone() {
        let transition = &model.transitions[way as usize];
        let crash = transition
            .effect
            .as_deref()
            .is_some_and(super::model::Effect::ends);
        let dash = if transition.guard.is_some() {
            " stroke-dasharray=\"5 3\""
        } else {
            ""
        };
        let colour = if crash { "#c22" } else { "#789" };
        let label = widget.text.as_deref().unwrap_or(&widget.id);
        let title = format!("{}: {label}", model.nodes[from as usize].id);
        let (x, y) = corner(spots[from as usize]);
        let path = if transition.destination == from {
            let (x, y) = (x + WIDTH - 26, y);
            format!("M{x} {y}c-4 -18 22 -18 18 0")
        } else {
            let (to_x, to_y) = corner(spots[transition.destination as usize]);
            // Forward from the right side to the left one, back the other way and a little lower.
            let (start, end) = if to_x > x {
                (x + WIDTH, to_x)
            } else {
                (x, to_x + WIDTH)
            };
            let (start_y, end_y) = (
                y + HEIGHT / 2 + usize::from(to_x <= x) * 8,
                to_y + HEIGHT / 2,
            );
            let middle = usize::midpoint(start, end);
            format!("M{start} {start_y}C{middle} {start_y} {middle} {end_y} {end} {end_y}")
        };
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\"{dash} marker-end=\"url(#tip)\"><title>{}</title></path>",
            escaped(&title)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::sim::BUILTIN;

    #[test]
    fn every_screen_and_every_way_is_drawn_in_well_formed_xml() {
        for (name, _) in BUILTIN {
            let model = Model::builtin(name).unwrap();
            let picture = svg(&model).unwrap();
            let document = roxmltree::Document::parse(&picture).unwrap();
            let count = |tag: &str| {
                document
                    .descendants()
                    .filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", tag)))
                    .count()
            };
            assert_eq!(count("g"), model.nodes.len());
            // The arrow's tip is a path too.
            assert_eq!(count("path"), model.transitions.len() + 1);
        }
    }

    #[test]
    fn names_cannot_break_out() {
        let text = r#"{"nodes": [{"node_id": "</text><script>\"&", "transitions": []}]}"#;
        let picture = svg(&Model::parse(text, "m.json", "m").unwrap()).unwrap();
        assert!(!picture.contains("<script>"));
        assert!(roxmltree::Document::parse(&picture).is_ok());
    }
}
