//! One instruction from its bytes.

use super::code::{Insn, Label, op};
use super::read::{Bytes, ReadError};

const FAR: ReadError = ReadError::Malformed("a jump leads out of the code");
const UNKNOWN: ReadError = ReadError::Malformed("an unknown instruction");

/// Reads the instruction at offset `at`. In place of labels it has offsets, which may be no instruction's.
pub(super) fn decode(at: u32, rest: &mut Bytes<'_>) -> Result<Insn, ReadError> {
    let op = rest.u1()?;
    Ok(match op {
        // nop, aconst_null, constants of long, float and double.
        0 | 1 | 9..=15 => Insn::Op(op),
        2..=8 => Insn::Push(i32::from(op) - 3),
        16 => Insn::Push((rest.u1()? as i8).into()),
        17 => Insn::Push((rest.u2()? as i16).into()),
        18 => Insn::Const(rest.u1()?.into()),
        19 | 20 => Insn::Const(rest.u2()?),
        op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE => Insn::Var(op, rest.u1()?.into()),
        // Short forms, four for each of five types.
        26..=45 => Insn::Var(op::ILOAD + (op - 26) / 4, ((op - 26) % 4).into()),
        59..=78 => Insn::Var(op::ISTORE + (op - 59) / 4, ((op - 59) % 4).into()),
        op::IALOAD..=op::SALOAD | op::IASTORE..=131 | op::I2L..=op::DCMPG => Insn::Op(op),
        132 => Insn::Iinc(rest.u1()?.into(), (rest.u1()? as i8).into()),
        op::IFEQ..=op::GOTO | op::IFNULL | op::IFNONNULL => {
            Insn::Jump(op, target(at, (rest.u2()? as i16).into())?)
        }
        168 | 169 | 201 => return Err(ReadError::Unsupported("subroutines (jsr, ret)")),
        170 => decode_table(at, rest)?,
        171 => decode_lookup(at, rest)?,
        op::IRETURN..=op::RETURN => Insn::Op(op),
        op::GETSTATIC..=op::PUTFIELD => Insn::Field(op, rest.u2()?),
        op::INVOKEVIRTUAL..=op::INVOKESTATIC => Insn::Invoke(op, rest.u2()?),
        op::INVOKEINTERFACE => {
            let method = rest.u2()?;
            let (_slots, _zero) = (rest.u1()?, rest.u1()?);
            Insn::Invoke(op, method)
        }
        186 => {
            let site = rest.u2()?;
            let _zeros = rest.u2()?;
            Insn::Dynamic(site)
        }
        op::NEW | op::ANEWARRAY | op::CHECKCAST | op::INSTANCEOF => Insn::Type(op, rest.u2()?),
        188 => Insn::NewArray(rest.u1()?),
        op::ARRAYLENGTH | op::ATHROW | op::MONITORENTER | op::MONITOREXIT => Insn::Op(op),
        196 => decode_wide(rest)?,
        197 => Insn::MultiArray(rest.u2()?, rest.u1()?),
        200 => Insn::Jump(op::GOTO, target(at, rest.u4()? as i32)?),
        _ => return Err(UNKNOWN),
    })
}

fn target(from: u32, distance: i32) -> Result<Label, ReadError> {
    from.checked_add_signed(distance).map(Label).ok_or(FAR)
}

fn decode_wide(rest: &mut Bytes<'_>) -> Result<Insn, ReadError> {
    let op = rest.u1()?;
    match op {
        op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE => Ok(Insn::Var(op, rest.u2()?)),
        132 => Ok(Insn::Iinc(rest.u2()?, rest.u2()? as i16)),
        169 => Err(ReadError::Unsupported("subroutines (jsr, ret)")),
        _ => Err(UNKNOWN),
    }
}

/// Skips to the next multiple of four; returns the default's label.
fn decode_default(at: u32, rest: &mut Bytes<'_>) -> Result<Label, ReadError> {
    rest.take(3 - (at % 4) as usize)?;
    target(at, rest.u4()? as i32)
}

fn decode_table(at: u32, rest: &mut Bytes<'_>) -> Result<Insn, ReadError> {
    let default = decode_default(at, rest)?;
    let (low, high) = (rest.u4()? as i32, rest.u4()? as i32);
    let count = i64::from(high) - i64::from(low) + 1;
    let count = usize::try_from(count).ok().filter(|count| *count > 0);
    let count = count.ok_or(ReadError::Malformed("a switch without keys"))?;
    let (cells, _) = rest.take(count.saturating_mul(4))?.as_chunks();
    let targets = cells
        .iter()
        .map(|cell| target(at, i32::from_be_bytes(*cell)));
    let targets = targets.collect::<Result<Vec<_>, _>>()?;
    Ok(Insn::Table(Box::new((low, default, targets))))
}

fn decode_lookup(at: u32, rest: &mut Bytes<'_>) -> Result<Insn, ReadError> {
    let default = decode_default(at, rest)?;
    let count = usize::try_from(rest.u4()?).map_err(|_| ReadError::Truncated)?;
    let (cells, _) = rest.take(count.saturating_mul(8))?.as_chunks::<8>();
    let mut cases = Vec::with_capacity(cells.len());
    for cell in cells {
        let mut cell = Bytes(cell);
        let key = cell.u4()? as i32;
        cases.push((key, target(at, cell.u4()? as i32)?));
    }
    Ok(Insn::Lookup(Box::new((default, cases))))
}
