//! Where JaCoCo puts the probes of a method, and how it numbers them.
//!
//! A probe is needed on each edge of the control flow that another edge joins, before each instruction that leaves the
//! method, and before each line that calls a method and is reached from the instruction before it. Whether the last probe
//! of a stretch of code was hit then tells whether all of the stretch was executed.
//!
//! JaCoCo reads class files with ASM, which has at most one label for a position. [`Code`] may have several, and lines
//! without a label; [`Place`] stands for all marks of one position.

use crate::class::code::op;
use crate::class::{Code, Insn, Label};

/// No place, no edge.
pub(super) const NONE: u32 = u32::MAX;

/// The marks between two instructions.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// One of its labels; [`NONE`] if it has only lines.
    pub label: u32,
    /// The last [`Edge`] to it that has its own probe.
    pub edges: u32,
    /// Jumps, switches, starts of ranges and handlers that name it; more than two count as two.
    targets: u8,
    /// Whether the instruction before it continues here.
    successor: bool,
    /// Whether a line with a call begins here.
    calls: bool,
    /// Whether a handler's range begins or ends here.
    pub limits_range: bool,
    /// The last branch that counted it.
    branch: u32,
}

impl Place {
    const NEW: Self = Self {
        label: NONE,
        edges: NONE,
        targets: 0,
        successor: false,
        calls: false,
        limits_range: false,
        branch: NONE,
    };

    /// Whether several edges lead here.
    pub fn is_join(&self) -> bool {
        self.targets + u8::from(self.successor) > 1
    }

    /// Whether the edge from the instruction before has a probe.
    pub fn has_probe(&self) -> bool {
        self.successor && (self.is_join() || self.calls)
    }

    fn add_target(&mut self) {
        self.targets = (self.targets + 1).min(2);
    }
}

/// A conditional jump or a switch to a join.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// Number of its probe.
    pub probe: u32,
    /// The edge before it to the same place, or [`NONE`].
    pub next: u32,
}

/// What is known of the positions of a method.
pub(super) struct Flow {
    /// In the order of the code.
    pub places: Vec<Place>,
    /// Places by label.
    of_label: Vec<u32>,
    /// In the order of the code, and in a switch of its labels.
    pub edges: Vec<Edge>,
    /// The number of the method's first probe.
    pub start: u32,
    /// One more than that of the last.
    pub end: u32,
}

/// Counts the places that were passed on the way through the code.
#[derive(Default)]
pub(super) struct Passed {
    places: u32,
    inside: bool,
}

impl Passed {
    /// The number of the place that begins with this instruction.
    pub fn enter(&mut self, insn: &Insn) -> Option<u32> {
        if matches!(insn, Insn::DexPc(_)) {
            return None;
        }
        let mark = matches!(insn, Insn::Label(_) | Insn::Line(_));
        let enters = mark && !self.inside;
        self.inside = mark;
        self.places += u32::from(enters);
        enters.then(|| self.places - 1)
    }
}

/// Follows the source lines as the class file has them (`write` in [`crate::class`]): of several lines at one place the
/// last counts, and a line that is the same as the one before it is not written.
#[derive(Default)]
struct Lines {
    /// Where the present line begins.
    start: Option<u32>,
    place: u32,
    /// What they were before the present place.
    start_before: Option<u32>,
    line_before: Option<u16>,
    /// The line that begins at the present place.
    here: Option<u16>,
}

impl Lines {
    fn enter(&mut self, place: u32) {
        self.place = place;
        self.start_before = self.start;
        self.line_before = self.here.take().or(self.line_before);
    }

    fn add(&mut self, line: u16) {
        self.here = (self.line_before != Some(line)).then_some(line);
        // Line 0 begins nothing: ASM ignored it before 9.5, and JaCoCo has kept to that.
        self.start = match self.here {
            None | Some(0) => self.start_before,
            Some(_) => Some(self.place),
        };
    }
}

impl Flow {
    /// Numbers the probes of a method from `first` on.
    pub fn new(code: &Code, first: u32) -> Self {
        let mut flow = Self {
            places: Vec::new(),
            of_label: vec![NONE; code.labels as usize],
            edges: Vec::new(),
            start: first,
            end: first,
        };
        flow.find_places(code);
        flow.mark_ranges(code);
        let branches = flow.mark_flow(code);
        flow.number(code, branches);
        flow
    }

