//! A call in a body, and the instructions that take its place.

use dex2class::class::code::op;
use dex2class::class::{Idx, Insn, Pool};

/// Package of the agent's classes that take calls of the app.
pub const BOX: &[u8] = b"droidtest/host/box/";

/// A call. Names are in the form of class files.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// `invokevirtual`, `invokespecial`, `invokestatic` or `invokeinterface`.
    pub opcode: u8,
    /// The class that the instruction names, or the platform's class from which that one inherits the method.
    pub owner: &'a [u8],
    /// The method's name.
    pub name: &'a [u8],
    /// Its descriptor.
    pub descriptor: &'a [u8],
    /// Whether the instruction marks its class as an interface.
    pub interface: bool,
    /// Whether this is the constructor of an object that `new` and `dup` have just put on the stack twice.
    pub fresh: bool,
}

impl Call<'_> {
    /// Whether it is a call of this method, of any descriptor.
    pub fn is(&self, owner: &[u8], name: &[u8]) -> bool {
        self.owner == owner && self.name == name
    }

    /// Whether it is a call of a constructor of this class.
    pub fn constructs(&self, owner: &[u8]) -> bool {
        self.is(owner, b"<init>")
    }

    /// Whether it is a call of a static method.
    pub fn is_static(&self) -> bool {
        self.opcode == op::INVOKESTATIC
    }

    /// Whether the descriptor begins with this text.
    pub fn takes(&self, text: &[u8]) -> bool {
        self.descriptor.starts_with(text)
    }

    /// The descriptor of the result.
    pub fn result(&self) -> &[u8] {
        let end = self.descriptor.iter().position(|byte| *byte == b')');
        end.map_or(b"", |end| &self.descriptor[end + 1..])
    }

    /// The descriptor with one more parameter, before all others.
    pub fn with_first(&self, parameter: &[u8]) -> Vec<u8> {
        let rest = self.descriptor.get(1..).unwrap_or_default();
        [b"(", parameter, rest].concat()
    }

    /// The descriptor of a static method that takes the object of this call first.
    pub fn with_object(&self) -> Vec<u8> {
        self.with_first(&[b"L", self.owner, b";"].concat())
    }
}

/// Collects the instructions in place of a call.
#[derive(Debug)]
pub struct Steps<'a> {
    pool: &'a mut Pool,
    /// The call as it was.
    original: Insn,
    insns: Vec<Insn>,
}

impl<'a> Steps<'a> {
    /// No instruction yet.
    pub fn new(pool: &'a mut Pool, opcode: u8, at: Idx) -> Self {
        Self {
            pool,
            original: Insn::Invoke(opcode, at),
            insns: Vec::new(),
        }
    }

    /// All instructions.
    pub fn into_insns(self) -> Vec<Insn> {
        self.insns
    }

    /// Adds the call as it was.
    pub fn original(&mut self) {
        self.insns.push(self.original.clone());
    }

    /// Adds an instruction without operands.
    pub fn op(&mut self, opcode: u8) {
        self.insns.push(Insn::Op(opcode));
    }

    /// Adds a cast to a class.
    pub fn cast(&mut self, class: &[u8]) {
        let class = self.pool.class(class);
        self.insns.push(Insn::Type(op::CHECKCAST, class));
    }

    /// Adds a call of a static method of one of the agent's classes in `host/box`.
    pub fn boxed(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) {
        self.invoke_static(&[BOX, class].concat(), name, descriptor);
    }

    /// Adds a call of a static method.
    pub fn invoke_static(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) {
        let method = self.pool.method(owner, name, descriptor, false);
        self.insns.push(Insn::Invoke(op::INVOKESTATIC, method));
    }

    /// Adds a call of a class's method.
    pub fn invoke_virtual(&mut self, owner: &[u8], name: &[u8], descriptor: &[u8]) {
        let method = self.pool.method(owner, name, descriptor, false);
        self.insns.push(Insn::Invoke(op::INVOKEVIRTUAL, method));
    }

    /// Adds the call with another descriptor.
    pub fn with_descriptor(&mut self, call: &Call<'_>, descriptor: &[u8]) {
        let method = self
            .pool
            .method(call.owner, call.name, descriptor, call.interface);
        self.insns.push(Insn::Invoke(call.opcode, method));
    }

    /// Replaces the first argument of a call that is about to be made, which is of type `first`, by what a static method
    /// of the agent makes of it. False, with nothing added, if the other arguments cannot be moved out of the way.
    pub fn replace_first(
        &mut self,
        descriptor: &[u8],
        class: &[u8],
        method: &[u8],
        first: &[u8],
    ) -> bool {
        const ASIDE: &[u8] = b"Paths";
        let others = parameters(descriptor.get(1 + first.len()..).unwrap_or_default());
        // Only two values above the first can be exchanged with it: those above them are put aside, as objects.
        let kept = others.len().min(2);
        let is_wide = |other: &&[u8]| matches!(other[0], b'J' | b'D');
        let is_number = |other: &&[u8]| !matches!(other[0], b'L' | b'[');
        if others.iter().any(is_wide) || others[kept..].iter().any(is_number) {
            return false;
        }
        for _ in kept..others.len() {
            self.boxed(ASIDE, b"putAside", b"(Ljava/lang/Object;)V");
        }
        let (before, after): (&[u8], &[u8]) = match kept {
            0 => (&[], &[]),
            1 => (&[op::SWAP], &[op::SWAP]),
            _ => (&[op::DUP2_X1, op::POP2], &[op::DUP_X2, op::POP]),
        };
        before.iter().for_each(|opcode| self.op(*opcode));
        self.boxed(class, method, &[b"(", first, b")", first].concat());
        after.iter().for_each(|opcode| self.op(*opcode));
        for other in &others[kept..] {
            self.boxed(ASIDE, b"takeBack", b"()Ljava/lang/Object;");
            self.cast(match other {
                [b'L', name @ .., b';'] => name,
                array => array,
            });
        }
        true
    }
}

/// The types of parameters up to the bracket that ends them.
fn parameters(mut text: &[u8]) -> Vec<&[u8]> {
    let mut all = Vec::new();
    while !matches!(text.first(), None | Some(b')')) {
        let dimensions = text.iter().take_while(|byte| **byte == b'[').count();
        let end = match text.get(dimensions) {
            Some(b'L') => text.iter().position(|byte| *byte == b';'),
            Some(_) => Some(dimensions),
            None => None,
        };
        // A descriptor that is none ends here.
        let Some(end) = end else { break };
        let (parameter, rest) = text.split_at(end + 1);
        all.push(parameter);
        text = rest;
    }
    all
}
