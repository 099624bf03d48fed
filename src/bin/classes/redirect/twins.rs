//! Methods that have a twin in the agent, to which calls go instead.
//!
//! Sees calls of the methods in the tables, of any descriptor, and replaces each by one instruction: a call of a static
//! method of `droidtest/host/box`, which takes the same arguments, for methods of an object after the object itself.

use super::call::{Call, Steps};
use dex2class::class::code::op;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// A method's class and name, the agent's class that takes its calls, and the name there.
type Twin = (&'static [u8], &'static [u8], &'static [u8], &'static [u8]);

const LOOKUP: &[u8] = b"java/lang/invoke/MethodHandles$Lookup";

/// Static methods.
#[rustfmt::skip]
const STATIC: &[Twin] = &[
    (b"java/lang/System", b"currentTimeMillis", b"Clock", b"currentTimeMillis"),
    (b"java/lang/System", b"nanoTime", b"Clock", b"nanoTime"),
    (b"java/lang/Thread", b"sleep", b"Clock", b"sleep"),
    (b"android/os/SystemClock", b"sleep", b"Clock", b"sleepOn"),
    (b"java/lang/Math", b"random", b"Chance", b"random"),
    (b"java/lang/StrictMath", b"random", b"Chance", b"random"),
    (b"java/util/UUID", b"randomUUID", b"Chance", b"uuid"),
    (b"java/lang/System", b"getProperty", b"Properties", b"getProperty"),
    (b"java/io/File", b"createTempFile", b"Temporary", b"createTempFile"),
    (b"java/nio/file/Files", b"createTempFile", b"Temporary", b"createTempFile"),
    (b"java/nio/file/Files", b"createTempDirectory", b"Temporary", b"createTempDirectory"),
    (b"java/lang/System", b"exit", b"Process", b"exit"),
    (b"android/os/Process", b"killProcess", b"Process", b"kill"),
    (b"java/lang/System", b"loadLibrary", b"Process", b"loadLibrary"),
    (b"java/lang/ClassLoader", b"getSystemClassLoader", b"Process", b"classLoader"),
    (b"android/util/Log", b"getStackTraceString", b"Traces", b"getStackTraceString"),
    (b"java/lang/System", b"load", b"Process", b"load"),
    (b"java/net/InetAddress", b"getByName", b"Process", b"resolve"),
    (b"java/net/InetAddress", b"getAllByName", b"Process", b"resolveAll"),
    (b"java/util/regex/Pattern", b"compile", b"Patterns", b"compile"),
    (b"java/util/regex/Pattern", b"matches", b"Patterns", b"matches"),
    (b"java/lang/Thread", b"setDefaultUncaughtExceptionHandler", b"Threads", b"setDefault"),
    (b"java/lang/Thread", b"getDefaultUncaughtExceptionHandler", b"Threads", b"getDefault"),
];

