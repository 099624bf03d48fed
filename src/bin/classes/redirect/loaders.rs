//! Keeps the agent's classes, Java's that Android lacks, and bytecode that nobody has translated, from the app's
//! reflection.
//!
//! Sees `Method.invoke`, `newInstance`, class loaders of URLs, the features of XSLT,
//! and every call whose result is a class loader, a class by its name, or an object that reflection gives. Adds calls of
//! the agent's `Loaders` on the first argument and on the result.

use super::call::{Call, Steps};

const LOADERS: &[u8] = b"Loaders";
const METHOD: &[u8] = b"java/lang/reflect/Method";
const FIELD: &[u8] = b"java/lang/reflect/Field";
const HANDLE: &[u8] = b"java/lang/invoke/MethodHandle";
const CONSTRUCTOR: &[u8] = b"java/lang/reflect/Constructor";
const CLASS: &[u8] = b"java/lang/Class";
const WALKER: &[u8] = b"java/lang/StackWalker";
const URL_LOADER: &[u8] = b"java/net/URLClassLoader";
const CLASS_TYPE: &[u8] = b"Ljava/lang/Class;";
const CONSTRUCTOR_TYPE: &[u8] = b"Ljava/lang/reflect/Constructor;";
const METHOD_TYPE: &[u8] = b"Ljava/lang/reflect/Method;";
const URLS_TYPE: &[u8] = b"[Ljava/net/URL;";

/// Methods that give a class by its name.
const NAMED: &[&[u8]] = &[
    b"forName",
    b"loadClass",
    b"findClass",
    b"findSystemClass",
    b"findLoadedClass",
    b"resolveClass",
    b"resolveProxyClass",
];

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    let replaced = replace_argument(call, to);
    let filter = result_filter(call);
    if !replaced && filter.is_none() {
        return false;
    }
    to.original();
    if let Some(filter) = filter {
        let result = call.result();
        let descriptor = [b"(", result, b")", result].concat();
        to.boxed(LOADERS, filter, &descriptor);
    }
    true
}

fn replace_argument(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if call.is(METHOD, b"invoke") {
        let whole = call.with_first(METHOD_TYPE);
        return to.replace_first(&whole, LOADERS, b"invoked", METHOD_TYPE);
    }
    if call.is(CONSTRUCTOR, b"newInstance") {
        let whole = call.with_first(CONSTRUCTOR_TYPE);
        return to.replace_first(&whole, LOADERS, b"constructed", CONSTRUCTOR_TYPE);
    }
    if call.is(CLASS, b"newInstance") {
        let whole = call.with_first(CLASS_TYPE);
        return to.replace_first(&whole, LOADERS, b"made", CLASS_TYPE);
    }
    let urls = call.is(URL_LOADER, b"newInstance")
        || call.constructs(URL_LOADER) && call.takes(b"([Ljava/net/URL;");
    urls && to.replace_first(call.descriptor, LOADERS, b"places", URLS_TYPE)
}

/// The agent's method through which the result of a call goes.
fn result_filter(call: &Call<'_>) -> Option<&'static [u8]> {
    let handle = call.owner == HANDLE;
    match call.result() {
        b"Ljava/lang/ClassLoader;" => Some(b"visible"),
        CLASS_TYPE if call.owner.starts_with(WALKER) => Some(b"seen"),
        b"[Ljava/lang/Class;" if call.name == b"getClassContext" => Some(b"seen"),
        CLASS_TYPE if handle || NAMED.contains(&call.name) => Some(b"found"),
        b"Ljava/lang/Object;" if handle || call.owner == METHOD || call.owner == FIELD => {
            Some(b"visible")
        }
        _ => None,
    }
}
