//! The templates in `templates/ci`: their scripts run here, with stand-ins for the scheduler and for adb.

use super::{desk, findings, suite, tool};
use crate::common::program::{Desk, Ended};
use crate::common::root;
use regex::Regex;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

/// A desk with a suite of four sessions, and `cargo` and `adb` in its folder `bin`.
fn farm() -> Desk {
    let desk =
        desk(&(suite("[1, 2]", "").replace("1500", "300") + "[minimize]\nenabled = false\n"));
    let tool = env!("CARGO_BIN_EXE_cargo-droidtest");
    for (name, text) in [
        ("cargo", format!("#!/bin/bash\nexec '{tool}' \"$@\"\n")),
        ("adb", "#!/bin/bash\necho \"$*\" >>adb.log\n".to_owned()),
    ] {
        let path = desk.write(&format!("bin/{name}"), text);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    desk
}

fn template(name: &str) -> String {
    fs::read_to_string(root().join("templates/ci").join(name)).unwrap()
}

fn bash(desk: &Desk, script: &str, args: &[&str], env: &[(&str, &str)]) -> Ended {
    let mut command = Command::new("bash");
    command
        .arg("-euc")
        .arg(script)
        .arg("script")
        .args(args)
        .current_dir(desk.folder());
    let path = format!("{}:/usr/bin:/bin", desk.path("bin").display());
    command
        .env_clear()
        .env("PATH", path)
        .env("DROIDTEST_OUT", desk.path("runs"));
    Ended::of(command.envs(env.iter().copied()))
}

/// The script of a container in a Kubernetes template.
fn of_pod(text: &str) -> String {
    let lines = text
        .lines()
        .skip_while(|line| !line.ends_with("- |"))
        .skip(1);
    let block = lines
        .take_while(|line| line.starts_with("              "))
        .map(str::trim_start);
    let script = block.collect::<Vec<_>>().join("\n");
    assert!(script.contains("cargo droidtest"), "{script}");
    script
}

/// The merged run has the findings of a run on one machine.
fn is_whole(desk: &Desk, merged: &str) {
    assert_eq!(tool(desk, "run --run-id one").code, 100);
    assert_eq!(
        findings(&desk.path(merged)),
        findings(&desk.path("runs/one"))
    );
}

#[test]
fn the_tasks_of_a_slurm_array_are_merged() {
    let desk = farm();
    let here = desk.folder().to_str().unwrap().to_owned();
    let task = |id: &str| {
        let count = [
            ("SLURM_ARRAY_TASK_COUNT", "2"),
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_MAX", "2"),
        ];
        let own = [
            ("SLURM_ARRAY_TASK_ID", id),
            ("SLURM_SUBMIT_DIR", here.as_str()),
        ];
        bash(
            &desk,
            &template("slurm.sbatch"),
            &[],
            &[&count[..], &own].concat(),
        )
    };
    let merge = |job: &str| {
        let env = [("SLURM_JOB_ID", job), ("SLURM_SUBMIT_DIR", here.as_str())];
        bash(&desk, &template("slurm-merge.sbatch"), &[], &env)
    };
    assert_eq!(task("1").code, 0);
    let part = merge("7");
    // Without a baseline the findings of the first shard are new, which outweighs the missing one.
    assert_eq!(part.code, 100, "{}", part.err);
    assert!(
        part.err.contains("shard 2 of 2 is incomplete"),
        "{}",
        part.err
    );
    assert_eq!(task("2").code, 0);
    let requeued = task("2");
    assert!(
        requeued.err.contains("2 of 2 sessions complete"),
        "{}",
        requeued.err
    );
    assert_eq!(merge("8").code, 100);
    is_whole(&desk, "runs/merged-8");
}

#[test]
fn the_pods_of_a_kubernetes_job_are_merged() {
    let desk = farm();
    for index in ["0", "1", "2", "1"] {
        let env = [("JOB_COMPLETION_INDEX", index), ("DROIDTEST_SHARDS", "3")];
        let pod = bash(&desk, &of_pod(&template("kubernetes.yaml")), &[], &env);
        assert_eq!(pod.code, 0, "{}", pod.err);
    }
    let merged = bash(&desk, &of_pod(&template("kubernetes-merge.yaml")), &[], &[]);
    assert_eq!(merged.code, 100, "{}", merged.err);
    is_whole(&desk, "runs/merged");
    let text = template("kubernetes.yaml");
    for number in ["completions: 8", "parallelism: 8", "value: \"8\""] {
        assert!(text.contains(number), "{number}");
    }
}

#[test]
fn a_farm_explores_on_each_phone_and_continues() {
    let desk = farm();
    let script = template("device-farm.sh");
    let phones = ["192.0.2.1:5555", "192.0.2.2:5555", "192.0.2.3:5555"];
    let run = || bash(&desk, &script, &phones, &[("FARM", "f")]);
    let first = run();
    assert_eq!(first.code, 100, "{}", first.all());
    let asked = String::from_utf8(desk.read("adb.log")).unwrap();
    for phone in phones {
        assert!(
            asked.contains(&format!("connect {phone}\n-s {phone} wait-for-device\n")),
            "{asked}"
        );
    }
    is_whole(&desk, "runs/f-merged-1");
    fs::remove_dir_all(desk.path("runs/f-2/sessions")).unwrap();
    assert_eq!(run().code, 100);
    assert_eq!(
        findings(&desk.path("runs/f-merged-2")),
        findings(&desk.path("runs/one"))
    );
    let none = bash(&desk, &script, &[], &[]);
    assert_eq!(none.code, 2);
}

#[test]
fn templates_use_flags_and_commands_that_exist() {
    let desk = farm();
    let flag = Regex::new(r"--[a-z][a-z-]+").unwrap();
    let help: String = ["run", "merge", "gate"]
        .iter()
        .map(|of| tool(&desk, &format!("{of} --help")).out)
        .collect();
    for entry in fs::read_dir(root().join("templates/ci")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let calls = text
            .lines()
            .filter(|line| line.contains("cargo droidtest") || line.contains("args: --"));
        for call in calls.filter(|line| !line.trim_start().starts_with('#')) {
            for flag in flag.find_iter(call) {
                assert!(help.contains(flag.as_str()), "{}: {call}", path.display());
            }
        }
    }
    // The action has the inputs that the workflow gives it.
    let action = fs::read_to_string(root().join("action.yml")).unwrap();
    for input in ["merge", "shard", "artifact", "suite"] {
        assert!(action.contains(&format!("\n  {input}:\n")), "{input}");
        assert!(
            template("github.yml").contains(&format!("          {input}: ")),
            "{input}"
        );
    }
}
