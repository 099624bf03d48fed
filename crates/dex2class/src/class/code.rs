//! The body of a method: instructions with labels in place of offsets.

use super::pool::Idx;

/// A place in the code. Its instruction [`Insn::Label`] occurs at most once in a body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Label(pub u32);

/// An instruction, or a mark between instructions. Opcodes are the JVM's (specification, chapter 6.5).
#[derive(Clone, PartialEq, Debug)]
pub enum Insn {
    /// One without operands (`iadd`, `areturn`, `aaload`, `arraylength`, ...; not the short forms of loads, stores and
    /// constants but `aconst_null`, and the constants of `long`, `float` and `double`).
    Op(u8),
    /// Pushes an int; the shortest form is chosen when the code is written.
    Push(i32),
    /// Pushes a constant of the pool: `ldc`, `ldc_w` or `ldc2_w`, by its kind and number.
    Const(Idx),
    /// Loads or stores a local variable: opcodes 21 to 25 (`iload` to `aload`) and 54 to 58 (`istore` to `astore`).
    Var(u8, u16),
    /// Adds to an int variable.
    Iinc(u16, i16),
    /// `new`, `anewarray`, `checkcast`, `instanceof`, with a `Class` entry.
    Type(u8, Idx),
    /// `newarray` with the code of a primitive type (4 to 11).
    NewArray(u8),
    /// `multianewarray`, with a `Class` entry and the number of dimensions that it makes.
    MultiArray(Idx, u8),
    /// `getstatic`, `putstatic`, `getfield`, `putfield`, with a `Field` entry.
    Field(u8, Idx),
    /// `invokevirtual`, `invokespecial`, `invokestatic`, `invokeinterface`, with a `Method` entry.
    Invoke(u8, Idx),
    /// `invokedynamic`, with a `Dynamic` entry.
    Dynamic(Idx),
    /// A jump, conditional or not (`goto`). One that is too far is written in a longer form.
    Jump(u8, Label),
    /// `tableswitch`: the lowest key, the default, the labels of the keys.
    Table(Box<(i32, Label, Vec<Label>)>),
    /// `lookupswitch`: the default, and keys in ascending order.
    Lookup(Box<(Label, Vec<(i32, Label)>)>),
    /// Marks a place.
    Label(Label),
    /// The source line of the instructions that follow.
    Line(u16),
    /// The address of the dex instruction from which the next ones come, where the dex file has no lines: Android shows it
    /// in place of a line. Class files have no room for it.
    DexPc(u16),
}

/// A handler and the range that it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Try {
    /// Where the range begins.
    pub start: Label,
    /// Where it ends, not included.
    pub end: Label,
    /// Where control goes; the stack there holds the exception.
    pub handler: Label,
    /// The exception's class; 0 for all.
    pub catch: Idx,
}

/// A local variable of the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LocalVariable {
    /// Where it begins to hold its value.
    pub start: Label,
    /// Where it ends, not included.
    pub end: Label,
    /// Name (`Utf8`).
    pub name: Idx,
    /// Descriptor (`Utf8`).
    pub descriptor: Idx,
    /// Generic signature (`Utf8`); 0 for none.
    pub signature: Idx,
    /// Slot.
    pub slot: u16,
}

/// A type of the verifier (JVM specification, 4.10.1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VType {
    /// Unusable.
    Top,
    /// `int` and shorter.
    Int,
    /// `float`.
    Float,
    /// `long`; one entry for both slots, as in the class file.
    Long,
    /// `double`; one entry for both slots.
    Double,
    /// `null`.
    Null,
    /// `this` before the constructor of the superclass was called.
    UninitializedThis,
    /// An object of this `Class` entry.
    Object(Idx),
    /// An object before its constructor was called; the label stands right before its `new`.
    Uninitialized(Label),
}

/// What local variables and the stack hold at a label. A `Long` or `Double` stands for two slots.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Frame {
    /// Local variables from slot 0; those after the last one are unusable.
    pub locals: Vec<VType>,
    /// The stack, its bottom first.
    pub stack: Vec<VType>,
}

/// The body of a method.
#[derive(Clone, Default, Debug)]
pub struct Code {
    /// Instructions and marks, in order.
    pub insns: Vec<Insn>,
    /// Labels in use are below this number.
    pub labels: u32,
    /// Handlers; of several for one place the first that fits is taken.
    pub tries: Vec<Try>,
    /// Frames, each at a label that occurs in the code; sorted by label number where it matters to nobody. Every target of
    /// a jump, a switch and a handler has one, and every place after an instruction that does not continue.
    pub frames: Vec<(Label, Frame)>,
    /// Local variables of the source.
    pub locals: Vec<LocalVariable>,
    /// Slots of local variables, parameters included.
    pub max_locals: u16,
}

