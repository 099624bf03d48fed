//! The manifest: binary XML and resource references turned into what the app declares.

use super::api_level::{PREVIEW, level_of};
use super::axml::{Element, Value};
use super::components::{Activity, Alias, Component, Filter, LaunchMode, Provider};
use super::error::Problem;
use super::resources::Resources;

/// What an app says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manifest {
    /// Package.
    pub package: String,
    /// The app's name as a person sees it, in English or the default language; the package where there is none.
    pub label: String,
    /// Version for people.
    pub version_name: Option<String>,
    /// Version for machines.
    pub version_code: Option<u32>,
    /// Lowest API level, as written, or the one that a preview's code name became.
    pub min_sdk: Option<u32>,
    /// API level it was written for, likewise.
    pub target_sdk: Option<u32>,
    /// The code name of a preview of Android in place of one of them, if its API level is not known.
    pub preview: Option<String>,
    /// Class of the application object, fully qualified.
    pub application: Option<String>,
    /// Permissions requested.
    pub permissions: Vec<String>,
    /// Activities, without those of test harnesses (`*.EmmaInstrument.*`).
    pub activities: Vec<Activity>,
    /// Aliases of activities.
    pub aliases: Vec<Alias>,
    /// Services.
    pub services: Vec<Component>,
    /// Broadcast receivers.
    pub receivers: Vec<Component>,
    /// Content providers.
    pub providers: Vec<Provider>,
    /// The activity that the home screen starts: a class, never an alias.
    pub launcher: Option<String>,
}

/// Is this class part of a test harness that was built into the APK? AndroTest's builds carry an activity, a
/// receiver and an instrumentation under `<package>.EmmaInstrument`, which no user can reach.
pub fn is_harness(class: &str) -> bool {
    class.split(['.', '/']).any(|part| part == "EmmaInstrument")
}

impl Manifest {
    /// The API level it was written for as Android counts it: the lowest where none is named, and one above all others
    /// for a preview.
    pub fn effective_target_sdk(&self) -> u32 {
        let preview = self.preview.as_ref().map(|_| PREVIEW);
        self.target_sdk.or(preview).or(self.min_sdk).unwrap_or(1)
    }

    /// Names of the declared activities in the manifest's order.
    pub fn activity_names(&self) -> Vec<String> {
        let names = self.activities.iter().map(|a| a.component.name.clone());
        names.collect()
    }

    /// The activity of this name.
    pub fn activity(&self, name: &str) -> Option<&Activity> {
        self.activities.iter().find(|a| a.component.name == name)
    }

    pub(super) fn read(elements: &[Element], resources: &Resources<'_>) -> Result<Self, Problem> {
        let mut reader = Reader {
            resources,
            manifest: Self::default(),
            split: None,
            application_enabled: true,
            exported: None,
            open: None,
        };
        for element in elements {
            reader.element(element);
        }
        reader.close();
        let (mut manifest, split) = (reader.manifest, reader.split);
        if &*elements[0].name != "manifest" {
            return Err(Problem::BadManifest("its root is no <manifest>".into()));
        }
        if manifest.package.is_empty() {
            return Err(Problem::BadManifest("it names no package".into()));
        }
        if let Some(split) = split {
            return Err(Problem::Split(split));
        }
        if manifest.label.is_empty() {
            manifest.label.clone_from(&manifest.package);
        }
        manifest.launcher = manifest.find_launcher();
        Ok(manifest)
    }

    /// As `getLaunchIntentForPackage` chooses: of the enabled ones the highest priority, then the first declared.
    fn find_launcher(&self) -> Option<String> {
        let activities = self
            .activities
            .iter()
            .map(|a| (&a.component, &a.component.name));
        let aliases = self.aliases.iter().map(|a| (&a.component, &a.target));
        activities
            .chain(aliases)
            .filter(|(component, target)| component.enabled && self.activity(target).is_some())
            .filter_map(|(component, target)| {
                let launchers = component.filters.iter().filter(|f| f.is_launcher());
                Some((launchers.map(|f| f.priority).max()?, target))
            })
            // `max_by_key` takes the last of equals, so go backwards.
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .max_by_key(|&(priority, _)| priority)
            .map(|(_, target)| target.clone())
    }
}

/// The component being read.
enum Open {
    Activity(Activity),
    Alias(Alias),
    Service(Component),
    Receiver(Component),
    Provider(Provider),
}

