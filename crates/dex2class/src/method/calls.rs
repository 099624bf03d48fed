//! Calls, constructors, and what `invoke-custom` and method handles name.

use super::constructors;
use super::emit::Emitter;
use super::instruction::{Call, NONE};
use super::kinds::{Kind, Want};
use super::uninit::THIS;
use super::{Reason, Scope};
use crate::class::{Bootstrap, Entry, Idx, Insn, Pool, access, op};
use crate::dex::{Dex, Proto, Value, internal_name};
use crate::hierarchy::Hierarchy;

impl<'a> Scope<'_, 'a> {
    /// The shape of an `invoke-custom`.
    pub(super) fn call_site_proto(&self, site: u32) -> Result<Proto<'a>, Reason> {
        match self.dex.call_site(site)?.get(2) {
            Some(Value::MethodType(proto)) => Ok(self.dex.proto(*proto)?),
            _ => Err(Reason::BadCallSite),
        }
    }
}

impl<'a> Emitter<'_, '_, 'a> {
    pub(super) fn call(&mut self, ix: u32, call: Call, wants: &[Want<'a>]) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let method = self.scope.dex.method(ins.index)?;
        let proto = self.scope.dex.proto(method.proto)?;
        let mut descriptor = Vec::new();
        proto.descriptor(&mut descriptor)?;
        if method.name == b"<init>" {
            return self.construct(ix, wants, method.owner, descriptor);
        }
        let begin = self.operands(ix, wants)?;
        let named = internal_name(method.owner);
        let known = self.scope.dex.method_owner(ins.index)?;
        let known = self.scope.class.is_interface(known);
        let mut interface = known.unwrap_or(call == Call::Interface);
        let mut owner = named;
        let opcode = match call {
            Call::Static => op::INVOKESTATIC,
            Call::Direct => op::INVOKESPECIAL,
            Call::Super => {
                if let Some(parent) =
                    self.parent_for_super(named, interface, method.name, &descriptor)
                {
                    owner = parent;
                    interface = false;
                } else if interface && named != internal_name(self.scope.owner) {
                    self.super_interface(named);
                }
                op::INVOKESPECIAL
            }
            Call::Virtual | Call::Interface if interface => op::INVOKEINTERFACE,
            Call::Virtual | Call::Interface => op::INVOKEVIRTUAL,
        };
        let entry = self.pool.method(owner, method.name, &descriptor, interface);
        self.put(Insn::Invoke(opcode, entry));
        self.result(ix, proto.result, begin)
    }

    fn result(&mut self, ix: u32, result: &[u8], begin: (usize, u32)) -> Result<(), Reason> {
        let kind = Kind::of(result);
        match (self.scope.body.ins[ix as usize].dst, result) {
            (NONE, b"V") => Ok(()),
            (NONE, _) => {
                self.drop_top(kind);
                Ok(())
            }
            (_, b"V") => Err(Reason::BadResult),
            _ => self.define(ix, kind, begin),
        }
    }

    /// The superclass, where a call of a superclass's method must name it: Android looks the method up there whatever
    /// class is named, the JVM does not if that is the class itself, or an interface whose method has no body.
    fn parent_for_super(
        &self,
        named: &[u8],
        interface: bool,
        name: &[u8],
        descriptor: &[u8],
    ) -> Option<&'a [u8]> {
        let own = internal_name(self.scope.owner);
        let parent = self.scope.parent?;
        if !interface {
            return (named == own).then_some(parent);
        }
        if !is_abstract(self.scope.hierarchy, named, name, descriptor) {
            return None;
        }
        let declaring = self.scope.hierarchy.declaring(parent, name, descriptor)?;
        let flags = self
            .scope
            .hierarchy
            .method(declaring.name, name, descriptor)?;
        (flags & access::ABSTRACT == 0).then_some(parent)
    }

    /// The JVM wants `I.super.m()` to name a direct superinterface.
    fn super_interface(&mut self, named: &[u8]) {
        let own = internal_name(self.scope.owner);
        let known = self.scope.hierarchy.class(own);
        let direct = known.is_some_and(|info| info.interfaces.contains(&named));
        if !direct && self.scope.hierarchy.is_subclass(own, named) {
            let class = self.pool.class(named);
            if !self.added.interfaces.contains(&class) {
                self.added.interfaces.push(class);
            }
        }
    }