impl Insn {
    /// Whether this only marks a place, and is no instruction.
    pub fn is_mark(&self) -> bool {
        matches!(self, Self::Label(_) | Self::Line(_) | Self::DexPc(_))
    }

    /// Calls `visit` with the labels of a jump or a switch, the default first. A switch may name one several times.
    pub fn each_target(&self, mut visit: impl FnMut(Label)) {
        match self {
            Self::Jump(_, label) => visit(*label),
            Self::Table(switch) => {
                visit(switch.1);
                switch.2.iter().copied().for_each(visit);
            }
            Self::Lookup(switch) => {
                visit(switch.0);
                switch.1.iter().map(|case| case.1).for_each(visit);
            }
            _ => {}
        }
    }

    /// Bytes that this takes in a class file, at most; a jump that needs a detour takes more.
    pub fn most_bytes(&self) -> usize {
        match self {
            Self::Label(_) | Self::Line(_) | Self::DexPc(_) => 0,
            Self::Op(_) => 1,
            Self::Var(_, slot) if *slot < 4 => 1,
            Self::Var(_, slot) if *slot < 0x100 => 2,
            Self::Push(-1..=5) => 1,
            Self::Push(-128..=127) | Self::NewArray(_) => 2,
            Self::Push(_) | Self::Const(_) | Self::Type(..) | Self::Field(..) => 3,
            Self::Var(..) | Self::MultiArray(..) => 4,
            Self::Invoke(..) | Self::Dynamic(_) | Self::Jump(..) => 5,
            Self::Iinc(..) => 6,
            Self::Table(switch) => 16 + 4 * switch.2.len(),
            Self::Lookup(switch) => 12 + 8 * switch.1.len(),
        }
    }
}

impl VType {
    /// Slots that a local variable of this type takes.
    pub fn slots(self) -> u16 {
        match self {
            Self::Long | Self::Double => 2,
            _ => 1,
        }
    }
}

impl Code {
    /// Bytes of all instructions, at most; see [`Insn::most_bytes`].
    pub fn most_bytes(&self) -> usize {
        self.insns.iter().map(Insn::most_bytes).sum()
    }

    /// A label that is not in use.
    pub fn label(&mut self) -> Label {
        self.labels += 1;
        Label(self.labels - 1)
    }
}

