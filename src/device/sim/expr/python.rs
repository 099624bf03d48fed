//! The same expressions, evaluated by Python itself, where there is one.

use super::tests::{expr, globals, run};
use super::{Expr, Literal};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Write as _;
use std::process::Command;
use std::time::Duration;

/// Reads lines of expressions, answers with a line each: the value, or the exception's name.
const SCRIPT: &str = r#"
import json, sys, warnings
warnings.simplefilter("ignore")
lines = open(sys.argv[1], encoding="utf-8").read().split("\n")
known = eval(lines[0])
for line in lines[1:]:
    try:
        value = eval(json.loads(line), {"__builtins__": None}, dict(known))
        print(type(value).__name__, json.dumps(value))
    except Exception as e:
        print("error", type(e).__name__)
"#;

/// A value as the script would print it, apart from how floats are spelled.
fn spelled(value: &Literal) -> String {
    match value {
        Literal::None => "NoneType null".into(),
        Literal::Bool(b) => format!("bool {b}"),
        Literal::Int(i) => format!("int {i}"),
        Literal::Float(f) => format!("float {:x}", f.to_bits()),
        Literal::Text(text) => format!("str {text:?}"),
    }
}

fn theirs(answer: &str) -> String {
    let (kind, value) = answer.split_once(' ').unwrap_or((answer, ""));
    match kind {
        "float" => {
            let float = match value {
                "NaN" => f64::NAN,
                "Infinity" => f64::INFINITY,
                "-Infinity" => f64::NEG_INFINITY,
                number => number.parse().expect("a float"),
            };
            spelled(&Literal::Float(float))
        }
        "str" => spelled(&Literal::Text(
            serde_json::from_str(value).expect("a string"),
        )),
        _ => answer.to_owned(),
    }
}

#[test]
fn python_gives_the_same_values() {
    let python = ["python3", "python"]
        .iter()
        .find_map(|p| which::which(p).ok());
    let Some(python) = python else {
        crate::skip::skip("there is no python3 to compare with");
        return;
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = expr();
    let all: Vec<Expr> = (0..4000)
        .map(|_| {
            strategy
                .new_tree(&mut runner)
                .expect("an expression")
                .current()
        })
        .collect();
    let mut input = String::from("{");
    for (name, value) in globals() {
        let _ = write!(input, "{name:?}: {value}, ");
    }
    input.push('}');
    for expr in &all {
        let _ = write!(input, "\n{}", serde_json::json!(expr.to_string()));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (script, lines) = (folder.path().join("eval.py"), folder.path().join("lines"));
    std::fs::write(&script, SCRIPT).expect("script");
    std::fs::write(&lines, input).expect("lines");
    let mut command = Command::new(python);
    command
        .arg(&script)
        .arg(&lines)
        .env("PYTHONIOENCODING", "utf-8");
    let output = crate::util::process::run(&mut command, Duration::from_secs(120)).expect("runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let answers = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(answers.lines().count(), all.len(), "{errors}");
    let (mut values, mut failures) = (0, 0);
    for (expr, answer) in all.iter().zip(answers.lines()) {
        match run(expr) {
            Ok(ours) => {
                values += 1;
                let ours = spelled(&ours);
                let quiet = ["float 7ff8", "float fff8"];
                let nan = answer == "float NaN" && quiet.iter().any(|q| ours.starts_with(q));
                assert!(
                    nan || ours == theirs(answer),
                    "{expr}: {ours} is not {answer}"
                );
            }
            // Python's integers have no bound, nor its texts; and it evaluates no constants beforehand.
            Err(reported) if reported.contains("64 bits") || reported.contains("64 KiB") => {}
            Err(reported) if reported.starts_with("this never has a value") => {}
            Err(reported) => {
                failures += 1;
                assert!(
                    answer.starts_with("error "),
                    "{expr}: {reported}, but {answer}"
                );
                let zero = reported.contains("division by zero");
                assert_eq!(
                    zero,
                    answer.ends_with("ZeroDivisionError"),
                    "{expr}: {reported}"
                );
            }
        }
    }
    assert!(
        values > 1000 && failures > 100,
        "{values} values, {failures} failures"
    );
}
