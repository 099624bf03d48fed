//! The user of the phone that a run is for. A phone with a work profile and a car with several screens run an app for
//! more than one user at a time.

use super::error::AdbError;
use super::handle::Handle;
use std::time::Duration;

/// What the shell answers at once.
const SHORT: Duration = Duration::from_secs(30);
/// `UserHandle.PER_USER_RANGE`: numbers of apps of one user.
const RANGE: u32 = 100_000;
/// What starts something for the user in front unless the command names one.
const STARTS: [&str; 3] = ["am start ", "am broadcast ", "am startservice "];

/// The user; `None` where the phone has one only, which no command needs to name.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct User(Option<String>);

impl User {
    /// The user in front.
    ///
    /// # Errors
    /// The device cannot be reached.
    pub fn in_front(handle: &Handle) -> Result<Self, AdbError> {
        let said = handle.shell("pm list users; am get-current-user", SHORT)?;
        Ok(Self::from_lists(&said.text()))
    }

    /// `UserInfo{0:Owner:c13} running` for each, and the number of the one in front.
    fn from_lists(text: &str) -> Self {
        let users = text.matches("UserInfo{").count();
        let current = text
            .lines()
            .rev()
            .find_map(|l| l.trim().parse::<u32>().ok());
        Self(match (users, current) {
            (..=1, None | Some(0)) => None,
            (_, current) => Some(current.unwrap_or(0).to_string()),
        })
    }

    /// `--user N`, where it must be named.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flat_map(|user| ["--user", user.as_str()])
    }

    /// Its number, where there are others.
    pub fn number(&self) -> Option<u32> {
        self.0.as_ref()?.parse().ok()
    }

    /// A line of the activity manager's for this user.
    pub fn line(&self, line: &str) -> String {
        let start = STARTS.iter().find(|start| line.starts_with(**start));
        match (&self.0, start) {
            (Some(user), Some(start)) => {
                format!("{start}--user {user} {}", &line[start.len()..])
            }
            _ => line.to_owned(),
        }
    }

    /// The command that lists an app's processes; `package` is quoted.
    pub fn list_processes(&self, package: &str) -> String {
        match self.0 {
            None => format!("pidof {package} 2>/dev/null || ps"),
            // With the user of each, as in `u11_a120`.
            Some(_) => "ps -A -o USER,PID,NAME 2>/dev/null || ps".to_owned(),
        }
    }

    /// The processes of this user in what that printed.
    pub fn own(&self, text: &str, package: &str) -> Vec<u32> {
        self.split(text, package).0
    }

    /// The processes of this user, and those of others.
    pub fn split(&self, text: &str, package: &str) -> (Vec<u32>, Vec<u32>) {
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for (pid, user) in processes(text, package) {
            let other = self.number().zip(user).is_some_and(|(own, of)| own != of);
            if other { &mut others } else { &mut own }.push(pid);
        }
        (own, others)
    }

    /// Processes of a package that lines of the system's log say are another user's.
    pub fn others(&self, log: &str, package: &str) -> Vec<u32> {
        let Some(own) = self.number() else {
            return Vec::new();
        };
        let started = log.lines().filter_map(|line| started(line, package));
        let others = started.filter(|(_, user)| *user != own);
        others.map(|(pid, _)| pid).collect()
    }

    /// Is this app number, as in `UID: 1110120`, one of another user?
    pub fn is_other(&self, uid: u32) -> bool {
        let own = self.number();
        own.is_some_and(|own| uid / RANGE != own)
    }
}

/// Process numbers with their user, where that is printed: those of `pidof`, or the app's lines of `ps`.
fn processes(text: &str, package: &str) -> Vec<(u32, Option<u32>)> {
    let text = text.trim();
    let numbers = text
        .chars()
        .all(|c| c.is_ascii_digit() || c.is_whitespace());
    if numbers {
        let all = text.split_whitespace().filter_map(|n| n.parse().ok());
        return all.map(|pid| (pid, None)).collect();
    }
    let of_line = |line: &str| {
        let mut words = line.split_whitespace();
        if words.clone().last() != Some(package) {
            return None;
        }
        let user = words
            .next()?
            .strip_prefix('u')
            .and_then(|user| user.split_once('_'));
        let user = user.and_then(|(user, _)| user.parse().ok());
        Some((words.next()?.parse().ok()?, user))
    };
    text.lines().filter_map(of_line).collect()
}

/// The process and the user of a line of the system's log, `Start proc 4242:com.x/u11a120 for activity {...}`, if it is
/// of this package.
fn started(line: &str, package: &str) -> Option<(u32, u32)> {
    let (_, rest) = line.split_once("Start proc ")?;
    let (pid, rest) = rest.split_once(':')?;
    let (process, rest) = rest.split_once("/u")?;
    let of = process.strip_prefix(package)?;
    (of.is_empty() || of.starts_with(':')).then_some(())?;
    let (user, _) = rest.split_once(['a', 's', 'i'])?;
    Some((pid.parse().ok()?, user.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str =
        "Users:\n\tUserInfo{0:Owner:c13} running\n\tUserInfo{11:Work:1030} running\n11\n";

    #[test]
    fn a_user_is_named_where_there_are_several() {
        for (text, user) in [
            ("Users:\n\tUserInfo{0:Owner:c13} running\n0\n", None),
            ("0\n", None),
            ("", None),
            (TWO, Some(11)),
            (
                "Users:\n\tUserInfo{0:A:c13}\n\tUserInfo{10:B:10}\n0\n",
                Some(0),
            ),
            // A car's user 0 is the system's.
            ("Users:\n\tUserInfo{10:Driver:c13} running\n10\n", Some(10)),
        ] {
            let found = User::from_lists(text);
            assert_eq!(found.number(), user, "{text}");
            assert_eq!(found.words().count(), 2 * usize::from(user.is_some()));
        }
        let user = User::from_lists(TWO);
        assert_eq!(
            user.line("am start -W -n a/b"),
            "am start --user 11 -W -n a/b"
        );
        assert_eq!(user.line("input tap 1 2"), "input tap 1 2");
        assert_eq!(User::default().line("am start -n a/b"), "am start -n a/b");
    }

    #[test]
    fn processes_of_another_user_are_known() {
        let user = User::from_lists(TWO);
        assert_eq!(user.split("4300\n", "com.x"), (vec![4300], Vec::new()));
        let ps = "USER PID PPID NAME\nu0_a120 4242 77 com.x\nu11_a120 4300 77 com.x\nu11_a9 9 7 com.xy\n";
        assert_eq!(user.split(ps, "com.x"), (vec![4300], vec![4242]));
        let one = User::default();
        assert_eq!(one.own("\n1234 99\n", "com.x"), [1234, 99]);
        let ps = "USER PID PPID VSIZE NAME\nu0_a57 1234 77 900 com.x\nu0_a58 1235 77 900 com.xy\n";
        assert_eq!(one.own(ps, "com.x"), [1234]);
        assert!(one.own("\n", "com.x").is_empty());
        assert!(user.is_other(10_120) && !user.is_other(1_110_120) && !one.is_other(1_110_120));
    }

    #[test]
    fn the_log_says_for_whom_a_process_starts() {
        let line = "ActivityManager: Start proc 4242:com.x:remote/u11a120 for service {com.x/.S}";
        assert_eq!(started(line, "com.x"), Some((4242, 11)));
        assert_eq!(started(line, "com.y"), None);
        assert_eq!(
            started(
                "Start proc com.x for activity com.x/.Main: pid=12 uid=10057",
                "com.x"
            ),
            None
        );
    }
}
