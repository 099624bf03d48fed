//! Printing and parsing agree; compiled code agrees with a plain reading of the language; garbage is refused.

use super::*;
use proptest::prelude::*;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Globals that generated expressions use, with their values.
pub fn globals() -> Vec<(&'static str, Literal)> {
    vec![
        ("n", Literal::Int(3)),
        ("neg", Literal::Int(-7)),
        ("zero", Literal::Int(0)),
        ("f", Literal::Float(2.5)),
        ("t", Literal::Bool(true)),
        ("no", Literal::Bool(false)),
        ("s", Literal::Text("abc".into())),
        ("empty", Literal::Text(String::new())),
        ("nothing", Literal::None),
    ]
}

fn leaf() -> impl Strategy<Value = Kind> {
    prop_oneof![
        3 => (0..9_usize).prop_map(|i| Kind::Name(globals()[i].0.to_owned())),
        2 => prop_oneof![0..10_i64, Just(i64::MAX), 0..i64::MAX].prop_map(Literal::Int).prop_map(Kind::Literal),
        1 => prop_oneof![Just(0.0), Just(0.5), 0.0..1e6_f64, Just(1e300), Just(9.3e18)]
            .prop_map(Literal::Float).prop_map(Kind::Literal),
        1 => any::<bool>().prop_map(Literal::Bool).prop_map(Kind::Literal),
        1 => "[a-c\"'\\\\\n\tä\u{1f600}\u{7}]{0,4}".prop_map(Literal::Text).prop_map(Kind::Literal),
        1 => Just(Kind::Literal(Literal::None)),
    ]
}

/// Any expression the grammar has.
pub fn expr() -> impl Strategy<Value = Expr> {
    let node = |kind| Expr { at: 0, kind };
    leaf().prop_map(node).prop_recursive(5, 24, 2, move |inner| {
        let unary = prop_oneof![Just(Unary::Not), Just(Unary::Minus), Just(Unary::Plus)];
        prop_oneof![
            1 => (unary, inner.clone()).prop_map(move |(op, e)| node(Kind::Unary(op, Box::new(e)))),
            4 => (proptest::sample::select(&Binary::ALL[..]), inner.clone(), inner)
                .prop_map(move |(op, a, b)| node(Kind::Binary(op, Box::new(a), Box::new(b)))),
        ]
    })
}

/// Compiles and evaluates as a model would.
pub fn run(expr: &Expr) -> Result<Literal, String> {
    let mut texts = Texts::default();
    let (mut slots, mut values) = (FxHashMap::default(), Vec::new());
    for (slot, (name, literal)) in (0_u32..).zip(globals()) {
        slots.insert(name.to_owned(), slot);
        values.push(code::value(&literal, &mut texts));
    }
    let scope = Scope {
        globals: &slots,
        input: false,
    };
    let code = compile(expr, scope, &mut texts).map_err(|fault| fault.what)?;
    let value = code.eval(&values, Value::None, &mut texts);
    value.map(|v| v.literal(&texts)).map_err(|e| e.to_string())
}

