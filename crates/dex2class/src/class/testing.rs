//! What tests of class files share: small classes, the parts of a written file, and a JVM.

use super::code::{Code, Frame, Insn, Label, VType, op};
use super::read::{Bytes, read_attribute, read_pool};
use super::{Class, Method, Pool, access};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A public class without members.
pub(super) fn class(name: &str) -> Class {
    let mut pool = Pool::default();
    let this = pool.class(name.as_bytes());
    let parent = pool.class(b"java/lang/Object");
    Class {
        pool,
        major: 52,
        access: access::PUBLIC | access::SUPER,
        this,
        parent,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
        bootstraps: Vec::new(),
    }
}

/// Adds a public static method.
pub(super) fn add_method(class: &mut Class, name: &str, descriptor: &str, code: Code) {
    let name = class.pool.utf8(name.as_bytes());
    let descriptor = class.pool.utf8(descriptor.as_bytes());
    class.methods.push(Method {
        access: access::PUBLIC | access::STATIC,
        name,
        descriptor,
        code: Some(code),
        attributes: Vec::new(),
    });
}

/// A body; its labels are those below `labels`.
pub(super) fn code(labels: u32, insns: Vec<Insn>) -> Code {
    Code {
        insns,
        labels,
        ..Code::default()
    }
}

/// A frame with an empty stack.
pub(super) fn frame(label: u32, locals: &[VType]) -> (Label, Frame) {
    let locals = locals.to_vec();
    let stack = Vec::new();
    (Label(label), Frame { locals, stack })
}

/// The `Code` attribute of the first method of a class without interfaces and fields.
pub(super) struct WrittenCode {
    pub(super) max_stack: u16,
    pub(super) max_locals: u16,
    pub(super) code: Vec<u8>,
    /// Start, end, handler and class of each handler.
    pub(super) handlers: Vec<[u16; 4]>,
    pub(super) attributes: Vec<(String, Vec<u8>)>,
}

impl WrittenCode {
    pub(super) fn parse(file: &[u8]) -> Self {
        let mut from = Bytes(&file[8..]);
        let pool = read_pool(&mut from).unwrap();
        // Flags and names of the class; counts of interfaces, fields and methods; the method's head; its `Code`.
        from.take(6 + 6 + 8).unwrap();
        let (_, data) = read_attribute(&mut from).unwrap();
        let mut from = Bytes(data);
        let (max_stack, max_locals) = (from.u2().unwrap(), from.u2().unwrap());
        let size = from.u4().unwrap() as usize;
        let code = from.take(size).unwrap().to_vec();
        let handlers = (0..from.u2().unwrap()).map(|_| [0; 4].map(|_: u16| from.u2().unwrap()));
        let handlers = handlers.collect();
        let mut attributes = Vec::new();
        for _ in 0..from.u2().unwrap() {
            let (name, data) = read_attribute(&mut from).unwrap();
            let name = String::from_utf8(pool.text(name).to_vec()).unwrap();
            attributes.push((name, data.to_vec()));
        }
        Self {
            max_stack,
            max_locals,
            code,
            handlers,
            attributes,
        }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&[u8]> {
        let mut all = self.attributes.iter();
        all.find(|each| each.0 == name).map(|each| &each.1[..])
    }
}

/// Adds a `main` that prints what methods from int to int return.
pub(super) fn add_main(class: &mut Class, calls: &[(&str, i32)]) {
    let pool = &mut class.pool;
    let name = pool.class_name(class.this).to_vec();
    let out = pool.field(b"java/lang/System", b"out", b"Ljava/io/PrintStream;");
    let print = pool.method(b"java/io/PrintStream", b"println", b"(I)V", false);
    let mut insns = Vec::new();
    for (method, argument) in calls {
        let method = pool.method(&name, method.as_bytes(), b"(I)I", false);
        insns.extend([
            Insn::Field(op::GETSTATIC, out),
            Insn::Push(*argument),
            Insn::Invoke(op::INVOKESTATIC, method),
            Insn::Invoke(op::INVOKEVIRTUAL, print),
        ]);
    }
    insns.push(Insn::Op(op::RETURN));
    add_method(class, "main", "([Ljava/lang/String;)V", code(0, insns));
}

/// A new folder, deleted with its content.
pub(super) struct TestFolder(pub(super) PathBuf);

impl TestFolder {
    pub(super) fn new(name: &str) -> Self {
        let name = format!("dex2class-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs a program of the JDK in a folder.
pub(super) fn run(program: &str, arguments: &[&str], folder: &TestFolder) -> Output {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(&folder.0)
        .output();
    output.unwrap_or_else(|e| panic!("this test needs `{program}` of a JDK on the path: {e}"))
}

/// Runs the `main` of a class in a JVM that verifies it; returns its output and its errors.
pub(super) fn run_class(bytes: &[u8], name: &str) -> (String, String) {
    let folder = TestFolder::new(name);
    fs::write(folder.0.join(format!("{name}.class")), bytes).unwrap();
    let output = run(
        "java",
        &["-Xshare:auto", "-Xverify:all", "-cp", ".", name],
        &folder,
    );
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(output.stdout), text(output.stderr))
}
