//! The Java process's command line up to its class path.

use super::folder;
use super::native;
use super::parts::Parts;
use super::recording::Recording;
use super::settings::{JvmSettings, Network};
use std::ffi::OsString;
use std::path::Path;

/// Packages of Java itself that Robolectric and the agent look into.
pub const OPENED: &[&str] = &[
    "java.lang",
    "java.lang.ref",
    "java.lang.reflect",
    "java.util",
    "java.util.concurrent",
    "java.io",
    "java.net",
    "java.nio",
    "java.text",
    "java.time",
    "java.security",
    "jdk.internal.access",
    "jdk.internal.math",
    "jdk.internal.ref",
    "sun.nio.ch",
    "sun.nio.fs",
];

const FIXED: &[&str] = &[
    // When memory runs out, the histogram of the heap.
    "--add-opens=java.management/sun.management=ALL-UNNAMED",
    "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED",
    "-Xss2m",
    // Identity hashes are counted, not random per thread: they order sets of apps that have no other order.
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=3",
    // The app's thread pools have the same size on every machine.
    "-XX:ActiveProcessorCount=4",
    // The code of a framework's start runs once: the second compiler costs more than it saves
    // before some ten thousand events, and halves the speed where two sessions share two cores.
    "-XX:TieredStopAtLevel=1",
    // With the first compiler alone Java reserves a fifth of this, which a long run over a large app fills: compiling
    // then ends for good and method handles fail.
    "-XX:ReservedCodeCacheSize=240m",
    // One app on one core: the simplest collector has the least overhead.
    "-XX:+UseSerialGC",
    // One event needs little memory; a young generation of a third of the heap saves no time.
    "-Xmn128m",
    // The size of a start's classes: earlier collections would free nothing.
    "-XX:MetaspaceSize=192m",
    // Softly referenced remains of an old process life are freed after half a minute, not after ten.
    "-XX:SoftRefLRUPolicyMSPerMB=50",
    // No files outside the device's folder, no connections from outside.
    "-XX:-UsePerfData",
    "-XX:+DisableAttachMechanism",
    "-XX:-CreateCoredumpOnCrash",
    "-Djava.awt.headless=true",
    "-Dfile.encoding=UTF-8",
    "-Duser.timezone=UTC",
    // A stylesheet calls no methods of Java, and no object of theirs is read from bytes of an app.
    "-Djdk.xml.enableExtensionFunctions=false",
    "-Djdk.serialFilter=!droidtest.**;!org.robolectric.**;!com.sun.**;!javax.management.**;!java.rmi.**",
    "-Drobolectric.offline=true",
    "-Drobolectric.windowManager.useRequestedSize=true",
    "-Drobolectric.installFakeMediaProvider=false",
    // A spinner's listener is called once, after the layout; Robolectric calls it immediately, without a view.
    "-Drobolectric.useRealSpinnerSelection=true",
    // Accessibility nodes keep all of their data, including their children's ids: Compose pages are read from them.
    "-Drobolectric.useRealAni=true",
];

/// Flags of the JVM for a device (the agent's README explains each).
pub fn jvm(parts: &Parts, settings: &JvmSettings, recording: Recording<'_>) -> Vec<OsString> {
    let mut all: Vec<OsString> = OPENED
        .iter()
        .map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED").into())
        .collect();
    all.extend(FIXED.iter().map(OsString::from));
    all.extend(recording.flags(&parts.scheduler));
    all.push(format!("-Xmx{}m", settings.memory_mb).into());
    let mut property = |name: &str, value: &Path| {
        let mut flag = OsString::from(format!("-D{name}="));
        flag.push(value);
        all.push(flag);
    };
    property("robolectric.dependency.dir", &parts.framework);
    // The empty last part makes the path end as Robolectric expects it.
    let fonts = parts.libraries.join(native::FONTS).join("");
    property("robolectric.nativeruntime.fontdir", &fonts);
    property("java.io.tmpdir", &settings.work.join("tmp"));
    property("user.home", &settings.work);
    if settings.network != Network::Open {
        // Names that are not in this file fail to resolve immediately; without an archive it is empty.
        property("jdk.net.hosts.file", &settings.work.join(folder::HOSTS));
    }
    if matches!(settings.network, Network::Replay(_)) {
        // Java's own client keeps connections over process lives, and a thread that counts their time.
        all.push("-Dhttp.keepAlive=false".into());
    }
    let mut report = OsString::from("-XX:ErrorFile=");
    report.push(settings.work.join("hs_err_pid%p.log"));
    all.push(report);
    all
}