/// The language read plainly: owned values, wide integers, no folding, no slots.
fn oracle(expr: &Expr) -> Result<Literal, &'static str> {
    use Literal as L;
    let (op, a, b) = match &expr.kind {
        Kind::Literal(literal) => return Ok(literal.clone()),
        Kind::Name(name) => {
            let known = globals().into_iter().find(|(n, _)| n == name);
            return Ok(known.expect("a known name").1);
        }
        Kind::Unary(Unary::Not, e) => return Ok(L::Bool(!truth(&oracle(e)?))),
        Kind::Unary(sign, e) => {
            let minus = *sign == Unary::Minus;
            return match whole(&oracle(e)?) {
                Some(i) => fit(if minus { -i } else { i }),
                None => match oracle(e)? {
                    L::Float(f) => Ok(L::Float(if minus { -f } else { f })),
                    _ => Err("types"),
                },
            };
        }
        Kind::Binary(op, a, b) => (*op, a, b),
    };
    let left = oracle(a)?;
    match op {
        Binary::And if !truth(&left) => return Ok(left),
        Binary::Or if truth(&left) => return Ok(left),
        Binary::And | Binary::Or => return oracle(b),
        _ => {}
    }
    let right = oracle(b)?;
    let order = match (&left, &right) {
        (L::Text(a), L::Text(b)) => Some(a.chars().cmp(b.chars())),
        (L::None, L::None) if matches!(op, Binary::Equal | Binary::NotEqual) => {
            Some(Ordering::Equal)
        }
        _ => compare(&left, &right),
    };
    let comparable = order.is_some();
    let order_of = |test: fn(Ordering) -> bool| match order {
        Some(order) => Ok(L::Bool(test(order))),
        None => Err("types"),
    };
    match op {
        Binary::Equal => Ok(L::Bool(order == Some(Ordering::Equal))),
        Binary::NotEqual => Ok(L::Bool(!comparable || order != Some(Ordering::Equal))),
        Binary::Less => order_of(Ordering::is_lt),
        Binary::LessEqual => order_of(Ordering::is_le),
        Binary::Greater => order_of(Ordering::is_gt),
        Binary::GreaterEqual => order_of(Ordering::is_ge),
        Binary::BitAnd | Binary::BitOr => {
            let (Some(a), Some(b)) = (whole(&left), whole(&right)) else {
                return Err("types");
            };
            let bits = if op == Binary::BitAnd { a & b } else { a | b };
            match (&left, &right) {
                (L::Bool(_), L::Bool(_)) => Ok(L::Bool(bits != 0)),
                _ => fit(bits),
            }
        }
        _ => arithmetic(op, &left, &right),
    }
}

fn truth(value: &Literal) -> bool {
    !matches!(
        value,
        Literal::None | Literal::Bool(false) | Literal::Int(0)
    ) && *value != Literal::Float(0.0)
        && *value != Literal::Text(String::new())
}

fn whole(value: &Literal) -> Option<i128> {
    match value {
        Literal::Bool(b) => Some(i128::from(*b)),
        Literal::Int(i) => Some(i128::from(*i)),
        _ => None,
    }
}

fn fit(value: i128) -> Result<Literal, &'static str> {
    i64::try_from(value).map(Literal::Int).map_err(|_| "big")
}

/// Floats here are neither NaN nor beyond 128 bits unless infinite.
fn compare(a: &Literal, b: &Literal) -> Option<Ordering> {
    match (a, b) {
        (Literal::Float(a), Literal::Float(b)) => a.partial_cmp(b),
        (Literal::Float(f), other) => {
            let int = whole(other)?;
            // A cast to 128 bits saturates, far beyond what an integer reaches.
            let floor = f.floor() as i128;
            Some(floor.cmp(&int).then(f.partial_cmp(&f.floor())?))
        }
        (other, Literal::Float(_)) => {
            whole(other)?;
            compare(b, a).map(Ordering::reverse)
        }
        _ => Some(whole(a)?.cmp(&whole(b)?)),
    }
}

fn arithmetic(op: Binary, a: &Literal, b: &Literal) -> Result<Literal, &'static str> {
    use Literal as L;
    match (op, a, b) {
        (Binary::Add, L::Text(a), L::Text(b)) => return Ok(L::Text(format!("{a}{b}"))),
        (Binary::Multiply, L::Text(text), times) | (Binary::Multiply, times, L::Text(text)) => {
            let times = whole(times).ok_or("types")?.max(0);
            if times * text.len() as i128 > 1 << 16 {
                return Err("long");
            }
            let times = if text.is_empty() { 0 } else { times };
            return Ok(L::Text((0..times).map(|_| text.as_str()).collect()));
        }
        _ => {}
    }
    let float = |v: &Literal| match v {
        L::Float(f) => Some(*f),
        other => whole(other).map(|i| i as f64),
    };
    let (x, y) = (float(a).ok_or("types")?, float(b).ok_or("types")?);
    let divides = matches!(op, Binary::Divide | Binary::FloorDivide | Binary::Modulo);
    if divides && y == 0.0 {
        return Err("zero");
    }
    if let (Some(a), Some(b), false) = (whole(a), whole(b), op == Binary::Divide) {
        return fit(match op {
            Binary::Add => a + b,
            Binary::Subtract => a - b,
            Binary::Multiply => a * b,
            // Euclid's remainder is never negative; Python's has the divisor's sign.
            Binary::FloorDivide => (a - floor_mod(a, b)) / b,
            _ => floor_mod(a, b),
        });
    }
    if let (Some(a), Some(b)) = (whole(a), whole(b))
        && a.abs().max(b.abs()) > 1 << 53
    {
        return Err("big");
    }
    Ok(L::Float(match op {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        // Rounding in the last place and signed zeros are Python's business: see `python.rs`.
        _ => return Err("python"),
    }))
}

