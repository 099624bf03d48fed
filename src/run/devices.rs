//! Makes a device of a suite's `[[device]]` and installs the app on it.

use super::data;
use super::prepare::Ready;
use crate::config::{self, DeviceKind};
use crate::device::adb::{AdbSettings, SpareDevice};
use crate::device::avd::{AvdDevice, AvdSettings};
use crate::device::data::DeviceData;
use crate::device::jvm::browser::Chromium;
use crate::device::jvm::cache::Cache;
use crate::device::jvm::{
    JvmDevice, JvmSettings, Network, Orientation, Outside, Web, folder_in_session,
};
use crate::device::progress::{Progress, Watch};
use crate::device::sim::{Semantics, SimDevice};
use crate::device::{Device, DeviceError};
use crate::explore::{Stop, retries};
use crate::outcome::folder::SessionFolder;
use crate::outcome::snapshot_cost;
use crate::util::redact::Redactor;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What a session or a replay needs from its device.
#[derive(Debug)]
pub struct Request<'a> {
    /// The device as configured in the suite.
    pub device: &'a config::Device,
    /// Seed of the app's random numbers.
    pub seed: u64,
    /// The session's folder.
    pub folder: &'a SessionFolder,
    /// Do not download.
    pub offline: bool,
    /// The longest time that the main thread may be blocked.
    pub anr: Duration,
    /// Whether to measure coverage.
    pub coverage: bool,
    /// Retries for a device that is lost while it starts.
    pub retries: config::Retries,
}

/// A device with the app on it.
pub struct Made {
    /// The device.
    pub device: Box<dyn Device>,
    /// The app's classes before instrumentation, for coverage reports.
    pub classes: Vec<PathBuf>,
}

/// Makes the session's device and installs the app. Retries as often as the suite allows if the device was lost
/// meanwhile.
///
/// # Errors
/// A requirement of the device is missing, or the app cannot be installed.
pub fn make(
    request: &Request<'_>,
    ready: &Ready,
    on_progress: impl Fn(&str, u64, u64) + Send + Sync + 'static,
    stop: &Stop,
) -> Result<Made, DeviceError> {
    let on_progress = Arc::new(on_progress);
    let mut failed = 0;
    loop {
        let of_this = Arc::clone(&on_progress);
        let heard = move |what: &str, done, total| of_this(what, done, total);
        let error = match make_once(request, ready, heard, stop) {
            Err(error)
                if is_loss(&error) && failed < request.retries.count && !stop.requested() =>
            {
                error
            }
            done => return done,
        };
        on_progress(&format!("retrying: {error}"), 0, 0);
        stop.wait(retries::pause(request.retries.backoff.0, failed));
        failed += 1;
    }
}

/// Is the error a device that was lost or did not start? A missing requirement or a refused app would fail the same
/// in a retry.
const fn is_loss(error: &DeviceError) -> bool {
    match error {
        DeviceError::Timeout { .. } | DeviceError::Protocol(_) => true,
        DeviceError::Died {
            in_app,
            out_of_memory,
            ..
        } => !*in_app && !*out_of_memory,
        _ => false,
    }
}

fn make_once(
    request: &Request<'_>,
    ready: &Ready,
    on_progress: impl Fn(&str, u64, u64) + Send + Sync + 'static,
    stop: &Stop,
) -> Result<Made, DeviceError> {
    match &request.device.kind {
        DeviceKind::Sim(settings) => sim(request, ready, settings),
        DeviceKind::Jvm(settings) => jvm(request, ready, settings, on_progress, stop),
        DeviceKind::Adb(settings) => adb(request, ready, settings, on_progress, stop),
        DeviceKind::Avd(settings) => avd(request, ready, settings, on_progress, stop),
    }
}

fn adb_settings(
    request: &Request<'_>,
    port: Option<u16>,
    hierarchy: config::HierarchySource,
    patience: Duration,
    data: DeviceData,
) -> AdbSettings {
    let defaults = AdbSettings::new();
    AdbSettings {
        port: port.unwrap_or(defaults.port),
        agent: hierarchy == config::HierarchySource::Agent,
        patience,
        anr: request.anr,
        offline: request.offline,
        coverage: request.coverage,
        leases: Cache::locate()
            .ok()
            .map(|cache| cache.root().join("devices")),
        emulators: Cache::locate()
            .ok()
            .map(|cache| cache.root().join("emulators")),
        data,
        ..defaults
    }
}

fn adb(
    request: &Request<'_>,
    ready: &Ready,
    config: &config::AdbDevice,
    on_progress: impl Fn(&str, u64, u64) + Send + Sync + 'static,
    stop: &Stop,
) -> Result<Made, DeviceError> {
    let settings = AdbSettings {
        serial: config.serial.clone(),
        replace: config.replace,
        ..adb_settings(
            request,
            config.port,
            config.hierarchy,
            config.patience.0,
            data::of(&config.data)?,
        )
    };
    let device = SpareDevice::new(
        request.device.name.clone(),
        settings,
        progress_watch(on_progress, stop),
    );
    with_app(device, ready)
}

