//! One worker of `cargo xtask fuzz`: a range of inputs for one parser, in a process whose end costs nothing.
//!
//! Standard output has a JSON line for each failure and one for the whole. Before each input its number goes to the
//! state file, so that whoever started us knows what ended the process: a stack that overflowed, memory beyond the
//! bound, an input without end.

use droidtest::util::cpu_time;
use droidtest_fuzz::{Sources, Target, all};
use serde_json::json;
use std::fs::{self, File};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Processor time that an input may take.
const LONGEST: Duration = Duration::from_secs(2);
/// Time that an input may take, whether it works or waits.
const HANG: Duration = Duration::from_secs(5);
/// An input that has not complete after so many seconds never will.
const END: u64 = 60;
/// Memory that inputs may take beyond what the process has at first.
const MEMORY: u64 = 768 << 20;
/// Parsers run on threads of this size, the smallest that the tool has.
const STACK: usize = 2 << 20;

/// What a panic said, with its place.
static SAID: Mutex<String> = Mutex::new(String::new());
/// The input under way, from 1.
static NOW: AtomicU64 = AtomicU64::new(0);

struct Job {
    parser: String,
    seed: u64,
    from: u64,
    to: u64,
    /// Where the number of the input under way is kept.
    state: String,
    /// Where inputs go that failed.
    failures: String,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|a| a == "list") {
        for target in all(&Sources::here()) {
            println!("{} {}", target.name, target.corpus.len());
        }
        return ExitCode::SUCCESS;
    }
    let number = |at: usize| args.get(at).and_then(|text| text.parse().ok());
    let job = match (args.as_slice(), number(1), number(2), number(3)) {
        ([parser, _, _, _, state, failures], Some(seed), Some(from), Some(to)) => Job {
            parser: parser.clone(),
            seed,
            from,
            to,
            state: state.clone(),
            failures: failures.clone(),
        },
        _ => {
            eprintln!(
                "usage: droidtest-fuzz list | PARSER SEED FROM TO STATE-FILE FAILURES-FOLDER"
            );
            return ExitCode::from(2);
        }
    };
    set_hook(Box::new(|info| {
        *SAID.lock().unwrap_or_else(PoisonError::into_inner) = info.to_string();
    }));
    let worker = thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || run(&job));
    let Ok(worker) = worker else {
        return ExitCode::from(1);
    };
    let (mut last, mut since) = (0, 0);
    while !worker.is_finished() {
        thread::sleep(Duration::from_secs(1));
        let now = NOW.load(Ordering::Relaxed);
        since = if now == last { since + 1 } else { 0 };
        last = now;
        if since > END {
            // Whoever started us reads the state file.
            std::process::exit(3);
        }
    }
    match worker.join() {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(said)) => {
            eprintln!("droidtest-fuzz: {said}");
            ExitCode::from(1)
        }
        Err(_) => ExitCode::from(1),
    }
}

fn run(job: &Job) -> Result<(), String> {
    let mut targets = all(&Sources::here());
    let at = targets.iter().position(|target| target.name == job.parser);
    let at = at.ok_or_else(|| format!("no parser is named {:?}", job.parser))?;
    let mut target = targets.swap_remove(at);
    drop(targets);
    if target.corpus.is_empty() {
        return Err(format!("{} has no good input here", job.parser));
    }
    let refused = |path: &str, e: &std::io::Error| format!("{path}: {e}");
    let mut state = File::create(&job.state).map_err(|e| refused(&job.state, &e))?;
    let before = bound_memory();
    let (mut taken, mut slowest, mut spent) = (0_u64, (Duration::ZERO, 0), Duration::ZERO);
    for number in job.from..job.to {
        NOW.store(number + 1, Ordering::Relaxed);
        state
            .seek(SeekFrom::Start(0))
            .and_then(|_| state.write_all(format!("{number:020}").as_bytes()))
            .map_err(|e| refused(&job.state, &e))?;
        let input = target.input(job.seed, number);
        let (started, at) = (cpu_time::of_thread(), Instant::now());
        let done = one(&mut target, &input);
        let waited = at.elapsed();
        let took = cpu_time::of_thread().saturating_sub(started);
        spent += took;
        if took > slowest.0 {
            slowest = (took, number);
        }
        let what = match done {
            Err(said) => Some(format!("panic: {said}")),
            Ok(_) if took > LONGEST => Some(format!("slow: {took:?}")),
            // A busy machine takes its time; an input that waits does so again.
            Ok(_) if waited > HANG && again(&mut target, &input) > HANG => {
                Some(format!("waits: {waited:?}"))
            }
            Ok(good) => {
                taken += u64::from(good);
                None
            }
        };
        if let Some(what) = what {
            let file = format!("{}/{}-{}-{number}", job.failures, job.parser, job.seed);
            fs::write(&file, &input).map_err(|e| refused(&file, &e))?;
            println!(
                "{}",
                json!({"failure": what, "number": number, "bytes": input.len()})
            );
        }
    }
    let megabytes = peak().saturating_sub(before) >> 20;
    println!(
        "{}",
        json!({
            "parser": job.parser, "seed": job.seed, "from": job.from, "to": job.to, "taken": taken,
            "slowest_ms": slowest.0.as_secs_f64() * 1e3, "slowest": slowest.1,
            "seconds": spent.as_secs_f64(), "megabytes": megabytes,
        })
    );
    Ok(())
}

/// Did the parser take it? A panic in words otherwise.
fn one(target: &mut Target, input: &[u8]) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| (target.run)(input)))
        .map_err(|_| std::mem::take(&mut *SAID.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// How long the same input takes once more.
fn again(target: &mut Target, input: &[u8]) -> Duration {
    let at = Instant::now();
    let _ = one(target, input);
    at.elapsed()
}

/// A figure of this process in bytes, as Linux tells it; 0 elsewhere.
fn figure(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|rest| rest.trim_start_matches(':').split_whitespace().next());
    kilobytes.and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// The most memory that the process has had.
fn peak() -> u64 {
    figure("VmHWM")
}

/// From here on a claim beyond the bound ends the process. Gives the memory that it has had so far.
#[cfg(unix)]
fn bound_memory() -> u64 {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let bound = Some(figure("VmSize") + MEMORY);
    let limit = Rlimit {
        current: bound,
        maximum: bound,
    };
    if figure("VmSize") > 0 {
        // Without it the inputs run all the same.
        let _ = setrlimit(Resource::As, limit);
    }
    peak()
}

#[cfg(not(unix))]
fn bound_memory() -> u64 {
    MEMORY.min(peak())
}
