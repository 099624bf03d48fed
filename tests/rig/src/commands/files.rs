//! Files by the shell.

use super::Call;
use crate::pipe::lock;

pub fn run(call: &mut Call<'_>) -> i32 {
    let name = call.words[0].clone();
    let args: Vec<String> = call
        .args()
        .iter()
        .filter(|a| !a.starts_with('-'))
        .map(|a| (*a).to_owned())
        .collect();
    match name.as_str() {
        "cat" if args.is_empty() => {
            let _ = call.outputs.out(call.input);
            0
        }
        "cat" => {
            let mut code = 0;
            for arg in args {
                let found = lock(&call.phone.files).get(&arg).map(|f| f.data.clone());
                match found {
                    Some(data) => {
                        let _ = call.outputs.out(&data);
                    }
                    None => {
                        code = call.fail(&format!("cat: {arg}: No such file or directory\n"), 1)
                    }
                }
            }
            code
        }
        "rm" => {
            let forced = call
                .args()
                .iter()
                .any(|a| a.starts_with('-') && a.contains('f'));
            let mut code = 0;
            for arg in args {
                let gone = lock(&call.phone.files).remove(&arg);
                if !gone && !forced {
                    code = call.fail(&format!("rm: {arg}: No such file or directory\n"), 1);
                }
            }
            code
        }
        "ls" => {
            let arg = args.first().map_or("/", String::as_str).to_owned();
            let files = lock(&call.phone.files);
            let (file, folder) = (files.get(&arg).is_some(), files.is_folder(&arg));
            let names: Vec<_> = files.list(&arg).into_iter().map(|(n, _)| n).collect();
            drop(files);
            match (file, folder) {
                (true, _) => call.say(&format!("{arg}\n")),
                (_, true) => call.say(&names.iter().map(|n| format!("{n}\n")).collect::<String>()),
                _ => call.fail(&format!("ls: {arg}: No such file or directory\n"), 1),
            }
        }
        "mv" => {
            let [from, to] = args.as_slice() else {
                return call.fail("mv: Needs 2 arguments\n", 1);
            };
            let mut files = lock(&call.phone.files);
            let Some(file) = files.get(from).cloned() else {
                drop(files);
                return call.fail(&format!("mv: bad '{from}': No such file or directory\n"), 1);
            };
            files.remove(from);
            let done = files.write(to, file);
            drop(files);
            match done {
                Ok(()) => 0,
                Err(why) => call.fail(&format!("mv: {to}: {why}\n"), 1),
            }
        }
        "test" | "[" => {
            let there = args
                .first()
                .is_some_and(|a| lock(&call.phone.files).get(a).is_some());
            i32::from(!there)
        }
        _ => 0,
    }
}
