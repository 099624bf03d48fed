//! The plan of a run: app x device x strategy x seed.
//!
//! A session's name is stable across runs and safe as a file name; it names the session's folder and the session in
//! every report.

use std::collections::HashMap;
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
    /// `<app>-<device>-<strategy>-<seed>`, unique in the suite.
    pub name: String,
    /// The app.
    pub app: Arc<App>,
    /// The device, one of `device.count`.
    pub device: Arc<Device>,
    /// The strategy.
    pub strategy: Arc<Strategy>,
    /// The seed.
    pub seed: u64,
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

    /// One shard of the plan: some of its sessions, perhaps none. A session is in exactly one shard.
    pub fn shard(self, partition: Partition) -> Self {
        let kept = |(ix, session): &(usize, &Session)| partition.holds(*ix, &session.name);
        let entries = self.whole.iter().enumerate().filter(kept);
        Self {
            entries: entries.map(|(_, session)| session.clone()).collect(),
            shard: Some(partition),
            whole: self.whole,
        }
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
                for &seed in suite.seeds() {
                    sessions.push(Session {
                        name: format!("{}-{}-{}-{seed}", app.name, device.name, strategy.name()),
                        app: Arc::clone(app),
                        device: Arc::clone(device),
                        strategy: Arc::clone(strategy),
                        seed,
                    });
                }
            }
        }
    }
    sessions
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