fn floor_mod(a: i128, b: i128) -> i128 {
    let rest = a.rem_euclid(b);
    if b < 0 && rest != 0 { rest + b } else { rest }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_is_read_again(expr in expr()) {
        let text = expr.to_string();
        let again = expression(&text).map_err(|f| TestCaseError::fail(format!("{text}: {f:?}")))?;
        prop_assert_eq!(again.as_ref(), Some(&expr), "{}", text);
        let set = assignments(&format!("n = {text}\n\ns={text}\n")).unwrap();
        prop_assert_eq!(set.len(), 2);
        prop_assert_eq!(&set[1].value, &expr);
    }

    #[test]
    fn compiled_code_agrees_with_a_plain_reading(expr in expr()) {
        match (run(&expr), oracle(&expr)) {
            (_, Err("python")) => {}
            (Ok(ours), Ok(theirs)) => {
                let same = ours == theirs || matches!((&ours, &theirs), (Literal::Float(a), Literal::Float(b)) if a.is_nan() && b.is_nan());
                prop_assert!(same, "{}: {} is not {}", expr, ours, theirs);
            }
            (Err(_), Err(_)) => {}
            // A constant part that would fail is refused even where it is never reached.
            (Err(reported), Ok(_)) => prop_assert!(reported.starts_with("this never has a value"), "{}: {}", expr, reported),
            (Ok(ours), Err(why)) => prop_assert!(false, "{}: {} but {}", expr, ours, why),
        }
    }

    #[test]
    fn garbage_never_panics(text in "[a-z0-9_ ()&|<>=!+*/%.,'\"\\\\\n\\-äntruef\u{1f600}]{0,40}") {
        for parsed in [expression(&text).map(|_| ()), assignments(&text).map(|_| ())] {
            if let Err(fault) = parsed {
                prop_assert!(fault.at <= text.len() && text.is_char_boundary(fault.at), "{:?}", fault);
            }
        }
    }

    #[test]
    fn words_in_any_order_never_panic(words in proptest::collection::vec(proptest::sample::select(vec!["a", "not", "and", "or", "(", ")", "==", "-", "1", "1.5", "'x'", "=", "\n", "True", "is", "if"]), 0..30)) {
        let text = words.join(" ");
        if let Ok(Some(expr)) = expression(&text) {
            prop_assert_eq!(expression(&expr.to_string()).unwrap(), Some(expr));
        }
        let _ = assignments(&text);
    }
}

#[test]
fn precedence_is_pythons() {
    for (text, explicit) in [
        ("not a == b and c", "(not (a == b)) and c"),
        ("a or b and not c", "a or (b and (not c))"),
        ("a & b == c", "(a & b) == c"),
        ("a | b & c + d * e", "a | (b & (c + (d * e)))"),
        ("-a * b - c - d", "(((-a) * b) - c) - d"),
        ("a // b % c", "(a // b) % c"),
        ("(a==b)&(c == d)", "(a == b) & (c == d)"),
    ] {
        assert_eq!(expression(text), expression(explicit), "{text}");
    }
    assert_eq!(expression(" \n\t "), Ok(None));
    assert_eq!(assignments(" \n\t ").unwrap(), []);
    let names = |text| {
        let all = assignments(text).unwrap();
        all.into_iter()
            .map(|one| (one.name, one.at))
            .collect::<Vec<_>>()
    };
    let both = [("n".to_owned(), 0), ("s".to_owned(), 7)];
    for text in [
        "n = 1; s = 'a;b'",
        "n = 1 ;s='' ;",
        "n = 1;\ns = ''\n",
        "n = 1\n\ns = 2;\n",
    ] {
        let found = names(text);
        assert_eq!(found.len(), 2, "{text}");
        assert_eq!(found[0], both[0]);
        assert_eq!(found[1].0, both[1].0);
    }
}