fn avd(
    request: &Request<'_>,
    ready: &Ready,
    config: &config::AvdDevice,
    on_progress: impl Fn(&str, u64, u64) + Send + Sync + 'static,
    stop: &Stop,
) -> Result<Made, DeviceError> {
    if config.avd.is_some()
        && let Some(count @ 2..) = request.device.count
    {
        return Err(DeviceError::Setup(format!(
            "device `{}`: an AVD named by `avd` can run only once at a time; remove `avd` to use `count = {count}`",
            request.device.name,
        )));
    }
    let locks = Cache::locate()?.root().join("emulators");
    let settings = AvdSettings {
        avd: config.avd.clone(),
        image: config.image().unwrap_or_default().to_owned(),
        profile: config.profile.clone(),
        ram: config.ram,
        disk: config.disk,
        gpu: config.gpu.as_str().to_owned(),
        locale: config.locale.clone(),
        install: config.install && !request.offline,
        boot: config.boot.0,
        logs: locks.join("logs"),
        locks,
        adb: adb_settings(
            request,
            config.port,
            config.hierarchy,
            config.patience.0,
            data::of(&config.data)?,
        ),
    };
    let timing = request.folder.timing();
    let watch = progress_watch(on_progress, stop).costing(move |cost| {
        // A cost that cannot be written does not end the session.
        let _ = snapshot_cost::append(&timing, cost);
    });
    let device = AvdDevice::new(request.device.name.clone(), settings, watch);
    with_app(device, ready)
}

/// Passes the progress of a preparation on.
pub(super) fn progress_watch(
    on_progress: impl Fn(&str, u64, u64) + Send + Sync + 'static,
    stop: &Stop,
) -> Watch {
    let listener =
        move |p: Progress<'_>| on_progress(&format!("{} {}", p.stage, p.detail), p.done, p.total);
    Watch::new(listener, stop.flag())
}

fn with_app(mut device: impl Device + 'static, ready: &Ready) -> Result<Made, DeviceError> {
    device.install(&ready.app)?;
    Ok(Made {
        device: Box::new(device),
        classes: Vec::new(),
    })
}

fn jvm(
    request: &Request<'_>,
    ready: &Ready,
    config: &config::JvmDevice,
    on_progress: impl Fn(&str, u64, u64) + Send + Sync + 'static,
    stop: &Stop,
) -> Result<Made, DeviceError> {
    let work = folder_in_session(request.folder.path());
    let settings = JvmSettings {
        sdk: u32::from(config.api),
        screen_dp: (config.screen.width, config.screen.height),
        density: config.screen.density,
        locale: config.locale.clone(),
        orientation: match config.orientation {
            config::Orientation::Portrait => Orientation::Portrait,
            config::Orientation::Landscape => Orientation::Landscape,
        },
        memory_mb: config.memory,
        disk_mb: config.disk,
        network: match &config.network {
            config::Network::Off => Network::Off,
            config::Network::Allow => Network::Open,
            config::Network::Replay(path) => Network::Replay(path.clone().into_std_path_buf()),
        },
        web: match config.web {
            config::Web::Auto | config::Web::Htmlunit => Web::HtmlUnit,
            config::Web::Chromium => {
                // Checked before the app is translated, which is slow.
                Chromium::locate()?;
                Web::Chromium
            }
            config::Web::Off => Web::Off,
        },
        confine: config.confine,
        seed: request.seed,
        start_ms: config::millis_of(&config.start).ok_or_else(|| {
            DeviceError::Setup(format!(
                "device.start: {} is not a valid time; write a time in UTC such as \"2026-01-05T09:00:00Z\"",
                config.start
            ))
        })?,
        anr: request.anr,
        offline: request.offline,
        outside: match config.outside {
            config::Outside::Seeded => Outside::Seeded,
            config::Outside::Empty => Outside::Empty,
        },
        data: data::of(&config.data)?,
        secrets: Redactor::new(ready.secrets.iter().cloned()),
        ..JvmSettings::new(work, request.folder.logs())
    };
    let mut device = JvmDevice::new(
        request.device.name.clone(),
        settings,
        Cache::locate()?,
        progress_watch(on_progress, stop),
    );
    device.install(&ready.app)?;
    let classes = if ready.app.classes.is_empty() {
        device.classes().into_iter().collect()
    } else {
        ready.app.classes.clone()
    };
    Ok(Made {
        device: Box::new(device),
        classes,
    })
}

/// Strings that replace the text generator's pools: the app's, else the sim device's, else the model's.
pub fn pool(app: &config::App, device: &config::Device, ready: &Ready) -> Option<Vec<String>> {
    if app.strings.is_some() {
        return app.strings.clone();
    }
    let DeviceKind::Sim(config) = &device.kind else {
        return None;
    };
    let own = ready.model.as_ref().map(|model| &model.strings);
    let own = own.filter(|strings| !strings.is_empty()).cloned();
    config.strings.clone().or(own)
}

fn sim(
    request: &Request<'_>,
    ready: &Ready,
    config: &config::SimDevice,
) -> Result<Made, DeviceError> {
    let semantics = match config.semantics {
        config::SimSemantics::Clean => Semantics::Clean,
        config::SimSemantics::FateCompat => Semantics::FateCompat,
    };
    let mut device = SimDevice::new(request.device.name.clone(), semantics, request.seed);
    let model = ready
        .model
        .clone()
        .ok_or_else(|| DeviceError::Setup("the app is not a model".to_owned()))?;
    device.install_model(model);
    Ok(Made {
        device: Box::new(device),
        classes: Vec::new(),
    })
}
