//! Methods that are larger than a class file allows, cut into parts.
//!
//! A part is a static method of its own. It takes arrays for what local variables hold (one for each kind), and the number
//! of the place where it begins; it returns the number of the place where the method goes on, or that of its end. What
//! remains of the method, the rest, calls one part after the other. A value is put into an array only where control leaves
//! a part, and taken out where control enters one. What only the method's own frame can do is in the rest: to hold a
//! monitor while parts run, and a constructor's object before the call of the superclass's constructor.
//!
//! `cuts` finds the places: labels whose frames can be kept in arrays. To have enough of them the method is translated with
//! short blocks, and objects are made right before their constructor's call. `parts` decides what goes where.

mod cuts;
mod hand_over;
mod monitors;
mod part;
mod parts;
mod rest;

use crate::class::{Class, Code, Frame, Insn, Label, Method, access};
use crate::class::{add_parameter_classes, initial_locals};
use crate::dex::internal_name;
use crate::hierarchy::Hierarchy;
use cuts::Places;
use parts::Parts;
use rustc_hash::FxHashMap;

/// Bytes of a part, at most; probes and redirected calls come later.
const LARGEST_PART: usize = 48_000;
/// Ranges of instructions times handlers and variables, and types in frames where control goes from part to part, at most:
/// a hostile method could have far more than its file has bytes.
const MOST_TABLED: usize = 1 << 24;
const MOST_KEPT: usize = 1 << 22;
/// The beginning of a part's name; a number, `$$` and the name of the method follow, in
/// which `-init` stands for `<init>`. Stack traces show the method's.
pub const PART_NAME: &str = "$$part$$";
/// The descriptor of a part: arrays of `int`, `long`, `float`, `double` and of references, and the place to begin.
const DESCRIPTOR: &[u8] = b"([I[J[F[D[Ljava/lang/Object;I)I";
/// Slots of a part's parameters.
const SHIFT: u16 = 6;
/// Where the arrays have the method's result, and an exception on its way to its handler; local variables follow.
const RESULT: u16 = 0;
const EXCEPTION: u16 = 1;
const FIRST: u16 = 2;

/// How a reference from an array becomes one of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cast {
    /// It needs no cast: the JVM's verifier takes any reference for an interface.
    Free,
    Needed,
    /// The class cannot be named here.
    Impossible,
}

/// From where types are named: the class, and all classes.
#[derive(Clone, Copy)]
struct Access<'h> {
    own: &'h [u8],
    hierarchy: &'h dyn Hierarchy,
}

fn type_cast(name: &[u8], access: Access<'_>) -> Cast {
    let element = name.iter().position(|byte| *byte != b'[').unwrap_or(0);
    let class = match (element, &name[element..]) {
        (0, class) => class,
        (_, [b'L', class @ .., b';']) => class,
        _ => return Cast::Needed,
    };
    if name == b"java/lang/Object" {
        return Cast::Free;
    }
    let package = |name: &[u8]| name.iter().rposition(|byte| *byte == b'/');
    let Some(info) = access.hierarchy.class(class) else {
        return Cast::Impossible;
    };
    let same = package(class) == package(access.own)
        && class[..package(class).unwrap_or(0)] == access.own[..package(access.own).unwrap_or(0)];
    match (
        info.access & access::PUBLIC != 0 || same,
        info.is_interface(),
    ) {
        (false, _) => Cast::Impossible,
        (true, true) if element == 0 => Cast::Free,
        _ => Cast::Needed,
    }
}

/// Where control enters a part from outside.
struct Entry {
    label: Label,
    /// The part, by its number.
    part: usize,
}

/// The method that is cut, and what its parts share.
struct Whole<'w> {
    places: Places<'w>,
    parts: Parts,
    /// By part: the numbers of its frames.
    frames: Vec<Vec<usize>>,
    /// By number. Those of a part follow each other.
    entries: Vec<Entry>,
    numbers: FxHashMap<Label, usize>,
    access: Access<'w>,
    /// Slots of the method's parameters.
    parameters: u16,
    /// The first slot that the method does not use.
    free: u16,
    /// Which kinds of local variables are handed over, as bits.
    kinds: u8,
    /// The descriptor's result.
    result: Vec<u8>,
}

/// Cuts a method into parts of `size` bytes, about. It must have been translated with short blocks. False if that cannot
/// be; the class is then as before, but for its pool.
pub fn split(class: &mut Class, method: usize, size: usize, hierarchy: &dyn Hierarchy) -> bool {
    let Some(code) = class.methods[method].code.take() else {
        return false;
    };
    // Where control often goes from part to part smaller parts have less code for that each, and where there are thousands
    // of monitors the rest has room only for those that it must have.
    let sizes = [size, size / 2, size / 4];
    let careful = [size, LARGEST_PART].into_iter().flat_map(|opens| {
        let opens = Some(opens);
        sizes.map(|size| Sizes { size, opens })
    });
    let opens = None;
    let mut all = careful.chain([Sizes { size, opens }]);
    let done = all.find_map(|sizes| cut(class, method, &code, &sizes, hierarchy));
    if done.is_none() {
        class.methods[method].code = Some(code);
    }
    done.is_some()
}

