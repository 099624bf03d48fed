//! Memory that the kernel keeps for a process and that counts as nobody's: the tables of its pages, and what waits in its
//! sockets.
//!
//! What a socket holds cannot be seen from outside. Each holds some 400 KB at most (`net.core.wmem_max`, twice, with the
//! default of the kernel), so their number is limited: those that are open, and in the sandbox's network those that were
//! closed and not read, too.

use std::fs;

/// The most sockets: 200 MB.
const SOCKETS: u64 = 512;
/// The most memory for page tables, in KB; a typical app takes five thousand.
const TABLES: u64 = 128 << 10;

/// Why a process has more than it may; `who` it is.
pub fn excess(who: &str, pid: u32) -> Option<String> {
    let tables = tables(pid).filter(|&tables| tables > TABLES);
    if let Some(tables) = tables {
        let (tables, most) = (tables >> 10, TABLES >> 10);
        return Some(format!(
            "{who}'s page tables take {tables} MB, more than {most}"
        ));
    }
    let sockets = open(pid).max(in_network(pid));
    (sockets > SOCKETS).then(|| format!("{who} has {sockets} sockets, more than {SOCKETS}"))
}

/// In KB.
fn tables(pid: u32) -> Option<u64> {
    let line = super::status(pid, "VmPTE:")?;
    line.trim_end_matches(" kB").parse().ok()
}

fn open(pid: u32) -> u64 {
    let Ok(all) = fs::read_dir(format!("/proc/{pid}/fd")) else {
        return 0;
    };
    let links = all
        .flatten()
        .filter_map(|each| fs::read_link(each.path()).ok());
    links
        .filter(|link| link.to_string_lossy().starts_with("socket:"))
        .count() as u64
}

/// Sockets in folders and without a name, in the network of the sandbox; none if it is this machine's.
fn in_network(pid: u32) -> u64 {
    let network = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/net")).ok();
    let theirs = network(&pid.to_string());
    if theirs.is_none() || theirs == network("self") {
        return 0;
    }
    let list = fs::read_to_string(format!("/proc/{pid}/net/unix")).unwrap_or_default();
    list.lines().count().saturating_sub(1) as u64
}
