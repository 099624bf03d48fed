//! The plan of a run: app x device x strategy x seed.
//!
//! A session's name is stable across runs and safe as a file name; it names the session's folder and the session in
//! every report.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::partition::Partition;
use crate::config::diagnose::{Code, Problem, Problems, listed};
use crate::config::{App, Device, Strategy, Suite};
use crate::util::text::for_file_name;

/// The planned sessions, in order.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The sessions.
    pub entries: Vec<Session>,
    /// The shard of the whole plan that these are; nothing for all of it.
    pub shard: Option<Partition>,
    /// The sessions of the whole plan.
    pub whole: Vec<Session>,
}

/// One app on one device by one strategy with one seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// `<app>-<device>-<strategy>-<seed>`, with `-d<number>` in a group; unique in the suite.
    pub name: String,
    /// The app.
    pub app: Arc<App>,
    /// The device, one of `device.count`.
    pub device: Arc<Device>,
    /// The strategy.
    pub strategy: Arc<Strategy>,
    /// The seed.
    pub seed: u64,
    /// Its number in the group of sessions that run side by side, from 0; the others of the group follow. 0 of one alone.
    pub seat: u32,
}

impl Plan {
    /// The plan of the suite's selection.
    pub fn new(suite: &Suite) -> Result<Self, Problems> {
        let settings = &suite.settings;
        let all = sessions(suite);
        unique(&all)?;
        let wanted = |chosen: &Option<Vec<String>>, name: &str| {
            chosen
                .as_ref()
                .is_none_or(|names| names.iter().any(|one| one == name))
        };
        let confirm = settings
            .gate
            .as_ref()
            .and_then(|gate| gate.confirm.as_ref());
        let confirms =
            |device: &Device| settings.suite.devices.is_none() && confirm == Some(&device.name);
        let entries: Vec<_> = all
            .into_iter()
            .filter(|session| !confirms(&session.device))
            .filter(|session| {
                wanted(&settings.suite.apps, &session.app.name)
                    && wanted(&settings.suite.devices, &session.device.name)
                    && wanted(&settings.suite.strategies, session.strategy.name())
            })
            .collect();
        if entries.is_empty() {
            return Err(nothing(suite).into());
        }
        Ok(Self::of(entries))
    }

    /// A plan of these sessions.
    pub fn of(entries: Vec<Session>) -> Self {
        Self {
            whole: entries.clone(),
            shard: None,
            entries,
        }
    }

    /// The sessions that start together: one alone, or a group.
    pub fn units(&self) -> Vec<Range<usize>> {
        units(&self.entries)
    }

    /// One shard of the plan: some of its sessions, perhaps none. A session is in exactly one shard, and so is a group.
    pub fn shard(self, partition: Partition) -> Self {
        let units = units(&self.whole).into_iter().enumerate();
        let kept = units.filter(|(ix, unit)| partition.holds(*ix, &self.whole[unit.start].name));
        Self {
            entries: kept
                .flat_map(|(_, unit)| self.whole[unit].to_vec())
                .collect(),
            shard: Some(partition),
            whole: self.whole,
        }
    }

    /// Has each group a device for each of its sessions?
    ///
    /// # Errors
    /// One has fewer.
    pub fn has_devices(&self, suite: &Suite) -> Result<(), Problems> {
        for session in &self.entries {
            has_devices(suite, session)?;
        }
        Ok(())
    }

    /// Is no session in a group? `what` cannot use groups.
    ///
    /// # Errors
    /// One is.
    pub fn has_no_group(&self, suite: &Suite, what: &str) -> Result<(), Problems> {
        let Some(session) = self.entries.iter().find(|session| session.seat > 0) else {
            return Ok(());
        };
        let strategies = &suite.settings.strategies;
        let name = session.strategy.name();
        let at = strategies.iter().position(|one| one.name() == name);
        let key = |at: usize| {
            suite.place(
                &["strategy".into(), at.into(), "side-by-side".into()],
                "several devices",
            )
        };
        let message = format!(
            "{what} uses one device for each session, but the strategy `{name}` runs on several side by side"
        );
        Err(Problem::new(Code::ConflictingKeys, message)
            .at(at.and_then(key))
            .help("set `side-by-side = 1`, or select other strategies".to_owned())
            .into())
    }

    /// The apps of the plan, each once, in order.
    pub fn apps(&self) -> Vec<&Arc<App>> {
        let mut apps: Vec<&Arc<App>> = Vec::new();
        for session in &self.entries {
            if !apps.iter().any(|app| app.name == session.app.name) {
                apps.push(&session.app);
            }
        }
        apps
    }
}

