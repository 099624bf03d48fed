//! Guards and sets as Java, over the operators of `Python.java`.

use super::names::Names;
use crate::device::sim::expr::{Binary, Code, Texts, Unary, Value};

/// A Java expression of type Object (or a primitive that becomes one) with this code's value. The text typed is `input`.
pub fn java(code: &Code, names: &Names, texts: &Texts) -> String {
    let slot = |slot: u32| format!("State.{}", names.globals[slot as usize]);
    match code {
        Code::Constant(value) => literal(*value, texts),
        Code::Slot(at) => slot(*at),
        Code::Input => "input".to_owned(),
        Code::Unary(op, operand) => {
            let name = match op {
                Unary::Not => "not",
                Unary::Minus => "minus",
                Unary::Plus => "plus",
            };
            format!("Python.{name}({})", java(operand, names, texts))
        }
        Code::Binary(op, sides) => {
            let (left, right) = (java(&sides.0, names, texts), java(&sides.1, names, texts));
            call(*op, &left, &right)
        }
        Code::WithConstant(op, at, right) => call(*op, &slot(*at), &literal(*right, texts)),
        Code::WithSlot(op, left, right) => call(*op, &slot(*left), &slot(*right)),
        Code::Lazy(op, sides) => {
            let (left, right) = (java(&sides.0, names, texts), java(&sides.1, names, texts));
            call(*op, &left, &format!("() -> {right}"))
        }
    }
}

fn call(op: Binary, left: &str, right: &str) -> String {
    let name = match op {
        Binary::Or => "or",
        Binary::And => "and",
        Binary::Equal => "equal",
        Binary::NotEqual => "notEqual",
        Binary::Less => "less",
        Binary::LessEqual => "lessEqual",
        Binary::Greater => "greater",
        Binary::GreaterEqual => "greaterEqual",
        Binary::BitOr => "bitOr",
        Binary::BitAnd => "bitAnd",
        Binary::Add => "add",
        Binary::Subtract => "subtract",
        Binary::Multiply => "multiply",
        Binary::Divide => "divide",
        Binary::FloorDivide => "floorDivide",
        Binary::Modulo => "modulo",
    };
    format!("Python.{name}({left}, {right})")
}

/// A value written in Java.
pub fn literal(value: Value, texts: &Texts) -> String {
    match value {
        Value::None => "null".to_owned(),
        Value::Bool(bool) => bool.to_string(),
        Value::Int(int) => format!("({int}L)"),
        // By its bits: every float there is, exactly.
        Value::Float(float) => format!("Double.longBitsToDouble({:#x}L)", float.to_bits()),
        Value::Text(sym) => text(texts.get(sym)),
    }
}

/// A text written in Java, in ASCII.
pub fn text(text: &str) -> String {
    let mut java = String::with_capacity(text.len() + 2);
    java.push('"');
    for unit in text.encode_utf16() {
        match u8::try_from(unit) {
            Ok(b'"') => java.push_str("\\\""),
            Ok(b'\\') => java.push_str("\\\\"),
            // Octal: javac reads \u before everything else, so that \u000a would end the line.
            Ok(byte) if byte.is_ascii_control() => java.push_str(&format!("\\{byte:03o}")),
            Ok(byte) if byte.is_ascii() => java.push(char::from(byte)),
            _ => java.push_str(&format!("\\u{unit:04x}")),
        }
    }
    java.push('"');
    java
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_written_in_ascii_and_end_no_line() {
        assert_eq!(
            text("a\"\\\nü\u{1f600}\\u0022"),
            r#""a\"\\\012\u00fc\ud83d\ude00\\u0022""#
        );
    }
}
