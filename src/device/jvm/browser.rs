//! The Chromium for the web views of one device process: found on this machine, confined, always terminated.
//!
//! Java cannot hand a program the two pipes on which Chromium speaks DevTools, and must not start programs. So a shell
//! of ours opens two named pipes for it: that waits until the device process opens the other ends at its first web
//! view. The app shares that process: the pipes have names that follow from the wire's seal, which it does not know, in a
//! folder that it can neither list nor change.

use super::confine::Rules;
use super::folder::{claim, leave, renew};
use super::log::Log;
use super::process::strip_environment;
use super::sandbox::{self, Walls};
use crate::device::DeviceError;
use crate::device::progress::Watch;
use crate::util::process::Owned;
use crate::util::redact::Redactor;
use crate::util::sha256;
use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The names that are looked for on the path, the smallest program first.
pub const NAMES: [&str; 5] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
];
/// The fix if there is none.
pub const FIX: &str = "install it (apt-get install chromium), or write web = \"htmlunit\"";

/// Chromium's flags: no window, no network, no background work, one process for all frames of a page, frames only on
/// request.
const FLAGS: &[&str] = &[
    "--headless",
    "--remote-debugging-pipe",
    // Its page and the parts of its window would be four processes for nothing.
    "--no-startup-window",
    // Our sandbox confines all of Chromium; its sandbox would need nested namespaces, which our filter does not allow.
    "--no-sandbox",
    "--no-zygote",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--mute-audio",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-hang-monitor",
    "--disable-prompt-on-repost",
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,BackForwardCache,HttpsUpgrades,\
     HttpsFirstBalancedModeAutoEnable,HttpsFirstModeV2,MediaRouter,OptimizationHints,Translate",
    // As the web views of hybrid apps: a page of the app's assets may read what is beside it.
    "--allow-file-access-from-files",
    "--run-all-compositor-stages-before-draw",
    "--disable-new-content-rendering-timeout",
    "--disable-threaded-animation",
    "--disable-checker-imaging",
    "--force-color-profile=srgb",
    "--password-store=basic",
    "--use-mock-keychain",
    "--lang=en-US",
];

/// Most starts of Chromium for one device process. Each start has new pipes: through the old ones a new Chromium would
/// receive messages for the previous one.
const STARTS: u32 = 8;

/// Starts Chromium whenever the device process opens the next pipes. `$1` is the folder with the start of the names, `$2`
/// the last start; the program and its flags follow.
const SCRIPT: &str = "\
exec </dev/null
folder=$1
last=$2
shift 2
start=1
while [ $start -le $last ]; do
  \"$@\" 3<\"${folder}in$start\" 4>\"${folder}out$start\"
  start=$((start + 1))
done
";

/// A Chromium on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chromium {
    /// The program itself, not a script that leads to it.
    pub program: PathBuf,
}

impl Chromium {
    /// The first of [`NAMES`] on the path.
    ///
    /// # Errors
    /// There is none, or only a script whose program is not found; the message ends with what to do.
    pub fn locate() -> Result<Self, DeviceError> {
        let found: Vec<PathBuf> = NAMES.iter().filter_map(|n| which::which(n).ok()).collect();
        if let Some(program) = found.iter().find_map(|path| program(path)) {
            return Ok(Self { program });
        }
        let why = match found.first() {
            Some(script) => format!(
                "{} is a script, but the program that it starts was not found",
                script.display()
            ),
            None => format!("no Chromium on the PATH ({})", NAMES.join(", ")),
        };
        Err(DeviceError::Setup(format!(
            "web = \"chromium\": {why}; {FIX}"
        )))
    }
}

/// The ELF program behind a name: itself, or, for a distribution's script, the program where that keeps it.
fn program(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    if is_elf(&real) {
        return Some(real);
    }
    let name = real.file_name()?.to_str()?;
    let mut folders = vec![real.parent()?.to_owned()];
    for root in ["/usr/lib", "/usr/lib64"] {
        folders.push(Path::new(root).join(name));
    }
    let names = [name, "chromium", "chromium-browser", "chrome"];
    let mut all = folders
        .iter()
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    all.find(|file| is_elf(file))
}