    /// The number of a label's place.
    pub fn index(&self, label: Label) -> Option<usize> {
        match self.of_label.get(label.0 as usize) {
            None | Some(&NONE) => None,
            Some(ix) => Some(*ix as usize),
        }
    }

    /// Whether several edges lead to this label.
    pub fn is_join(&self, label: Label) -> bool {
        self.index(label)
            .is_some_and(|ix| self.places[ix].is_join())
    }

    fn find_places(&mut self, code: &Code) {
        let mut passed = Passed::default();
        for insn in &code.insns {
            if passed.enter(insn).is_some() {
                self.places.push(Place::NEW);
            }
            if let Insn::Label(label) = insn
                && let Some(of_label) = self.of_label.get_mut(label.0 as usize)
                && let Some(place) = self.places.last_mut()
            {
                *of_label = passed.places - 1;
                place.label = label.0;
            }
        }
    }

    fn mark_ranges(&mut self, code: &Code) {
        for each in &code.tries {
            let (Some(start), Some(end)) = (self.index(each.start), self.index(each.end)) else {
                continue;
            };
            // An empty range is not written.
            if start >= end {
                continue;
            }
            // The start counts, too: what can leave the range begins with a probe.
            self.places[start].add_target();
            self.add_target(each.handler);
            self.places[start].limits_range = true;
            self.places[end].limits_range = true;
        }
    }

    fn add_target(&mut self, label: Label) {
        if let Some(ix) = self.index(label) {
            self.places[ix].add_target();
        }
    }

    /// Finds what leads where; returns the number of branches.
    fn mark_flow(&mut self, code: &Code) -> u32 {
        let mut passed = Passed::default();
        let mut lines = Lines::default();
        let (mut successor, mut first) = (false, true);
        let mut branches = 0;
        for insn in &code.insns {
            if let Some(entered) = passed.enter(insn) {
                lines.enter(entered);
                let place = &mut self.places[entered as usize];
                place.successor = successor;
                if first {
                    place.add_target();
                }
            }
            match insn {
                Insn::Label(_) | Insn::DexPc(_) => continue,
                Insn::Line(line) => {
                    lines.add(*line);
                    continue;
                }
                Insn::Op(op) => successor = !leaves(*op),
                Insn::Invoke(..) | Insn::Dynamic(_) => {
                    successor = true;
                    if let Some(ix) = lines.start {
                        self.places[ix as usize].calls = true;
                    }
                }
                Insn::Jump(op::GOTO, label) => {
                    self.add_target(*label);
                    successor = false;
                }
                Insn::Jump(..) | Insn::Table(_) | Insn::Lookup(_) => {
                    insn.each_target(|label| {
                        if let Some(ix) = self.first_visit(label, branches) {
                            self.places[ix].add_target();
                        }
                    });
                    branches += 1;
                    successor = matches!(insn, Insn::Jump(..));
                }
                _ => successor = true,
            }
            first = false;
        }
        branches
    }

    /// Numbers the probes; `branch` is a number that no branch has had.
    fn number(&mut self, code: &Code, mut branch: u32) {
        let mut passed = Passed::default();
        for insn in &code.insns {
            if let Some(entered) = passed.enter(insn) {
                self.end += u32::from(self.places[entered as usize].has_probe());
            }
            match insn {
                Insn::Op(op) if leaves(*op) => self.end += 1,
                Insn::Jump(op::GOTO, label) => self.end += u32::from(self.is_join(*label)),
                Insn::Jump(..) | Insn::Table(_) | Insn::Lookup(_) => {
                    insn.each_target(|label| {
                        if let Some(ix) = self.first_visit(label, branch)
                            && self.places[ix].is_join()
                        {
                            self.add_edge(ix);
                        }
                    });
                    branch += 1;
                }
                _ => {}
            }
        }
    }

    /// The place of a label, unless this branch has been there.
    fn first_visit(&mut self, label: Label, branch: u32) -> Option<usize> {
        let ix = self.index(label)?;
        let last = std::mem::replace(&mut self.places[ix].branch, branch);
        (last != branch).then_some(ix)
    }

    fn add_edge(&mut self, place: usize) {
        let number = u32::try_from(self.edges.len()).unwrap_or(NONE);
        let next = std::mem::replace(&mut self.places[place].edges, number);
        self.edges.push(Edge {
            probe: self.end,
            next,
        });
        self.end += 1;
    }
}

/// Whether control leaves the method with this instruction.
pub(super) fn leaves(opcode: u8) -> bool {
    matches!(opcode, op::IRETURN..=op::RETURN | op::ATHROW)
}