/// Opcodes by name.
#[allow(missing_docs)]
pub mod op {
    pub const NOP: u8 = 0;
    pub const ACONST_NULL: u8 = 1;
    pub const LCONST_0: u8 = 9;
    pub const LCONST_1: u8 = 10;
    pub const FCONST_0: u8 = 11;
    pub const FCONST_1: u8 = 12;
    pub const FCONST_2: u8 = 13;
    pub const DCONST_0: u8 = 14;
    pub const DCONST_1: u8 = 15;
    pub const ILOAD: u8 = 21;
    pub const LLOAD: u8 = 22;
    pub const FLOAD: u8 = 23;
    pub const DLOAD: u8 = 24;
    pub const ALOAD: u8 = 25;
    pub const IALOAD: u8 = 46;
    pub const LALOAD: u8 = 47;
    pub const FALOAD: u8 = 48;
    pub const DALOAD: u8 = 49;
    pub const AALOAD: u8 = 50;
    pub const BALOAD: u8 = 51;
    pub const CALOAD: u8 = 52;
    pub const SALOAD: u8 = 53;
    pub const ISTORE: u8 = 54;
    pub const LSTORE: u8 = 55;
    pub const FSTORE: u8 = 56;
    pub const DSTORE: u8 = 57;
    pub const ASTORE: u8 = 58;
    pub const IASTORE: u8 = 79;
    pub const LASTORE: u8 = 80;
    pub const FASTORE: u8 = 81;
    pub const DASTORE: u8 = 82;
    pub const AASTORE: u8 = 83;
    pub const BASTORE: u8 = 84;
    pub const CASTORE: u8 = 85;
    pub const SASTORE: u8 = 86;
    pub const POP: u8 = 87;
    pub const POP2: u8 = 88;
    pub const DUP: u8 = 89;
    pub const DUP_X1: u8 = 90;
    pub const DUP_X2: u8 = 91;
    pub const DUP2: u8 = 92;
    pub const DUP2_X1: u8 = 93;
    pub const DUP2_X2: u8 = 94;
    pub const SWAP: u8 = 95;
    pub const IADD: u8 = 96;
    pub const LADD: u8 = 97;
    pub const FADD: u8 = 98;
    pub const DADD: u8 = 99;
    pub const ISUB: u8 = 100;
    pub const LSUB: u8 = 101;
    pub const FSUB: u8 = 102;
    pub const DSUB: u8 = 103;
    pub const IMUL: u8 = 104;
    pub const LMUL: u8 = 105;
    pub const FMUL: u8 = 106;
    pub const DMUL: u8 = 107;
    pub const IDIV: u8 = 108;
    pub const LDIV: u8 = 109;
    pub const FDIV: u8 = 110;
    pub const DDIV: u8 = 111;
    pub const IREM: u8 = 112;
    pub const LREM: u8 = 113;
    pub const FREM: u8 = 114;
    pub const DREM: u8 = 115;
    pub const INEG: u8 = 116;
    pub const LNEG: u8 = 117;
    pub const FNEG: u8 = 118;
    pub const DNEG: u8 = 119;
    pub const ISHL: u8 = 120;
    pub const LSHL: u8 = 121;
    pub const ISHR: u8 = 122;
    pub const LSHR: u8 = 123;
    pub const IUSHR: u8 = 124;
    pub const LUSHR: u8 = 125;
    pub const IAND: u8 = 126;
    pub const LAND: u8 = 127;
    pub const IOR: u8 = 128;
    pub const LOR: u8 = 129;
    pub const IXOR: u8 = 130;
    pub const LXOR: u8 = 131;
    pub const I2L: u8 = 133;
    pub const I2F: u8 = 134;
    pub const I2D: u8 = 135;
    pub const L2I: u8 = 136;
    pub const L2F: u8 = 137;
    pub const L2D: u8 = 138;
    pub const F2I: u8 = 139;
    pub const F2L: u8 = 140;
    pub const F2D: u8 = 141;
    pub const D2I: u8 = 142;
    pub const D2L: u8 = 143;
    pub const D2F: u8 = 144;
    pub const I2B: u8 = 145;
    pub const I2C: u8 = 146;
    pub const I2S: u8 = 147;
    pub const LCMP: u8 = 148;
    pub const FCMPL: u8 = 149;
    pub const FCMPG: u8 = 150;
    pub const DCMPL: u8 = 151;
    pub const DCMPG: u8 = 152;
    pub const IFEQ: u8 = 153;
    pub const IFNE: u8 = 154;
    pub const IFLT: u8 = 155;
    pub const IFGE: u8 = 156;
    pub const IFGT: u8 = 157;
    pub const IFLE: u8 = 158;
    pub const IF_ICMPEQ: u8 = 159;
    pub const IF_ICMPNE: u8 = 160;
    pub const IF_ICMPLT: u8 = 161;
    pub const IF_ICMPGE: u8 = 162;
    pub const IF_ICMPGT: u8 = 163;
    pub const IF_ICMPLE: u8 = 164;
    pub const IF_ACMPEQ: u8 = 165;
    pub const IF_ACMPNE: u8 = 166;
    pub const GOTO: u8 = 167;
    pub const IRETURN: u8 = 172;
    pub const LRETURN: u8 = 173;
    pub const FRETURN: u8 = 174;
    pub const DRETURN: u8 = 175;
    pub const ARETURN: u8 = 176;
    pub const RETURN: u8 = 177;
    pub const GETSTATIC: u8 = 178;
    pub const PUTSTATIC: u8 = 179;
    pub const GETFIELD: u8 = 180;
    pub const PUTFIELD: u8 = 181;
    pub const INVOKEVIRTUAL: u8 = 182;
    pub const INVOKESPECIAL: u8 = 183;
    pub const INVOKESTATIC: u8 = 184;
    pub const INVOKEINTERFACE: u8 = 185;
    pub const NEW: u8 = 187;
    pub const ANEWARRAY: u8 = 189;
    pub const ARRAYLENGTH: u8 = 190;
    pub const ATHROW: u8 = 191;
    pub const CHECKCAST: u8 = 192;
    pub const INSTANCEOF: u8 = 193;
    pub const MONITORENTER: u8 = 194;
    pub const MONITOREXIT: u8 = 195;
    pub const IFNULL: u8 = 198;
    pub const IFNONNULL: u8 = 199;
}