fn is_elf(file: &Path) -> bool {
    use std::io::Read as _;
    let mut start = [0; 4];
    File::open(file)
        .and_then(|mut file| file.read_exact(&mut start))
        .is_ok_and(|()| start == *b"\x7fELF")
}

/// The folder of the pipes, beside the device's, which the device process opens.
pub fn folder(work: &Path) -> PathBuf {
    beside(work, "-pipes")
}

/// The start of the pipes' names.
pub fn key(seal: &[u8]) -> String {
    sha256::of_bytes(seal)
}

fn beside(work: &Path, end: &str) -> PathBuf {
    let mut name = work.file_name().map_or_else(OsString::new, OsString::from);
    name.push(end);
    work.with_file_name(name)
}

/// Chromium's own folder, beside the device's, where the device process cannot write: its profile, its home, its
/// temporary files.
pub fn own_folder(work: &Path) -> PathBuf {
    beside(work, "-chromium")
}

/// The waiting shell and the Chromium that it starts. Dropped, they end, and what they have written is removed.
#[derive(Debug)]
pub struct Browser {
    shell: Owned,
    own: PathBuf,
    pipes: PathBuf,
    watch: Watch,
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.shell.kill();
        leave(&self.own, &self.watch);
        leave(&self.pipes, &self.watch);
    }
}

/// Makes the pipes, whose names start with `key`, and the shell that waits for the device process to open them. `log` gets what Chromium prints.
///
/// # Errors
/// There is no Chromium, or a folder cannot be written; an existing folder at its path that is not a device's
/// is left alone.
pub fn start(
    work: &Path,
    key: &str,
    log: &Path,
    secrets: &Redactor,
    network: bool,
    walls: Walls,
    watch: &Watch,
) -> Result<Browser, DeviceError> {
    let chromium = Chromium::locate()?;
    let shell = Path::new("/bin/sh").canonicalize()?;
    let folder = folder(work);
    renew(&folder, watch)?;
    pipes(&folder, key)?;
    let own = own_folder(work);
    claim(&own, watch)?;
    // Pages write into it, too. It is filled until Chromium has ended.
    let (_, output, errors) = Log::open(log, secrets)?;
    let rules = rules(&chromium.program, &shell, [&folder, &own], network);
    let mut command = sandbox::command(&shell, &rules, walls)?;
    command
        .args(["-c", SCRIPT, "sh"])
        .arg(folder.join(format!("{key}-")))
        .arg(STARTS.to_string())
        .arg(&chromium.program)
        .args(FLAGS)
        .arg(format!("--user-data-dir={}", own.join("profile").display()))
        .current_dir(&own)
        .stdin(Stdio::piped())
        .stdout(output)
        .stderr(errors);
    strip_environment(&mut command, &own);
    // The absolute path could be too long for the socket that Chromium makes there (107 characters).
    command.env("TMPDIR", ".");
    let shell = Owned::spawn(&mut command)
        .map_err(|e| DeviceError::Setup(format!("Chromium cannot be started: {e}")))?;
    Ok(Browser {
        shell,
        own,
        pipes: folder,
        watch: watch.clone(),
    })
}

/// Its own files, fonts and the system's libraries to read, its folders to write, itself and the shell to run.
fn rules(program: &Path, shell: &Path, folders: [&PathBuf; 2], network: bool) -> Rules {
    let home = program.parent().unwrap_or(program);
    let mut rules = Rules::for_program(program, home);
    let shell = Rules::for_program(shell, Path::new("/nonexistent"));
    rules.execute.extend(shell.execute);
    rules.execute.push(home.join("chrome_crashpad_handler"));
    rules.read.extend(
        [
            "/etc/fonts",
            "/usr/share/fonts",
            "/usr/local/share/fonts",
            "/usr/share/fontconfig",
            "/var/cache/fontconfig",
            "/etc/ssl",
            "/usr/share/ca-certificates",
        ]
        .map(PathBuf::from),
    );
    if network {
        rules.open_network();
    }
    rules.write.extend(folders.map(PathBuf::clone));
    rules.processes = true;
    rules
}