fn units(sessions: &[Session]) -> Vec<Range<usize>> {
    let starts: Vec<usize> = (0..sessions.len())
        .filter(|ix| sessions[*ix].seat == 0)
        .collect();
    let ends = starts.iter().skip(1).copied().chain([sessions.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| *start..end)
        .collect()
}

fn sessions(suite: &Suite) -> Vec<Session> {
    let settings = &suite.settings;
    let apps: Vec<_> = settings.apps.iter().cloned().map(Arc::new).collect();
    let devices: Vec<_> = settings.devices.iter().cloned().map(Arc::new).collect();
    let strategies: Vec<_> = settings.strategies.iter().cloned().map(Arc::new).collect();
    let mut sessions = Vec::new();
    for app in &apps {
        let allowed = |device: &Device| match &app.devices {
            Some(names) => names.contains(&device.name),
            None => true,
        };
        for device in devices
            .iter()
            .filter(|device| allowed(device) && device.can_run(app))
        {
            for strategy in &strategies {
                let side = strategy
                    .kind
                    .group()
                    .map_or(1, |group| group.sessions as u32);
                for (&seed, seat) in suite
                    .seeds()
                    .iter()
                    .flat_map(|seed| (0..side).map(move |seat| (seed, seat)))
                {
                    let name = format!("{}-{}-{}-{seed}", app.name, device.name, strategy.name());
                    sessions.push(Session {
                        name: match side {
                            1 => name,
                            _ => format!("{name}-d{}", seat + 1),
                        },
                        app: Arc::clone(app),
                        device: Arc::clone(device),
                        strategy: Arc::clone(strategy),
                        seed,
                        seat,
                    });
                }
            }
        }
    }
    sessions
}

/// A group needs a device for each of its sessions.
fn has_devices(suite: &Suite, session: &Session) -> Result<(), Problem> {
    let (device, strategy) = (&session.device, session.strategy.name());
    let wanted = session
        .strategy
        .kind
        .group()
        .map_or(1, |group| group.sessions);
    let count = device.count.unwrap_or(1) as usize;
    let events = suite.settings.suite.budget.events;
    if events.is_some_and(|events| events < wanted as u64) {
        let message = format!(
            "the strategy `{strategy}` runs on {wanted} devices side by side, more than the budget's events ({})",
            events.unwrap_or_default()
        );
        let place = suite.place(&["suite".into(), "budget".into()], "too few");
        let fix = format!("set `events` of the budget to {wanted} or more");
        return Err(Problem::new(Code::ConflictingKeys, message)
            .at(place)
            .help(fix));
    }
    if count >= wanted {
        return Ok(());
    }
    let devices = &suite.settings.devices;
    let at = devices.iter().position(|one| one.name == device.name);
    let place = |key: &str| suite.place(&["device".into(), at?.into(), key.into()], "too few");
    let name = &device.name;
    let message = format!(
        "the strategy `{strategy}` runs on {wanted} devices side by side, but `{name}` is {count}"
    );
    let strategies = &suite.settings.strategies;
    let by = strategies.iter().position(|one| one.name() == strategy);
    let key = |by: usize| {
        suite.place(
            &["strategy".into(), by.into(), "side-by-side".into()],
            "so many",
        )
    };
    Err(Problem::new(Code::ConflictingKeys, message)
        .at(place("count").or_else(|| place("name")))
        .at(by.and_then(key))
        .help(format!(
            "set `count = {wanted}` for the device, or a smaller `side-by-side` for the strategy"
        )))
}

/// Names are joined by dashes and may contain dashes, so two sessions can get the same name.
fn unique(sessions: &[Session]) -> Result<(), Problem> {
    let mut seen: HashMap<String, &Session> = HashMap::new();
    for session in sessions {
        if let Some(other) = seen.insert(for_file_name(&session.name).to_lowercase(), session) {
            let what = |session: &Session| {
                format!(
                    "app `{}` on `{}` by `{}`",
                    session.app.name,
                    session.device.name,
                    session.strategy.name()
                )
            };
            return Err(Problem::new(
                Code::DuplicateName,
                format!(
                    "two sessions would both have the name `{}`: {} and {}",
                    session.name,
                    what(other),
                    what(session)
                ),
            )
            .help("rename one of the apps, devices or strategies".to_owned()));
        }
    }
    Ok(())
}

fn nothing(suite: &Suite) -> Problem {
    let chosen = &suite.settings.suite;
    let mut parts = Vec::new();
    for (what, names) in [
        ("apps", &chosen.apps),
        ("devices", &chosen.devices),
        ("strategies", &chosen.strategies),
    ] {
        if let Some(names) = names {
            parts.push(format!("the {what} {}", listed(names)));
        }
    }
    let pairs: Vec<_> = suite
        .settings
        .apps
        .iter()
        .map(|app| {
            let devices: Vec<_> = suite
                .settings
                .devices
                .iter()
                .filter(|device| {
                    device.can_run(app)
                        && app
                            .devices
                            .as_ref()
                            .is_none_or(|names| names.contains(&device.name))
                })
                .map(|device| &device.name)
                .collect();
            format!("`{}` runs on {}", app.name, listed(&devices))
        })
        .collect();
    Problem::new(
        Code::NothingSelected,
        format!("nothing to explore with {}", parts.join(" and ")),
    )
    .at(["devices", "apps", "strategies"]
        .into_iter()
        .find_map(|key| suite.place(&["suite".into(), key.into()], "this selection")))
    .help(pairs.join("; "))
}