/// How a method is cut, in bytes.
struct Sizes {
    /// Of a part, about, before code is added to it.
    size: usize,
    /// What must stay in one part or in the rest is opened beyond this; see [`Places::parts`]. Without it nothing is, and
    /// what becomes too large is left to a class file that may have room for it.
    opens: Option<usize>,
}

fn cut(
    class: &mut Class,
    method: usize,
    code: &Code,
    sizes: &Sizes,
    hierarchy: &dyn Hierarchy,
) -> Option<()> {
    let own = class.name().to_vec();
    let access = Access {
        own: &own,
        hierarchy,
    };
    let name = class.pool.text(class.methods[method].name).to_vec();
    let descriptor = class.pool.text(class.methods[method].descriptor).to_vec();
    let mut code = code.clone();
    let frame = first_frame(class, method);
    let parameters: u16 = frame.locals.iter().map(|kind| kind.slots()).sum();
    let free = code.max_locals.max(parameters);
    let start = start(&mut code, frame);
    let mut places = Places::new(&code, &class.pool, access)?;
    // The parameters are handed over, too.
    places.fits(start).then_some(())?;
    let parts = places.parts(sizes)?;
    let count = parts.all.len();
    let ranges: usize = parts.all.iter().map(|part| part.ranges.len()).sum();
    (ranges * (code.tries.len() + code.locals.len()) <= MOST_TABLED).then_some(())?;
    // Parameters and arrays come before, a value on its way after it.
    let slots = free.checked_add(parameters)?.checked_add(3 * SHIFT);
    slots.filter(|last| *last < 0x8000)?;
    let result = descriptor.rsplit(|byte| *byte == b')').next()?.to_vec();
    if let [b'L' | b'[', ..] = result[..] {
        let name = internal_name(&result);
        (type_cast(name, access) != Cast::Impossible).then_some(())?;
    }
    let mut whole = Whole {
        places,
        parts,
        frames: Vec::new(),
        entries: Vec::new(),
        numbers: FxHashMap::default(),
        access,
        parameters,
        free,
        kinds: 0,
        result,
    };
    whole.find_entries(start)?;
    // Each of its places in the rest has the parameters, which hold nothing then.
    let places = whole.entries.len() + count + code.frames.len();
    let is_small = places * usize::from(parameters + SHIFT) <= MOST_KEPT;
    (is_small || !whole.parts.has_kept()).then_some(())?;
    let mut names = Vec::new();
    for number in 0..count - 1 {
        let mut part_name = format!("{PART_NAME}{method}_{number}$$").into_bytes();
        // No other method may have a name with these two.
        part_name.extend(
            name.iter()
                .filter(|byte| **byte != b'>')
                .map(|byte| if *byte == b'<' { b'-' } else { *byte }),
        );
        names.push(part_name);
    }
    let mut made = Vec::new();
    for (number, name) in (1..count).zip(&names) {
        made.push(Method {
            access: access::STATIC | access::PRIVATE,
            name: class.pool.utf8(name),
            descriptor: class.pool.utf8(DESCRIPTOR),
            code: Some(whole.part(number, &mut class.pool)),
            attributes: Vec::new(),
        });
    }
    let rest = whole.rest(class, &names, start);
    let fits = |code: &Code| code.most_bytes() <= LARGEST_PART;
    let all_fit = fits(&rest) && made.iter().all(|part| part.code.as_ref().is_none_or(fits));
    (all_fit || sizes.opens.is_none()).then_some(())?;
    class.methods[method].code = Some(rest);
    class.methods.extend(made);
    Some(())
}

/// The label at the beginning of the code, where control enters the first part. One that jumps lead to has a frame
/// already, in which parameters are missing that nothing needs.
fn start(code: &mut Code, frame: Frame) -> Label {
    for insn in &code.insns {
        match insn {
            Insn::Label(label) if code.frames.iter().any(|known| known.0 == *label) => {
                return *label;
            }
            insn if insn.is_mark() => {}
            _ => break,
        }
    }
    let start = code.label();
    code.insns.insert(0, Insn::Label(start));
    code.frames.push((start, frame));
    start
}

/// What local variables hold where a method begins.
fn first_frame(class: &mut Class, method: usize) -> Frame {
    let own = (class.this, class.parent == 0);
    let method = &class.methods[method];
    let mut locals = Vec::new();
    add_parameter_classes(method, &mut class.pool, &mut Vec::new());
    initial_locals(own, method, &class.pool, &mut locals);
    Frame {
        locals,
        stack: Vec::new(),
    }
}
