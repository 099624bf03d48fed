//! Expressions mean in Java what they mean on sim, and every built-in model becomes sources that name all its parts.

use super::*;
use crate::device::jvm::jdk::Jdk;
use crate::device::sim::BUILTIN;
use crate::device::sim::expr::tests::{expr, globals, run};
use crate::device::sim::expr::{Code, Literal, Scope, compile, expression};
use crate::util::process;
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rustc_hash::FxHashMap;
use std::process::Command;
use std::time::Duration;

/// Prints what an expression comes to, floats by their bits.
const SHOW: &str = r#"
  static void show(Python.Late late) {
    String said;
    try {
      Object value = late.get();
      said = value instanceof Double
          ? "float " + Long.toHexString(Double.doubleToRawLongBits((Double) value))
          : value instanceof Long ? "int " + value
          : value instanceof Boolean ? "bool " + value
          : value == null ? "none" : "text " + hex((String) value);
    } catch (ArithmeticException e) {
      said = "error " + e.getMessage();
    }
    System.out.println(said);
  }

  static String hex(String text) {
    StringBuilder all = new StringBuilder();
    for (char c : text.toCharArray()) {
      all.append(String.format("%04x", (int) c));
    }
    return all.toString();
  }
"#;

fn spelled(value: &Literal) -> String {
    match value {
        Literal::None => "none".into(),
        Literal::Bool(b) => format!("bool {b}"),
        Literal::Int(i) => format!("int {i}"),
        Literal::Float(f) => format!("float {:x}", f.to_bits()),
        Literal::Text(text) => {
            let units = text.encode_utf16().map(|unit| format!("{unit:04x}"));
            format!("text {}", units.collect::<String>())
        }
    }
}

/// Names of the test's globals, as a model's; their values are constants of `State`.
fn names() -> Names {
    Names {
        package: "p".into(),
        activities: Vec::new(),
        ids: Vec::new(),
        globals: globals()
            .iter()
            .map(|(name, _)| format!("g_{name}"))
            .collect(),
        blocks: Vec::new(),
    }
}

#[test]
fn java_gives_the_values_of_sim() {
    let jdk = match Jdk::locate() {
        Ok(jdk) => jdk,
        Err(error) => {
            crate::skip::skip(&format!("{error}"));
            return;
        }
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = expr();
    let mut texts = Texts::default();
    let (mut slots, mut values) = (FxHashMap::default(), Vec::new());
    for (slot, (name, literal)) in (0_u32..).zip(globals()) {
        slots.insert(name.to_owned(), slot);
        let text = literal.to_string();
        let parsed = expression(&text).expect("a literal").expect("not empty");
        let scope = Scope {
            globals: &FxHashMap::default(),
            input: false,
        };
        match compile(&parsed, scope, &mut texts) {
            Ok(Code::Constant(value)) => values.push(value),
            other => panic!("{text}: {other:?}"),
        }
    }
    let scope = Scope {
        globals: &slots,
        input: false,
    };
    let names = names();
    let (mut reported, mut methods, mut calls) = (Vec::new(), String::new(), String::new());
    while reported.len() < 1500 {
        let expr = strategy
            .new_tree(&mut runner)
            .expect("an expression")
            .current();
        // One that never has a value is refused before an app is made of it.
        let Ok(code) = compile(&expr, scope, &mut texts) else {
            continue;
        };
        let number = reported.len();
        let java = expression::java(&code, &names, &texts);
        let _ = writeln!(methods, "  static Object e{number}() {{ return {java}; }}");
        let _ = writeln!(calls, "    show(() -> e{number}());");
        reported.push((expr.to_string(), run(&expr)));
    }
    let mut state = String::from("package p;\nfinal class State {\n");
    for (name, value) in names.globals.iter().zip(&values) {
        let value = expression::literal(*value, &texts);
        let _ = writeln!(state, "  static final Object {name} = {value};");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let python = COMMON[1].1.replacen(PACKAGE, "p", 1);
    let main = format!(
        "package p;\nfinal class Main {{\n{SHOW}\n{methods}\n  public static void main(String[] a) {{\n{calls}  }}\n}}\n"
    );
    let mut javac = Command::new(jdk.javac());
    javac
        .args(["--release", "8", "-nowarn", "-Xlint:none", "-d"])
        .arg(folder.path());
    for (name, text) in [("Python", python), ("State", state + "}\n"), ("Main", main)] {
        let path = folder.path().join(format!("{name}.java"));
        std::fs::write(&path, text).expect("a source");
        javac.arg(path);
    }
    let done = process::run(&mut javac, Duration::from_secs(300)).expect("javac runs");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let mut java = Command::new(jdk.java());
    java.arg("-cp").arg(folder.path()).arg("p.Main");
    let done = process::run(&mut java, Duration::from_secs(120)).expect("java runs");
    let said = String::from_utf8(done.stdout).expect("ASCII");
    assert_eq!(
        said.lines().count(),
        reported.len(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let (mut ended, mut failed) = (0, 0);
    for ((expr, ours), java) in reported.iter().zip(said.lines()) {
        match ours {
            Ok(Literal::Float(f)) if f.is_nan() => {
                assert!(java.starts_with("float "), "{expr}: {java}")
            }
            Ok(value) => assert_eq!(spelled(value), java, "{expr}"),
            Err(error) => {
                failed += 1;
                let exact = error.contains("zero") || error.contains("64");
                let same = java
                    .strip_prefix("error ")
                    .is_some_and(|java| !exact || error.contains(java));
                assert!(same, "{expr}: {error}, but {java}");
            }
        }
        ended += 1;
    }
    assert!(
        ended - failed > 500 && failed > 20,
        "{ended}, {failed} failed"
    );
}

#[test]
fn every_built_in_model_becomes_sources_that_name_all_its_parts() {
    for (name, _) in BUILTIN {
        let model = Model::builtin(name).unwrap();
        let project = Project::of(&model).unwrap();
        assert_eq!(project.package, model.package);
        assert_eq!(project.activities.len(), model.nodes.len());
        for activity in &project.activities {
            let path = format!("{}.java", activity.replace('.', "/"));
            assert!(project.java.contains_key(&path), "{path}");
            assert!(project.manifest.contains(&format!("\"{activity}\"")));
        }
        let blocks: usize = project
            .java
            .values()
            .map(|text| text.matches("void block").count())
            .sum();
        // One is `Fault.block`.
        let blocks = blocks - 1;
        assert_eq!(blocks, model.blocks.len(), "{name}");
        assert!(roxmltree::Document::parse(&project.manifest).is_ok());
        for text in project.resources.values() {
            assert!(roxmltree::Document::parse(text).is_ok());
        }
    }
}

#[test]
fn a_model_larger_than_an_app_is_refused_in_words() {
    let text = format!(
        r#"{{"global_vars": {{"a": "{}"}}, "nodes": [{{"node_id": "n", "transitions": []}}]}}"#,
        "x".repeat(LONGEST + 1)
    );
    let model = Model::parse(&text, "long.json", "long").unwrap();
    let error = Project::of(&model).unwrap_err();
    assert!(error.contains("shorten it"), "{error}");
}