/// Methods of an object.
#[rustfmt::skip]
const OBJECT: &[Twin] = &[
    (b"java/lang/Runtime", b"exit", b"Process", b"exit"),
    (b"java/lang/Runtime", b"halt", b"Process", b"exit"),
    (b"java/lang/Runtime", b"exec", b"Process", b"exec"),
    (b"java/lang/Runtime", b"load", b"Process", b"load"),
    (b"java/lang/Runtime", b"loadLibrary", b"Process", b"loadLibrary"),
    (b"java/lang/ProcessBuilder", b"start", b"Process", b"start"),
    (b"java/lang/Class", b"getDeclaredFields", b"Reflection", b"getDeclaredFields"),
    (b"java/lang/Class", b"getFields", b"Reflection", b"getFields"),
    (b"java/lang/Class", b"getDeclaredMethods", b"Reflection", b"getDeclaredMethods"),
    (b"java/lang/Class", b"getMethods", b"Reflection", b"getMethods"),
    (b"java/lang/Class", b"getDeclaredConstructors", b"Reflection", b"getDeclaredConstructors"),
    (b"java/lang/Class", b"getConstructors", b"Reflection", b"getConstructors"),
    (b"java/lang/Class", b"getDeclaredField", b"Reflection", b"getDeclaredField"),
    (b"java/lang/Class", b"getField", b"Reflection", b"getField"),
    (b"java/lang/Class", b"getDeclaredMethod", b"Reflection", b"getDeclaredMethod"),
    (b"java/lang/Class", b"getMethod", b"Reflection", b"getMethod"),
    (b"java/lang/Class", b"getDeclaredConstructor", b"Reflection", b"getDeclaredConstructor"),
    (b"java/lang/Class", b"getConstructor", b"Reflection", b"getConstructor"),
    (b"java/lang/ClassLoader", b"defineClass", b"Loaders", b"defineClass"),
    (LOOKUP, b"defineClass", b"Loaders", b"defineClass"),
    (LOOKUP, b"defineHiddenClass", b"Loaders", b"defineHiddenClass"),
    (LOOKUP, b"findVirtual", b"Loaders", b"findVirtual"),
    (LOOKUP, b"findStatic", b"Loaders", b"findStatic"),
    (LOOKUP, b"findSpecial", b"Loaders", b"findSpecial"),
    (LOOKUP, b"findConstructor", b"Loaders", b"findConstructor"),
    (LOOKUP, b"findGetter", b"Loaders", b"findGetter"),
    (LOOKUP, b"findSetter", b"Loaders", b"findSetter"),
    (LOOKUP, b"findStaticGetter", b"Loaders", b"findStaticGetter"),
    (LOOKUP, b"findStaticSetter", b"Loaders", b"findStaticSetter"),
    (LOOKUP, b"findVarHandle", b"Loaders", b"findVarHandle"),
    (LOOKUP, b"findStaticVarHandle", b"Loaders", b"findStaticVarHandle"),
    (LOOKUP, b"bind", b"Loaders", b"bind"),
    (LOOKUP, b"unreflect", b"Loaders", b"unreflect"),
    (LOOKUP, b"unreflectSpecial", b"Loaders", b"unreflectSpecial"),
    (b"java/net/URLClassLoader", b"addURL", b"Loaders", b"addURL"),
    (b"javax/xml/transform/TransformerFactory", b"setFeature", b"Loaders", b"setFeature"),
    (b"javax/xml/transform/TransformerFactory", b"setAttribute", b"Loaders", b"setAttribute"),
    (b"java/util/regex/Pattern", b"pattern", b"Patterns", b"pattern"),
    (b"java/util/regex/Pattern", b"toString", b"Patterns", b"toString"),
    (b"java/util/regex/Pattern", b"flags", b"Patterns", b"flags"),
    (b"java/lang/String", b"matches", b"Patterns", b"matches"),
    (b"java/lang/String", b"replaceAll", b"Patterns", b"replaceAll"),
    (b"java/lang/String", b"replaceFirst", b"Patterns", b"replaceFirst"),
    (b"java/lang/String", b"split", b"Patterns", b"split"),
    (b"java/io/File", b"getParent", b"Paths", b"getParent"),
    (b"java/io/File", b"getParentFile", b"Paths", b"getParentFile"),
    (b"java/nio/file/Path", b"getParent", b"Paths", b"getParent"),
    (b"java/io/File", b"getCanonicalPath", b"Paths", b"getCanonicalPath"),
    (b"java/io/File", b"getCanonicalFile", b"Paths", b"getCanonicalFile"),
    (b"java/nio/file/Path", b"toRealPath", b"Paths", b"toRealPath"),
    (b"java/io/File", b"list", b"Folders", b"list"),
    (b"java/io/File", b"listFiles", b"Folders", b"listFiles"),
    (b"java/io/File", b"getUsableSpace", b"Space", b"getUsableSpace"),
    (b"java/io/File", b"getFreeSpace", b"Space", b"getFreeSpace"),
    (b"java/io/File", b"getTotalSpace", b"Space", b"getTotalSpace"),
    (b"java/io/File", b"canRead", b"Folders", b"canRead"),
    (b"java/nio/channels/FileChannel", b"lock", b"FileLocks", b"lock"),
    (b"java/nio/channels/FileChannel", b"tryLock", b"FileLocks", b"tryLock"),
];

/// Names of other methods that an app's class may inherit from a class of the platform whose calls are redirected.
const OTHERS: &[&[u8]] = &[
    b"yield",
    b"onSpinWait",
    b"getStackTrace",
    b"printStackTrace",
];

static NAMES: LazyLock<FxHashSet<&'static [u8]>> = LazyLock::new(|| {
    let twins = STATIC.iter().chain(OBJECT).map(|twin| twin.1);
    twins.chain(OTHERS.iter().copied()).collect()
});

/// Methods whose calls keep their instruction, with what takes their place where there is a handle on them.
const HANDLES: &[Twin] = &[(
    b"java/lang/reflect/Method",
    b"invoke",
    b"Loaders",
    b"invoke",
)];

/// The agent's class and method that a handle on a method leads to instead, if it has a twin.
///
/// # Arguments
/// `is_static`: whether the handle is on a static method.
pub fn of_handle(
    owner: &[u8],
    name: &[u8],
    is_static: bool,
) -> Option<(&'static [u8], &'static [u8])> {
    let mut twins = match is_static {
        true => STATIC.iter().chain(&[]),
        false => OBJECT.iter().chain(HANDLES),
    };
    twins
        .find(|twin| twin.0 == owner && twin.1 == name)
        .map(|twin| (twin.2, twin.3))
}

/// Whether a method of this name may be one that a class inherits and whose calls are redirected.
pub fn may_be_inherited(name: &[u8]) -> bool {
    NAMES.contains(name)
}

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if !may_be_inherited(call.name) {
        return false;
    }
    let table = if call.is_static() { STATIC } else { OBJECT };
    let mut twins = table.iter();
    let Some((owner, _, class, name)) = twins.find(|twin| call.is(twin.0, twin.1)) else {
        return false;
    };
    if call.opcode == op::INVOKESPECIAL && *owner == b"java/io/File" {
        // `super.list()` in a subclass of File: the twin would call the subclass again.
        return false;
    }
    if call.is_static() {
        to.boxed(class, name, call.descriptor);
    } else {
        to.boxed(class, name, &call.with_object());
    }
    true
}