impl Open {
    fn component(&mut self) -> &mut Component {
        match self {
            Self::Activity(a) => &mut a.component,
            Self::Alias(a) => &mut a.component,
            Self::Provider(p) => &mut p.component,
            Self::Service(c) | Self::Receiver(c) => c,
        }
    }
}

struct Reader<'a> {
    resources: &'a Resources<'a>,
    manifest: Manifest,
    split: Option<String>,
    application_enabled: bool,
    /// `exported` of the open component, where written.
    exported: Option<bool>,
    open: Option<Open>,
}

impl Reader<'_> {
    fn element(&mut self, element: &Element) {
        if element.depth <= 2 {
            self.close();
        }
        match (element.depth, &*element.name) {
            (0, "manifest") => self.manifest_element(element),
            (1, "uses-sdk") => {
                self.manifest.min_sdk = self.level(element, 0x0101_020c, "minSdkVersion");
                self.manifest.target_sdk = self.level(element, 0x0101_0270, "targetSdkVersion");
            }
            (1, "uses-permission" | "uses-permission-sdk-23") => {
                let name = self.text(element, 0x0101_0003, "name");
                let new = |name: &String| !self.manifest.permissions.contains(name);
                if let Some(name) = name.filter(new) {
                    self.manifest.permissions.push(name);
                }
            }
            (1, "application") => {
                let name = self.text(element, 0x0101_0003, "name");
                self.manifest.application = name.map(|name| self.qualify(&name));
                let label = self.text(element, 0x0101_0001, "label");
                self.manifest.label = label.unwrap_or_default();
                self.application_enabled =
                    self.flag(element, 0x0101_000e, "enabled").unwrap_or(true);
            }
            (2, _) => self.component(element),
            (3, "intent-filter") => {
                let priority = self.number(element, 0x0101_001c, "priority").unwrap_or(0);
                if let Some(open) = &mut self.open {
                    open.component().filters.push(Filter {
                        priority: priority.cast_signed(),
                        ..Filter::default()
                    });
                }
            }
            (3, "meta-data") => self.meta_data(element),
            (4, name @ ("action" | "category" | "data")) => self.filter_part(element, name),
            _ => {}
        }
    }

    fn manifest_element(&mut self, element: &Element) {
        self.manifest.package = self.text(element, 0, "package").unwrap_or_default();
        self.manifest.version_name = self.text(element, 0x0101_021c, "versionName");
        self.manifest.version_code = self.number(element, 0x0101_021b, "versionCode");
        self.split = self.text(element, 0, "split").filter(|s| !s.is_empty());
    }

    fn component(&mut self, element: &Element) {
        let kind = &*element.name;
        if !matches!(
            kind,
            "activity" | "activity-alias" | "service" | "receiver" | "provider"
        ) {
            return;
        }
        let Some(name) = self.text(element, 0x0101_0003, "name") else {
            return;
        };
        let enabled = self.flag(element, 0x0101_000e, "enabled").unwrap_or(true);
        let component = Component {
            name: self.qualify(&name),
            exported: false,
            enabled: enabled && self.application_enabled,
            permission: self.text(element, 0x0101_0006, "permission"),
            process: self.text(element, 0x0101_0011, "process"),
            filters: Vec::new(),
        };
        if is_harness(&component.name) {
            return;
        }
        self.exported = self.flag(element, 0x0101_0010, "exported");
        let number = |id, name| self.number(element, id, name);
        self.open = Some(match kind {
            "activity" => Open::Activity(Activity {
                launch_mode: LaunchMode::from_number(
                    number(0x0101_001d, "launchMode").unwrap_or(0),
                ),
                config_changes: number(0x0101_001f, "configChanges").unwrap_or(0),
                orientation: number(0x0101_001e, "screenOrientation").map_or(-1, u32::cast_signed),
                no_history: self
                    .flag(element, 0x0101_022d, "noHistory")
                    .unwrap_or(false),
                parent: self
                    .text(element, 0x0101_03a7, "parentActivityName")
                    .map(|name| self.qualify(&name)),
                component,
            }),
            "activity-alias" => {
                let target = self.text(element, 0x0101_0202, "targetActivity");
                Open::Alias(Alias {
                    target: self.qualify(&target.unwrap_or_default()),
                    component,
                })
            }
            "service" => Open::Service(component),
            "receiver" => Open::Receiver(component),
            _ => {
                let authorities = self.text(element, 0x0101_0018, "authorities");
                let authorities = authorities.unwrap_or_default();
                Open::Provider(Provider {
                    component,
                    authorities: authorities
                        .split(';')
                        .filter(|a| !a.is_empty())
                        .map(str::to_owned)
                        .collect(),
                })
            }
        });
    }

    /// The support library's way to name the parent, before Android had one of its own.
    fn meta_data(&mut self, element: &Element) {
        let name = self.text(element, 0x0101_0003, "name");
        if name.as_deref() == Some("android.support.PARENT_ACTIVITY")
            && let Some(parent) = self.text(element, 0x0101_0024, "value")
            && let Some(Open::Activity(activity)) = &mut self.open
            && activity.parent.is_none()
        {
            activity.parent = Some(qualify(&self.manifest.package, &parent));
        }
    }

    fn filter_part(&mut self, element: &Element, kind: &str) {
        let text = |id, name| self.text(element, id, name);
        let name = text(0x0101_0003, "name");
        let scheme = text(0x0101_0027, "scheme");
        let host = text(0x0101_0028, "host");
        let path = text(0x0101_002a, "path").or_else(|| text(0x0101_002b, "pathPrefix"));
        let mime_type = text(0x0101_0026, "mimeType");
        let open = self.open.as_mut().map(Open::component);
        let Some(filter) = open.and_then(|c| c.filters.last_mut()) else {
            return;
        };
        match kind {
            "data" => {
                filter.schemes.extend(scheme);
                filter.hosts.extend(host);
                filter.paths.extend(path);
                filter.mime_types.extend(mime_type);
            }
            "action" => filter.actions.extend(name),
            _ => filter.categories.extend(name),
        }
    }

    /// The open component is complete: settle whether it is exported and keep it. Of two with one name the first stays.
    fn close(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let by_default = match &open {
            Open::Provider(_) => self.manifest.effective_target_sdk() < 17,
            Open::Activity(Activity { component, .. })
            | Open::Alias(Alias { component, .. })
            | Open::Service(component)
            | Open::Receiver(component) => !component.filters.is_empty(),
        };
        open.component().exported = self.exported.take().unwrap_or(by_default);
        let manifest = &mut self.manifest;
        match open {
            Open::Activity(a) if manifest.activity(&a.component.name).is_none() => {
                manifest.activities.push(a);
            }
            Open::Activity(_) => {}
            Open::Alias(a) => manifest.aliases.push(a),
            Open::Service(s) => manifest.services.push(s),
            Open::Receiver(r) => manifest.receivers.push(r),
            Open::Provider(p) => manifest.providers.push(p),
        }
    }

    fn qualify(&self, name: &str) -> String {
        qualify(&self.manifest.package, name)
    }

    fn value(&self, element: &Element, id: u32, name: &str) -> Option<Value> {
        match element.attribute(id, name)? {
            Value::Reference(id) => self.resources.get(*id),
            value => Some(value.clone()),
        }
    }

    fn text(&self, element: &Element, id: u32, name: &str) -> Option<String> {
        match self.value(element, id, name)? {
            Value::Text(text) => Some(text.to_string()),
            Value::Number(number) => Some(number.to_string()),
            Value::Float(number) => Some(number.to_string()),
            Value::Bool(flag) => Some(flag.to_string()),
            Value::Reference(_) | Value::Other => None,
        }
    }

    fn number(&self, element: &Element, id: u32, name: &str) -> Option<u32> {
        match self.value(element, id, name)? {
            Value::Number(number) => Some(number),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// An API level: a number, or the code name of a preview.
    fn level(&mut self, element: &Element, id: u32, name: &str) -> Option<u32> {
        let number = self.number(element, id, name);
        if number.is_some() {
            return number;
        }
        let text = self.text(element, id, name)?;
        let level = level_of(&text);
        if level.is_none() && !text.trim().is_empty() && self.manifest.preview.is_none() {
            self.manifest.preview = Some(text.trim().to_owned());
        }
        level
    }

    fn flag(&self, element: &Element, id: u32, name: &str) -> Option<bool> {
        match self.value(element, id, name)? {
            Value::Bool(flag) => Some(flag),
            Value::Number(number) => Some(number != 0),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }
}

/// As Android completes a class name.
fn qualify(package: &str, name: &str) -> String {
    if name.starts_with('.') {
        format!("{package}{name}")
    } else if name.contains('.') || name.is_empty() {
        name.to_owned()
    } else {
        format!("{package}.{name}")
    }
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
