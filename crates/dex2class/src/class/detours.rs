//! Jumps that are too far.

use super::code::{Code, Insn, Label};
use rustc_hash::FxHashMap;

/// Conditional jumps have no long form. One that is too far jumps to a `goto_w` at the start or at the end of the code:
/// as code has at most 65,535 bytes, one of them can be reached from everywhere. The stack map frame there is the one of
/// the jump's target, which the verifier compares with the state at the jump in any case; a `goto_w` behind an inverted
/// condition would need a frame that nobody computed.
#[derive(Default)]
pub(super) struct Detours {
    /// Forms of jumps, by number; of those after the last one it is short.
    forms: Vec<Form>,
    /// The `goto_w`s: target, and the label of the `goto_w`.
    pub(super) start: Vec<(Label, Label)>,
    pub(super) end: Vec<(Label, Label)>,
    known: FxHashMap<(Label, Form), Label>,
    /// Where the method's own code begins, if there is a `goto_w` before it.
    pub(super) body: Option<Label>,
}

/// How a jump is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Form {
    Short,
    /// `goto_w` in place of `goto`.
    Long,
    /// By a `goto_w` at the start.
    Start,
    /// By a `goto_w` at the end.
    End,
}

impl Detours {
    pub(super) fn clear(&mut self) {
        self.forms.clear();
        self.start.clear();
        self.end.clear();
        self.known.clear();
        self.body = None;
    }

    /// Whether the code is as it was given.
    pub(super) fn is_empty(&self) -> bool {
        self.start.is_empty() && self.end.is_empty()
    }

    /// Labels that this adds to those of the code.
    pub(super) fn labels(&self) -> usize {
        self.start.len() + self.end.len() + usize::from(self.body.is_some())
    }

    pub(super) fn form(&self, jump: u32) -> Form {
        let form = self.forms.get(jump as usize);
        form.copied().unwrap_or(Form::Short)
    }

    /// The label of the `goto_w` that leads to a target.
    pub(super) fn label(&self, target: Label, form: Form) -> Option<Label> {
        self.known.get(&(target, form)).copied()
    }

    /// Gives a jump that does not reach its target another form.
    pub(super) fn lengthen(&mut self, jump: u32, unconditional: bool, near_start: bool) {
        let jump = jump as usize;
        if jump >= self.forms.len() {
            self.forms.resize(jump + 1, Form::Short);
        }
        // Code that moved may bring what could be reached out of reach: then the other end can be.
        self.forms[jump] = match self.forms[jump] {
            _ if unconditional => Form::Long,
            Form::Start => Form::End,
            Form::End => Form::Start,
            _ if near_start => Form::Start,
            _ => Form::End,
        };
    }

    /// Gives each target of a jump with a detour its `goto_w`. Those of earlier rounds stay, so that code only grows.
    pub(super) fn add_detours(&mut self, code: &Code) {
        let mut jump = 0;
        for insn in &code.insns {
            let Insn::Jump(_, target) = insn else {
                continue;
            };
            let form = self.form(jump);
            jump += 1;
            if !matches!(form, Form::Start | Form::End) {
                continue;
            }
            if form == Form::Start && self.body.is_none() {
                self.body = Some(self.next_label(code));
            }
            if !self.known.contains_key(&(*target, form)) {
                let label = self.next_label(code);
                self.known.insert((*target, form), label);
                let list = match form {
                    Form::Start => &mut self.start,
                    _ => &mut self.end,
                };
                list.push((*target, label));
            }
        }
    }

    fn next_label(&self, code: &Code) -> Label {
        Label(code.labels.saturating_add(self.labels() as u32))
    }
}
