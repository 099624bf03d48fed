//! What handles on methods become.

use super::*;

#[test]
fn a_handle_on_a_method_with_a_twin_is_one_on_the_twin() {
    let handle = |pool: &mut Pool, kind, owner: &[u8], name: &[u8], descriptor: &[u8]| {
        let member = pool.method(owner, name, descriptor, false);
        pool.entry(Entry::MethodHandle(kind, member))
    };
    let text = b"(Ljava/lang/String;)V";
    let mut class = class_with(|pool| {
        vec![
            Insn::Const(handle(pool, 5, b"java/lang/Runtime", b"load", text)),
            Insn::Const(handle(pool, 6, b"java/lang/System", b"load", text)),
            Insn::Const(handle(pool, 6, b"java/lang/Math", b"abs", b"(I)I")),
        ]
    });
    let invoke = b"(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
    let method = handle(
        &mut class.pool,
        5,
        b"java/lang/reflect/Method",
        b"invoke",
        invoke,
    );
    class.bootstraps.push(Bootstrap {
        method,
        arguments: vec![method],
    });
    apply(&mut class, Calls::Confined);
    let pool = &class.pool;
    let shown = |at: Idx| match pool.get(at) {
        Entry::MethodHandle(kind, member) => {
            let (owner, name, _, _) = pool.member(member);
            let [owner, name] = [owner, name].map(String::from_utf8_lossy);
            format!(
                "{kind} {}.{name}",
                owner.replace("droidtest/host/box/", "box/")
            )
        }
        other => format!("{other:?}"),
    };
    let code = class.methods[0].code.as_ref().unwrap();
    let constants = code.insns.iter().filter_map(|insn| match insn {
        Insn::Const(at) => Some(shown(*at)),
        _ => None,
    });
    assert_eq!(
        constants.collect::<Vec<_>>(),
        [
            "6 box/Process.load",
            "6 box/Process.load",
            "6 java/lang/Math.abs"
        ]
    );
    let bootstrap = &class.bootstraps[0];
    assert_eq!(shown(bootstrap.method), "6 box/Loaders.invoke");
    assert_eq!(shown(bootstrap.arguments[0]), "6 box/Loaders.invoke");
}
