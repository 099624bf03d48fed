//! What `dumpsys activity broadcasts` reports about receivers registered in code.

use super::text;
use std::collections::BTreeSet;

/// The actions that processes of `package` have registered receivers for, sorted.
///
/// The form is Android's since 4.1 (`ReceiverList.dump` and `IntentFilter.dump`): a list for each receiver, named
/// by process, then its filters' actions. The table that follows repeats them by action and is not read.
pub fn registered(dump: &str, package: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut ours = false;
    for (_, line) in text::lines(dump) {
        let line = line.trim();
        if line.starts_with("Receiver Resolver Table:") {
            break;
        }
        if let Some(list) = line.strip_prefix("* ReceiverList{") {
            // Hash, process id, then process, user id and user joined by slashes.
            let process = list.split_whitespace().nth(2).unwrap_or_default();
            let process = process.split('/').next().unwrap_or_default();
            ours = process
                .strip_prefix(package)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'));
        } else if let Some(action) = line.strip_prefix("Action: \"")
            && ours
        {
            found.insert(action.trim_end_matches('"').to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "ACTIVITY MANAGER BROADCAST STATE (dumpsys activity broadcasts)\n  Registered Receivers:\n\
        \x20 * ReceiverList{82bcce 603 com.android.systemui/10019/u0 remote:83b3dc9}\n\
        \x20   app=603:com.android.systemui/u0a19 pid=603 uid=10019 user=0\n\
        \x20   Filter #0: BroadcastFilter{28557ef}\n      Action: \"android.intent.action.TIME_TICK\"\n\
        \x20 * ReceiverList{412fa82 1385 com.x/10100/u0 remote:7dbd1cd}\n\
        \x20   app=1385:com.x/u0a100 pid=1385 uid=10100 user=0\n\
        \x20   Filter #0: BroadcastFilter{6f47593}\n      Action: \"b.SECOND\"\n      Action: \"a.FIRST\"\n\
        \x20     AutoVerify=false\n\
        \x20 * ReceiverList{412fa83 1386 com.x:sync/10100/u0 remote:7dbd1ce}\n\
        \x20   Filter #0: BroadcastFilter{6f47594}\n      Action: \"c.THIRD\"\n\
        \x20 * ReceiverList{412fa84 1387 com.xy/10101/u0 remote:7dbd1cf}\n\
        \x20   Filter #0: BroadcastFilter{6f47595}\n      Action: \"d.OTHERS\"\n\
        \x20 Receiver Resolver Table:\n    Full MIME Types:\n      Action: \"e.TABLE\"\n";

    #[test]
    fn only_the_apps_own_processes_count() {
        let found: Vec<_> = registered(DUMP, "com.x").into_iter().collect();
        assert_eq!(found, ["a.FIRST", "b.SECOND", "c.THIRD"]);
        assert!(registered("Can't find service: activity\n", "com.x").is_empty());
        assert!(registered("* ReceiverList{\nAction: \"", "").len() < 2);
    }
}