#[cfg(target_os = "linux")]
fn pipes(folder: &Path, key: &str) -> Result<(), DeviceError> {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let mode = Mode::RUSR | Mode::WUSR;
    for start in 1..=STARTS {
        for name in ["in", "out"] {
            let pipe = folder.join(format!("{key}-{name}{start}"));
            mknodat(CWD, pipe, FileType::Fifo, mode, 0).map_err(std::io::Error::from)?;
        }
    }
    // Who does not know a name does not find it.
    let closed = std::os::unix::fs::PermissionsExt::from_mode(0o300);
    Ok(std::fs::set_permissions(folder, closed)?)
}

#[cfg(not(target_os = "linux"))]
fn pipes(_: &Path, _: &str) -> Result<(), DeviceError> {
    Err(DeviceError::Setup(
        "web = \"chromium\" needs Linux; write web = \"htmlunit\"".to_owned(),
    ))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;
    use std::io::{Read, Write};
    use std::time::{Duration, Instant};

    #[test]
    fn a_script_leads_to_the_program_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("google-chrome");
        fs::write(&script, "#!/bin/sh\n").unwrap();
        assert_eq!(program(&script), None);
        fs::write(folder.path().join("chrome"), b"\x7fELF....").unwrap();
        let found = program(&script).unwrap();
        assert!(found.ends_with("chrome"), "{}", found.display());
        assert_eq!(program(&found), Some(found));
    }

    #[test]
    fn chromium_answers_on_its_pipes_and_ends_with_its_owner() {
        if let Err(error) = Chromium::locate() {
            crate::skip::skip(&format!("{error}"));
            return;
        }
        // Each has its kind of supervisor.
        for walls in [sandbox::strongest(), Walls::Reduced] {
            answers(walls);
        }
    }

    fn answers(walls: Walls) {
        let temporary = tempfile::tempdir().unwrap();
        let work = temporary.path().join("a-long-path".repeat(15));
        fs::create_dir(&work).unwrap();
        let log = work.join("log");
        let mut browser = start(
            &work,
            "key",
            &log,
            &Redactor::default(),
            false,
            walls,
            &Watch::silent(),
        )
        .unwrap();
        let pipes = folder(&work);
        for start in 1..=2 {
            let mut to = File::options()
                .write(true)
                .open(pipes.join(format!("key-in{start}")))
                .unwrap();
            let mut from = File::open(pipes.join(format!("key-out{start}"))).unwrap();
            to.write_all(b"{\"id\":1,\"method\":\"Browser.getVersion\"}\0")
                .unwrap();
            let mut answer = vec![0; 30];
            from.read_exact(&mut answer).unwrap();
            let said = fs::read_to_string(&log).unwrap_or_default();
            assert!(answer.starts_with(b"{\"id\":1,\"result\":"), "{said}");
            // It ends when its pipe does, and the next one waits.
            drop(to);
            from.read_to_end(&mut answer).unwrap();
        }
        // As when the tool is killed: everything ends by itself.
        drop(browser.shell.child().stdin.take());
        let ended = (browser.shell).wait_until(Instant::now() + Duration::from_secs(60));
        assert!(ended.unwrap().is_some());
        // What it wrote is where the device process cannot write, and goes with it.
        let own = own_folder(&work);
        assert!(!own.starts_with(&work) && own.join("profile").is_dir());
        let mode = fs::metadata(&pipes).unwrap().permissions();
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777,
            0o300
        );
        assert!(!pipes.starts_with(&work));
        drop(browser);
        assert!(!own.exists() && !pipes.exists());
        let ended = Instant::now() + Duration::from_secs(20);
        while working_in(&own) > 0 {
            assert!(Instant::now() < ended, "parts of Chromium go on, {walls:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Processes whose working folder is this one, or was before it was removed.
    fn working_in(folder: &Path) -> usize {
        let entries = fs::read_dir("/proc").unwrap().flatten();
        let folders = entries.filter_map(|entry| fs::read_link(entry.path().join("cwd")).ok());
        let name = folder.to_string_lossy();
        folders
            .filter(|cwd| cwd.to_string_lossy().starts_with(&*name))
            .count()
    }
}
