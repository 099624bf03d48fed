//! Set-up and chores of the repository: `cargo xtask <command>`.

mod compat;
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
mod liveliness;
mod long_runs;
mod page;
mod planted;
mod policy;
mod processes;
mod reflect;
mod results;
mod rig;
mod sameness;
mod sh;
mod sim_vs_real;
mod study;
mod tests;
mod verify_translation;
mod versions;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <command>

  setup     fetch libtorch and link it into this clone, so that plain cargo commands work
  demo      set up all that is needed and explore the sample apps (the README's first command)
  demo      --seeds N [--app notes|pantry] [--events N] [--jobs N] [--fresh]
            how many of a sample app's planted crashes dinodroid finds (10 seeds, 2000 events each) beside random, how
            short and how sure they are handed over; fails below what is to be reached (hours)
  test      set up all that is needed, check fmt and clippy, pass every test (the second)
  compat    DIR [--events N] [--strategy S] [--json FILE] [--jobs N] [--fresh]
            every APK of a folder in a fresh process: does it launch, does it carry the events
  fidelity  DIR [--events N] [--jobs N] [--fresh] [--json FILE]
            monkey on AndroTest's apps beside the published coverage, for docs/fidelity.md
  sameness  DIR [--events N] [--strategy S] [--seed N] [--apps NAME,NAME] [--label L] [--jobs N] [--fresh]
            every APK twice with one seed, in processes and folders of their own: the same journal byte for byte?
  verify-translation DIR [--jobs N]
            every class of every APK of a folder, translated, before the JVM's verifier; fails on any failing method
  bench     [APK] [--events N]
            what events cost on sim and jvm, in an optimised build; figures for docs/performance.md
  rig       [--sim | --bench [PART...]]
            example-configs/avd.toml on stand-ins for Android's programs and the real adb; --bench: what the way
            through adb costs (overhead, rate, together, flood, memory), in an optimised build
  reflect   [LEVEL...]
            look up the hidden members that the agent on a device uses, in each framework that Maven has
  fate      DIR [--seeds N] [--jobs N] [--kept-back DIR] [--kept-back-strings N] [--no-run]
            the strategies on FATE's published models beside the paper's figures, for docs/fate.md, with N seeds or, of
            quick ones, a multiple; --kept-back: and on the models of another folder, for which nothing is published,
            with the published ones' strings where it has none
  sim-vs-real DIR [--models M,M] [--strategies S,S] [--strings N] [--events N] [--seeds N] [--no-run] [--fresh]
            FATE's published models on sim beside the apps made of them on jvm, for docs/sim-vs-real.md
  fuzz      [PARSER...] [--inputs N] [--chunk N] [--seed N] [--fresh]
            N spoilt inputs for each parser: no panic, bounded time and memory; figures for docs/reliability.md
  kills     [--times N] [--seed N] [--fresh]
            a run on the jvm device killed at N instants drawn by chance: no process of it is left two seconds later
  embedding [--texts]
            train the word vectors that ship with the crate, on texts fetched from the registries; --texts: no further
            than the texts
  policy    DIR [--events N] [--seeds N] [--fresh]
            train the policy that ships with the crate, on one half of a folder of APKs
  versions  DIR [--apps PACKAGE,PACKAGE] [--events N] [--seeds N] [--fresh]
            what policies learned on one version of an app are worth on the next, for docs/policy.md
  long-runs DIR [--apps FILE,FILE] [--events N] [--more N] [--fresh]
            learners for thousands of events, and again from what they learned, for docs/policy.md
  results   DIR [--apps N] [--skip N] [--seeds N] [--seconds N] [--strategies S,S] [--jobs N] [--no-run] [--fresh]
            what strategies are worth on the other half, for docs/results.md (hours); --skip: on apps kept back from a
            first measurement

Long commands keep their results under target/studies and go on where they stopped.";

const COMMANDS: [&str; 17] = [
    "setup",
    "demo",
    "test",
    "compat",
    "fidelity",
    "sameness",
    "verify-translation",
    "bench",
    "fate",
    "sim-vs-real",
    "policy",
    "versions",
    "long-runs",
    "results",
    "rig",
    "fuzz",
    "kills",
];

/// What a chore ends with: nothing, or the reason it failed in words.
type Result<T = ()> = std::result::Result<T, String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let command = args.first().map(String::as_str);
    // Whatever builds the tool needs libtorch before cargo starts.
    let ready = match command {
        Some(known) if COMMANDS.contains(&known) => engine::prepare(),
        _ => Ok(()),
    };
    let done = ready.and_then(|()| match command {
        Some("setup") => Ok(()),
        Some("demo") if rest.is_empty() => demo::run(),
        Some("demo") if rest.iter().any(|arg| arg == "--seeds") => planted::run(rest),
        Some("demo") => Err(format!("demo takes nothing, or --seeds N\n\n{HELP}")),
        Some("test") => tests::run(rest),
        Some("compat") => compat::run(rest),
        Some("fidelity") => fidelity::run(rest),
        Some("sameness") => sameness::run(rest),
        Some("verify-translation") => verify_translation::run(rest),
        Some("rig") => rig::run(rest),
        Some("reflect") => reflect::run(rest),
        Some("fate") => fate::run(rest),
        Some("sim-vs-real") => sim_vs_real::run(rest),
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
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
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
