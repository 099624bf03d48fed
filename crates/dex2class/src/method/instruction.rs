//! Instructions in one shape: what each defines, what it uses, where control goes.

/// No register.
pub const NONE: u16 = u16::MAX;

/// Whether a register holds 32 bits, 64 bits (with the next register) or a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// `int`, `float` and shorter.
    Single,
    /// `long` or `double`.
    Wide,
    /// A reference.
    Object,
}

/// How a method is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    /// `invoke-virtual`.
    Virtual,
    /// `invoke-super`.
    Super,
    /// `invoke-direct`: private methods and constructors.
    Direct,
    /// `invoke-static`.
    Static,
    /// `invoke-interface`.
    Interface,
}

/// What an instruction does. Numbers are those of the first opcode of a family plus the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Op {
    Nop,
    Move(Width),
    MoveException,
    ReturnVoid,
    Return(Width),
    /// 32 bits: `int`, `float` or null, as used.
    Const32,
    /// 64 bits: `long` or `double`, as used.
    Const64,
    ConstString,
    ConstClass,
    MonitorEnter,
    MonitorExit,
    CheckCast,
    InstanceOf,
    ArrayLength,
    NewInstance,
    NewArray,
    FilledNewArray,
    FillArrayData,
    Throw,
    Goto,
    Switch,
    /// 0x2d to 0x31.
    Compare(u8),
    /// 0 to 5: eq, ne, lt, ge, gt, le.
    If(u8),
    IfZero(u8),
    /// 0 to 6: plain, wide, object, boolean, byte, char, short.
    ArrayGet(u8),
    ArrayPut(u8),
    InstanceGet,
    InstancePut,
    StaticGet,
    StaticPut,
    Invoke(Call),
    InvokePolymorphic,
    InvokeCustom,
    ConstMethodHandle,
    ConstMethodType,
    /// 0x7b to 0x8f.
    Unary(u8),
    /// 0x90 to 0xaf, without the forms that name one register twice.
    Binary(u8),
    /// 0xd0 to 0xd7; the second operand is `literal`.
    Literal(u8),
    /// Stands for an instruction whose class (type index `index`) does not exist: it throws.
    Missing,
    /// Stands for an opcode that does not exist.
    Unknown,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Ins {
    /// Address in units of 16 bits.
    pub at: u32,
    /// Address of what follows it, a `move-result` that belongs to it included.
    pub end: u32,
    pub op: Op,
    /// The register it defines, or [`NONE`].
    pub dst: u16,
    /// Registers that it uses, in the order in which the JVM wants them: a range of [`Body::regs`].
    pub uses: (u32, u16),
    /// Index of a string, type, field, method, prototype or call site, or of a switch.
    pub index: u32,
    /// A constant, the second index, or an address.
    pub literal: i64,
}

impl Op {
    /// Whether it can throw; of others no handler is ever reached.
    pub fn throws(self) -> bool {
        match self {
            Self::ConstString
            | Self::ConstClass
            | Self::MonitorEnter
            | Self::MonitorExit
            | Self::CheckCast
            | Self::InstanceOf
            | Self::ArrayLength
            | Self::NewInstance
            | Self::NewArray
            | Self::FilledNewArray
            | Self::FillArrayData
            | Self::Throw
            | Self::ArrayGet(_)
            | Self::ArrayPut(_)
            | Self::InstanceGet
            | Self::InstancePut
            | Self::StaticGet
            | Self::StaticPut
            | Self::Invoke(_)
            | Self::InvokePolymorphic
            | Self::InvokeCustom
            | Self::ConstMethodHandle
            | Self::ConstMethodType
            | Self::Missing
            | Self::Unknown => true,
            // Division and remainder of int and long.
            Self::Binary(op) => matches!(op, 0x93 | 0x94 | 0x9e | 0x9f),
            Self::Literal(op) => matches!(op, 0xd3 | 0xd4),
            _ => false,
        }
    }

    /// Whether control never reaches the next instruction.
    pub fn ends(self) -> bool {
        matches!(
            self,
            Self::ReturnVoid
                | Self::Return(_)
                | Self::Throw
                | Self::Goto
                | Self::Missing
                | Self::Unknown
        )
    }
}
