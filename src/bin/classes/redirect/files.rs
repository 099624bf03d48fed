//! Files of the device in place of the machine's: what a path or a `File` of the app means below the device's folder.
//!
//! Sees constructors that open a file by its name or `File`, methods of the framework that take a path first, `new
//! File(String)`, methods of `File`, and what makes a `Path`. Adds calls of the agent's `Paths` on the argument, the
//! object or the result.

use super::call::{Call, Steps};
use dex2class::class::code::op;

const PATHS: &[u8] = b"Paths";
const FILE: &[u8] = b"java/io/File";
const FILE_TYPE: &[u8] = b"Ljava/io/File;";
const TEXT_TYPE: &[u8] = b"Ljava/lang/String;";
const USE_FILE: &[u8] = b"(Ljava/io/File;)Ljava/io/File;";

/// Classes whose constructors open a file that their first argument names, as text or `File`.
const OPENERS: &[&[u8]] = &[
    b"java/io/FileInputStream",
    b"java/io/FileOutputStream",
    b"java/io/RandomAccessFile",
    b"java/io/FileReader",
    b"java/io/FileWriter",
    b"java/io/PrintWriter",
    b"java/io/PrintStream",
    b"java/util/Formatter",
    b"java/util/zip/ZipFile",
    b"java/util/jar/JarFile",
];

/// The one for which a text is what it reads, not a name.
const SCANNER: &[u8] = b"java/util/Scanner";

/// Methods of the framework that take a path as their first argument.
const PATH_METHODS: &[(&[u8], &[u8])] = &[
    (b"android/graphics/BitmapFactory", b"decodeFile"),
    (b"android/database/sqlite/SQLiteDatabase", b"openDatabase"),
    (
        b"android/database/sqlite/SQLiteDatabase",
        b"openOrCreateDatabase",
    ),
    (b"android/graphics/drawable/Drawable", b"createFromPath"),
    (b"android/media/MediaPlayer", b"setDataSource"),
    (b"android/media/MediaRecorder", b"setOutputFile"),
    (b"android/os/ParcelFileDescriptor", b"open"),
    (b"android/graphics/Typeface", b"createFromFile"),
    (b"android/system/Os", b"access"),
    (b"android/system/Os", b"chmod"),
    (b"android/system/Os", b"lstat"),
    (b"android/system/Os", b"mkdir"),
    (b"android/system/Os", b"open"),
    (b"android/system/Os", b"remove"),
    (b"android/system/Os", b"rename"),
    (b"android/system/Os", b"stat"),
];

/// Methods that make a path of a text.
const PATH_MAKERS: &[(&[u8], &[u8])] = &[
    (b"java/nio/file/Paths", b"get"),
    (b"java/nio/file/Path", b"of"),
    (b"java/nio/file/FileSystem", b"getPath"),
];

/// Methods of `File` that only look at its path, next to those whose names begin with `get` or `isAbsolute`.
const READERS: &[&[u8]] = &[b"toString", b"equals", b"hashCode", b"compareTo", b"toURI"];

pub fn redirect(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if call.name == b"<init>" {
        return construct(call, to);
    }
    let method = (call.owner, call.name);
    if call.owner == FILE && call.opcode == op::INVOKEVIRTUAL {
        call_file(call, to);
    } else if PATH_METHODS.contains(&method) {
        if !use_first(call, true, to) {
            return false;
        }
        to.original();
    } else if PATH_MAKERS.contains(&method) {
        to.original();
        to.boxed(PATHS, b"use", b"(Ljava/nio/file/Path;)Ljava/nio/file/Path;");
    } else {
        return false;
    }
    true
}

fn construct(call: &Call<'_>, to: &mut Steps<'_>) -> bool {
    if call.owner == FILE && call.descriptor == b"(Ljava/lang/String;)V" {
        to.boxed(PATHS, b"path", b"(Ljava/lang/String;)Ljava/lang/String;");
    } else if OPENERS.contains(&call.owner) {
        if !use_first(call, true, to) {
            return false;
        }
    } else if call.owner != SCANNER || !use_first(call, false, to) {
        return false;
    }
    to.original();
    true
}

/// Replaces the first argument if it is a `File` or, with `names`, a text. False if it is neither.
fn use_first(call: &Call<'_>, names: bool, to: &mut Steps<'_>) -> bool {
    if call.takes(b"(Ljava/io/File;") {
        to.replace_first(call.descriptor, PATHS, b"use", FILE_TYPE)
    } else if names && call.takes(b"(Ljava/lang/String;") {
        to.replace_first(call.descriptor, PATHS, b"useName", TEXT_TYPE)
    } else {
        false
    }
}

/// A method of `File` works on the file's place in the device.
fn call_file(call: &Call<'_>, to: &mut Steps<'_>) {
    let name = call.name;
    let reads = name.starts_with(b"get") && !name.ends_with(b"Space")
        || name.starts_with(b"isAbsolute")
        || READERS.contains(&name);
    if !reads && call.takes(b"()") {
        to.boxed(PATHS, b"use", USE_FILE);
    } else if !reads && takes_one(call) {
        if name == b"renameTo" {
            to.boxed(PATHS, b"use", USE_FILE);
        }
        to.op(op::SWAP);
        to.boxed(PATHS, b"use", USE_FILE);
        to.op(op::SWAP);
    }
    to.invoke_virtual(FILE, name, call.descriptor);
}

/// Whether the only argument is a `boolean` or an object.
fn takes_one(call: &Call<'_>) -> bool {
    let end = call.descriptor.iter().position(|byte| *byte == b')');
    match end.and_then(|end| call.descriptor.get(1..end)) {
        Some(b"Z") => true,
        Some([b'L', name @ .., b';']) => !name.is_empty() && !name.contains(&b';'),
        _ => false,
    }
}
