//! Python's arithmetic on 64-bit integers and floats.

use super::Binary;
use super::value::EvalError;
use std::cmp::Ordering;

/// Integers up to here are exact as floats.
const EXACT: u64 = 1 << 53;

/// An integer or a float; booleans count as 0 and 1.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// 64 bits; what goes beyond is an error, not a wrong figure.
    Int(i64),
    /// As Python's.
    Float(f64),
}

impl Number {
    fn float(self) -> f64 {
        match self {
            #[allow(clippy::cast_precision_loss)] // Python rounds to the nearest too
            Self::Int(int) => int as f64,
            Self::Float(float) => float,
        }
    }
}

/// The order of two numbers, exact between integers and floats; `None` with NaN.
pub fn order(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => Some(a.cmp(&b)),
        (Number::Float(a), Number::Float(b)) => a.partial_cmp(&b),
        (Number::Int(a), Number::Float(b)) => int_with_float(a, b),
        (Number::Float(a), Number::Int(b)) => int_with_float(b, a).map(Ordering::reverse),
    }
}

fn int_with_float(int: i64, float: f64) -> Option<Ordering> {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if float.is_nan() {
        return None;
    }
    if float >= BEYOND {
        return Some(Ordering::Less);
    }
    if float < -BEYOND {
        return Some(Ordering::Greater);
    }
    #[allow(clippy::cast_possible_truncation)] // within bounds by the lines above
    let whole = float.trunc() as i64;
    Some(
        int.cmp(&whole)
            .then(0.0_f64.partial_cmp(&(float - float.trunc()))?),
    )
}

/// `a op b` for the arithmetic operators.
pub fn arithmetic(op: Binary, a: Number, b: Number) -> Result<Number, EvalError> {
    if let (Number::Int(a), Number::Int(b)) = (a, b) {
        return integers(op, a, b);
    }
    let (a, b) = (a.float(), b.float());
    let zero = || {
        if b == 0.0 {
            Err(EvalError::DivisionByZero)
        } else {
            Ok(())
        }
    };
    Ok(Number::Float(match op {
        Binary::Add => a + b,
        Binary::Subtract => a - b,
        Binary::Multiply => a * b,
        Binary::Divide => {
            zero()?;
            a / b
        }
        Binary::FloorDivide => {
            zero()?;
            divmod(a, b).0
        }
        _ => {
            zero()?;
            divmod(a, b).1
        }
    }))
}

/// Floored quotient and remainder with the divisor's sign, step by step as CPython computes them.
fn divmod(a: f64, b: f64) -> (f64, f64) {
    let mut remainder = a % b;
    let mut quotient = (a - remainder) / b;
    if remainder == 0.0 {
        remainder = 0.0_f64.copysign(b);
    } else if (b < 0.0) != (remainder < 0.0) {
        remainder += b;
        quotient -= 1.0;
    }
    let floored = if quotient == 0.0 {
        0.0_f64.copysign(a / b)
    } else {
        let floor = quotient.floor();
        if quotient - floor > 0.5 {
            floor + 1.0
        } else {
            floor
        }
    };
    (floored, remainder)
}

fn integers(op: Binary, a: i64, b: i64) -> Result<Number, EvalError> {
    if b == 0 && matches!(op, Binary::Divide | Binary::FloorDivide | Binary::Modulo) {
        return Err(EvalError::DivisionByZero);
    }
    let result = match op {
        Binary::Add => a.checked_add(b),
        Binary::Subtract => a.checked_sub(b),
        Binary::Multiply => a.checked_mul(b),
        Binary::Divide => {
            if a.unsigned_abs() > EXACT || b.unsigned_abs() > EXACT {
                return Err(EvalError::TooBig);
            }
            return Ok(Number::Float(
                Number::Int(a).float() / Number::Int(b).float(),
            ));
        }
        Binary::FloorDivide => a.checked_div(b).map(|quotient| {
            let rest = a.wrapping_rem(b);
            quotient - i64::from(rest != 0 && (rest < 0) != (b < 0))
        }),
        _ => {
            let rest = a.wrapping_rem(b);
            Some(if rest != 0 && (rest < 0) != (b < 0) {
                rest + b
            } else {
                rest
            })
        }
    };
    result.map(Number::Int).ok_or(EvalError::TooBig)
}
