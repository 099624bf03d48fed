//! What an app declares: its activities, services, receivers and providers.

/// What the component kinds share.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Component {
    /// Fully qualified class name; an alias' own name.
    pub name: String,
    /// May other apps start it? As written, or Android's rule where nothing is.
    pub exported: bool,
    /// Can it be started at all, itself and the application enabled?
    pub enabled: bool,
    /// The permission a caller must hold.
    pub permission: Option<String>,
    /// The process it runs in, where not the app's own.
    pub process: Option<String>,
    /// Intents it takes.
    pub filters: Vec<Filter>,
}

impl Component {
    /// The distinct actions of all filters in the manifest's order.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        let mut seen = Vec::new();
        self.filters
            .iter()
            .flat_map(|f| &f.actions)
            .map(String::as_str)
            .filter(move |action| {
                let new = !seen.contains(action);
                seen.push(action);
                new
            })
    }
}

/// An intent filter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Filter {
    /// Actions.
    pub actions: Vec<String>,
    /// Categories.
    pub categories: Vec<String>,
    /// Schemes of the data it takes.
    pub schemes: Vec<String>,
    /// Hosts of the data it takes.
    pub hosts: Vec<String>,
    /// Paths of the data it takes, complete ones and beginnings.
    pub paths: Vec<String>,
    /// Types of the data it takes.
    pub mime_types: Vec<String>,
    /// Priority, 0 by default.
    pub priority: i32,
}

impl Filter {
    /// Does it put its activity on the home screen?
    pub fn is_launcher(&self) -> bool {
        let has = |list: &[String], name: &str| list.iter().any(|item| item == name);
        has(&self.actions, "android.intent.action.MAIN")
            && (has(&self.categories, "android.intent.category.LAUNCHER")
                || has(&self.categories, "android.intent.category.INFO"))
    }
}

/// How a new start treats what is on the back stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)] // Android's names
pub enum LaunchMode {
    #[default]
    Standard,
    SingleTop,
    SingleTask,
    SingleInstance,
    SingleInstancePerTask,
}

impl LaunchMode {
    pub(super) fn from_number(number: u32) -> Self {
        match number {
            1 => Self::SingleTop,
            2 => Self::SingleTask,
            3 => Self::SingleInstance,
            4 => Self::SingleInstancePerTask,
            _ => Self::Standard,
        }
    }
}

/// An activity.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Activity {
    /// Name, filters and the like.
    pub component: Component,
    /// Launch mode.
    pub launch_mode: LaunchMode,
    /// `configChanges`: what it handles itself without being created again (bits of `ActivityInfo.CONFIG_*`).
    pub config_changes: u32,
    /// `screenOrientation`, -1 where not fixed.
    pub orientation: i32,
    /// The activity that "Up" leads to, fully qualified.
    pub parent: Option<String>,
    /// Left behind as soon as another one is started?
    pub no_history: bool,
}

/// A second name of an activity, with separate filters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alias {
    /// Name, filters and the like.
    pub component: Component,
    /// The activity it stands for, fully qualified.
    pub target: String,
}

/// A content provider.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Provider {
    /// Name and the like.
    pub component: Component,
    /// The authorities it answers for.
    pub authorities: Vec<String>,
}