    /// The call of a constructor.
    fn construct(
        &mut self,
        ix: u32,
        wants: &[Want<'a>],
        named: &'a [u8],
        mut descriptor: Vec<u8>,
    ) -> Result<(), Reason> {
        let init = self.scope.uninit.calls.get(&ix).ok_or(Reason::BadType)?;
        let made = match init.site {
            THIS => None,
            site => {
                let index = self.scope.body.ins[site as usize].index;
                Some(internal_name(self.scope.dex.type_name(index)?))
            }
        };
        let target = constructors::target(
            self.scope.hierarchy,
            internal_name(self.scope.owner),
            made,
            internal_name(named),
            &descriptor,
        );
        self.operands(ix, wants)?;
        if let Some(root) = &target.bridge {
            self.put(Insn::Op(op::ACONST_NULL));
            descriptor = constructors::bridged(&descriptor, root);
        }
        let entry = self
            .pool
            .method(&target.owner, b"<init>", &descriptor, false);
        self.put(Insn::Invoke(op::INVOKESPECIAL, entry));
        self.stores += 1;
        let on_stack = init.site != THIS && self.plan.constructor_of(init.site) == Some(ix);
        if !on_stack {
            return Ok(());
        }
        let register = init.registers[0];
        let built = self.values.defined(ix, register).ok_or(Reason::BadType)?;
        if self.pending.last().map(|p| p.value) != Some(built) {
            return Ok(());
        }
        if !self.plan.on_stack[built as usize] {
            self.pending.pop();
            self.store(built, Kind::Ref);
        }
        Ok(())
    }

    pub(super) fn call_polymorphic(&mut self, ix: u32, wants: &[Want<'a>]) -> Result<(), Reason> {
        let ins = &self.scope.body.ins[ix as usize];
        let method = self.scope.dex.method(ins.index)?;
        let proto = u32::try_from(ins.literal).map_err(|_| Reason::BadType)?;
        let proto = self.scope.dex.proto(proto)?;
        let mut descriptor = Vec::new();
        proto.descriptor(&mut descriptor)?;
        let begin = self.operands(ix, wants)?;
        let entry = self
            .pool
            .method(internal_name(method.owner), method.name, &descriptor, false);
        self.put(Insn::Invoke(op::INVOKEVIRTUAL, entry));
        self.result(ix, proto.result, begin)
    }

    pub(super) fn call_custom(&mut self, ix: u32, wants: &[Want<'a>]) -> Result<(), Reason> {
        let site = self.scope.body.ins[ix as usize].index;
        let values = self.scope.dex.call_site(site)?;
        let [
            Value::MethodHandle(handle),
            Value::String(name),
            Value::MethodType(proto),
            rest @ ..,
        ] = &values[..]
        else {
            return Err(Reason::BadCallSite);
        };
        let proto = self.scope.dex.proto(*proto)?;
        let mut descriptor = Vec::new();
        proto.descriptor(&mut descriptor)?;
        let method = self.handle(*handle)?;
        let mut arguments = Vec::new();
        for value in rest {
            arguments.push(self.argument(value)?);
        }
        let wanted = Bootstrap { method, arguments };
        let all = &mut self.added.bootstraps;
        let number = all.iter().position(|b| *b == wanted).unwrap_or_else(|| {
            all.push(wanted);
            all.len() - 1
        });
        let name = self.scope.dex.string(*name)?;
        let begin = self.operands(ix, wants)?;
        let pair = self.pool.pair(name, &descriptor);
        let number = u16::try_from(number).map_err(|_| Reason::TooLarge)?;
        let entry = self.pool.entry(Entry::Dynamic(number, pair));
        self.put(Insn::Dynamic(entry));
        self.result(ix, proto.result, begin)
    }

    /// A static argument of a bootstrap method.
    fn argument(&mut self, value: &Value<'a>) -> Result<Idx, Reason> {
        let int = |pool: &mut Pool, value: i32| pool.entry(Entry::Int(value));
        Ok(match *value {
            Value::Byte(value) => int(self.pool, value.into()),
            Value::Short(value) => int(self.pool, value.into()),
            Value::Char(value) => int(self.pool, value.into()),
            Value::Boolean(value) => int(self.pool, value.into()),
            Value::Int(value) => int(self.pool, value),
            Value::Long(value) => self.pool.entry(Entry::Long(value)),
            Value::Float(value) => self.pool.entry(Entry::Float(value.to_bits())),
            Value::Double(value) => self.pool.entry(Entry::Double(value.to_bits())),
            Value::String(ix) => self.pool.string(self.scope.dex.string(ix)?),
            Value::Type(ix) => self
                .pool
                .class(internal_name(self.scope.dex.type_name(ix)?)),
            Value::MethodType(ix) => self.method_type(ix)?,
            Value::MethodHandle(ix) => self.handle(ix)?,
            _ => return Err(Reason::BadCallSite),
        })
    }

    pub(super) fn method_type(&mut self, proto: u32) -> Result<Idx, Reason> {
        let mut descriptor = Vec::new();
        self.scope.dex.proto(proto)?.descriptor(&mut descriptor)?;
        let text = self.pool.utf8(&descriptor);
        Ok(self.pool.entry(Entry::MethodType(text)))
    }

    pub(super) fn handle(&mut self, ix: u32) -> Result<Idx, Reason> {
        handle(self.scope.dex, self.scope.hierarchy, self.pool, ix)
    }

    /// Throws what Android throws at an instruction whose class does not exist.
    pub(super) fn missing(&mut self, ix: u32) -> Result<(), Reason> {
        let index = self.scope.body.ins[ix as usize].index;
        let name = self.scope.dex.type_name(index)?;
        let text = self.pool.string(internal_name(name));
        self.thrower(text);
        Ok(())
    }

    fn thrower(&mut self, text: Idx) {
        const ERROR: &[u8] = b"java/lang/NoClassDefFoundError";
        if let Some((owner, name)) = &self.scope.options.missing_class {
            self.put(Insn::Const(text));
            let entry = self.pool.method(
                owner.as_bytes(),
                name.as_bytes(),
                b"(Ljava/lang/String;)Ljava/lang/NoClassDefFoundError;",
                false,
            );
            self.put(Insn::Invoke(op::INVOKESTATIC, entry));
        } else {
            let class = self.pool.class(ERROR);
            self.put(Insn::Type(op::NEW, class));
            self.put(Insn::Op(op::DUP));
            self.put(Insn::Const(text));
            let entry = self
                .pool
                .method(ERROR, b"<init>", b"(Ljava/lang/String;)V", false);
            self.put(Insn::Invoke(op::INVOKESPECIAL, entry));
        }
        self.put(Insn::Op(op::ATHROW));
    }
}

/// The constant of a method handle.
fn handle(
    dex: &Dex<'_>,
    hierarchy: &dyn Hierarchy,
    pool: &mut Pool,
    ix: u32,
) -> Result<Idx, Reason> {
    let item = dex.method_handle(ix)?;
    if item.kind < 4 {
        let field = dex.field(item.member)?;
        let entry = pool.field(internal_name(field.owner), field.name, field.kind);
        // Put static, get static, put, get.
        let kind = [4, 2, 3, 1][usize::from(item.kind)];
        return Ok(pool.entry(Entry::MethodHandle(kind, entry)));
    }
    let method = dex.method(item.member)?;
    let owner = internal_name(method.owner);
    let interface = hierarchy.class(owner).map(|info| info.is_interface());
    let kind = match (item.kind, interface) {
        (4, _) => 6,
        (6, _) => 8,
        (7, _) => 7,
        (5, Some(true)) => 9,
        (8, Some(false)) => 5,
        (5, _) => 5,
        (8, _) => 9,
        _ => return Err(Reason::BadCallSite),
    };
    let mut descriptor = Vec::new();
    dex.proto(method.proto)?.descriptor(&mut descriptor)?;
    let interface = interface.unwrap_or(kind == 9);
    let entry = pool.method(owner, method.name, &descriptor, interface);
    Ok(pool.entry(Entry::MethodHandle(kind, entry)))
}

/// Whether no interface from this one upwards has a body for a method.
fn is_abstract(hierarchy: &dyn Hierarchy, owner: &[u8], name: &[u8], descriptor: &[u8]) -> bool {
    if let Some(flags) = hierarchy.method(owner, name, descriptor) {
        return flags & access::ABSTRACT != 0;
    }
    let bodies = |each: &&[u8]| {
        hierarchy
            .method(each, name, descriptor)
            .is_some_and(|flags| flags & access::ABSTRACT == 0)
    };
    !hierarchy.all_interfaces(owner).iter().any(bodies)
}
