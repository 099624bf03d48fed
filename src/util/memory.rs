//! The memory that processes can still take.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Bytes that were available when this was first asked, so that all answers of a process agree: of this machine
/// (`MemAvailable`), or as its control group allows where that is less (cgroup v2, as in a container). `None`: the
/// system does not report it (not Linux).
pub fn available() -> Option<u64> {
    static FIRST: OnceLock<Option<u64>> = OnceLock::new();
    *FIRST.get_or_init(|| least(Path::new("/")))
}

fn least(root: &Path) -> Option<u64> {
    let read = |path: &Path| fs::read_to_string(path).ok();
    let machine = read(&root.join("proc/meminfo")).and_then(|info| of_meminfo(&info))?;
    let group = read(&root.join("proc/self/cgroup"));
    let group = group.and_then(|text| {
        Some(
            text.lines()
                .find_map(|l| l.strip_prefix("0::/"))?
                .to_owned(),
        )
    });
    let group = root.join("sys/fs/cgroup").join(group.unwrap_or_default());
    // A group has no more than the groups that it is in.
    let limits = group
        .ancestors()
        .take_while(|folder| folder.starts_with(root.join("sys/fs/cgroup")));
    let limits = limits.filter_map(|folder| read(&folder.join("memory.max"))?.trim().parse().ok());
    limits.chain([machine]).min()
}

fn of_meminfo(info: &str) -> Option<u64> {
    let line = info.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().trim_end_matches(" kB").parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_of_the_machine_and_the_groups_counts() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        assert_eq!(least(root.path()), None);
        write(
            "proc/meminfo",
            "MemTotal:  9000 kB\nMemAvailable:    8000 kB\n",
        );
        assert_eq!(least(root.path()), Some(8000 << 10));
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        assert_eq!(least(root.path()), Some(8000 << 10));
        write("sys/fs/cgroup/a/memory.max", "4096\n");
        assert_eq!(least(root.path()), Some(4096));
    }
}
