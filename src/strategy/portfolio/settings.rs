//! The settings of `portfolio`.

use super::Portfolio;
use crate::device::Caps;
use crate::settings::name_schema;
use crate::strategy::base::Base;
use crate::strategy::definition::{
    self, Conflict, Context, Definition, Group, Key, ModelFiles, PolicyFiles, StartFile, Texts,
    Together,
};
use crate::strategy::kind::{Kind, schema};
use crate::strategy::{Strategy, StrategyError, demonstrations, dinodroid, fastbot, frontier};
use camino::Utf8PathBuf;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use serde_json::Value;
use std::borrow::Cow;
use std::time::Duration;

/// A strategy of the portfolio.
#[derive(Clone, PartialEq, Debug)]
pub enum Member {
    /// A `[[strategy]]` of the suite, by its name.
    Named(String),
    /// A table of its own, with a name for reports.
    Own(Option<String>, Base),
}

/// The settings of `portfolio`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", default)]
pub struct Settings {
    /// The strategies that take turns: tables with a `kind` and its settings, or names of `[[strategy]]` tables. Equal
    /// bounds give the turn to the first.
    #[schemars(length(min = 2, max = 16))]
    pub members: Vec<Member>,
    /// The events of a turn.
    #[schemars(range(min = 1))]
    pub segment: u32,
    /// What a turn's value counts after each later turn, as a share.
    #[schemars(range(min = 0.0, max = 1.0))]
    pub discount: f64,
    /// The weight of the bonus for members that had few turns.
    #[schemars(range(min = 0.0, max = 10.0))]
    pub exploration: f64,
    /// The devices on which members run side by side, each on one; needs `count` of the device to be as large. The
    /// sessions share the budget's events, and exchange what they saw after each turn.
    #[schemars(range(min = 1, max = 16))]
    pub side_by_side: u32,
    /// What people did, for each member that learns from it: folders of runs, journals of sessions, traces, Maestro
    /// flows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub demonstrations: Vec<Utf8PathBuf>,
}

/// `fastbot` as a member by default: as it was measured, and without the model of earlier runs, so that a run repeats with
/// its seed.
fn fastbot() -> fastbot::Settings {
    fastbot::Settings {
        select: fastbot::Select::Learned,
        model: ModelFiles {
            save: false,
            ..ModelFiles::default()
        },
        ..fastbot::Settings::default()
    }
}

/// The path to a member.
const fn below(at: usize) -> [Key; 2] {
    [Key::Name("members"), Key::Place(at)]
}

impl Default for Settings {
    fn default() -> Self {
        let members = [
            Base::of::<frontier::Settings>(),
            Base::configured(fastbot()),
            Base::of::<dinodroid::Settings>(),
        ];
        Self {
            members: members
                .into_iter()
                .map(|base| Member::Own(None, base))
                .collect(),
            segment: 20,
            discount: 0.9,
            exploration: 0.01,
            side_by_side: 1,
            demonstrations: Vec::new(),
        }
    }
}

impl Definition for Settings {
    const NAME: &'static str = "portfolio";
    const SUMMARY: &'static str = "The default. Several strategies take turns; the turn goes to the one that still brings something new.";
    const WRAPS: bool = true;
}

impl Settings {
    fn own(&self) -> impl Iterator<Item = (usize, &Base)> {
        let members = self.members.iter().enumerate();
        members.filter_map(|(at, member)| match member {
            Member::Own(_, base) => Some((at, base)),
            Member::Named(_) => None,
        })
    }

    /// The member whose policy is kept: the first one that saves it, else the first one that has one.
    fn keeps(&self) -> Option<usize> {
        let of = |base: &Base| base.policy().map(|policy| policy.save);
        self.keeper(of)
    }

    /// The member whose event model is kept, likewise.
    fn counts(&self) -> Option<usize> {
        let of = |base: &Base| base.model().map(|model| model.save);
        self.keeper(of)
    }

    /// `saves`: does a member save what it learned? `None`: it learns nothing of this kind.
    fn keeper(&self, saves: impl Fn(&Base) -> Option<bool>) -> Option<usize> {
        let having = || self.own().filter_map(|(at, base)| Some((at, saves(base)?)));
        let saving = having().find(|(_, saves)| *saves);
        saving.or_else(|| having().next()).map(|(at, _)| at)
    }

    fn of(&self, wanted: Option<usize>) -> Option<&Base> {
        let mut own = self.own();
        own.find_map(|(at, base)| (Some(at) == wanted).then_some(base))
    }

    /// The members' names: each its own, its kind's, with a number where that is another's.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for member in &self.members {
            let name = match member {
                Member::Named(name) | Member::Own(Some(name), _) => name.as_str(),
                Member::Own(None, base) => base.name(),
            };
            let numbered = (2..).map(|number| format!("{name}-{number}"));
            let mut free = std::iter::once(name.to_owned()).chain(numbered);
            names.extend(free.find(|name| !names.contains(name)));
        }
        names
    }
}

impl definition::Settings for Settings {
    fn make(&self, context: &Context<'_>) -> Result<Box<dyn Strategy>, StrategyError> {
        let mut members = Vec::new();
        let (keeps, counts) = (self.keeps(), self.counts());
        let traces =
            |other: usize| move |(at, base): (usize, &Base)| at != other && base.learns_traces();
        for (at, (member, name)) in self.members.iter().zip(self.names()).enumerate() {
            let Member::Own(_, base) = member else {
                let reason = format!("the member `{name}` is a name outside a suite");
                return Err(StrategyError::Policy(reason));
            };
            // The session's folder has room for one.
            let keep = context.keep.clone().filter(|_| counts == Some(at));
            let of_member = Context {
                keep,
                demonstrations: &self.demonstrations,
                may_leave_out: self.own().any(traces(at)),
                ..*context
            };
            members.push((name, base.make(&of_member)?));
        }
        Ok(Box::new(Portfolio::new(self, members, (keeps, counts))))
    }

    fn policy(&self) -> Option<&PolicyFiles> {
        self.of(self.keeps())?.policy()
    }

    fn saver(&self) -> Option<String> {
        self.names().into_iter().nth(self.keeps()?)
    }

    fn model(&self) -> Option<&ModelFiles> {
        self.of(self.counts())?.model()
    }

    fn inside(&self) -> Vec<(Vec<Key>, &Kind)> {
        let own = self.own();
        own.map(|(at, base)| (below(at).to_vec(), base.kind()))
            .collect()
    }

    fn files(&self) -> Vec<StartFile<'_>> {
        let files = self
            .own()
            .flat_map(|(at, base)| base.files_below(&below(at)));
        let shown = demonstrations::files(&self.demonstrations);
        files.chain(shown).collect()
    }

    fn demonstrations(&self) -> Option<&[Utf8PathBuf]> {
        Some(&self.demonstrations)
    }

    fn named(&self) -> Vec<(Vec<Key>, &str)> {
        let members = self.members.iter().enumerate();
        let named = members.filter_map(|(at, member)| match member {
            Member::Named(name) => Some((below(at).to_vec(), name.as_str())),
            Member::Own(..) => None,
        });
        named.collect()
    }

    fn conflict(&self) -> Option<Conflict> {
        let learns = |(_, base): (usize, &Base)| base.learns_demonstrations();
        let named = self.own().count() < self.members.len();
        if !self.demonstrations.is_empty() && !named && !self.own().any(learns) {
            return Some(Conflict {
                what: Together::Exclude,
                keys: vec![Key::Name("demonstrations")],
                message: "no member of the portfolio learns from `demonstrations`".to_owned(),
                fix: "add a member of the kind `dinodroid` or `fastbot`, or delete the key",
            });
        }
        let inside = |(at, base): (usize, &Base)| Some(base.conflict()?.below(&below(at)));
        self.own().find_map(inside)
    }

    fn group(&self) -> Option<Group> {
        (self.side_by_side > 1).then_some(Group {
            sessions: self.side_by_side as usize,
            segment: u64::from(self.segment),
        })
    }

    fn throttle(&self) -> Duration {
        let all = self.own().map(|(_, base)| base.throttle());
        all.max().unwrap_or_default()
    }

    fn faults(&self) -> bool {
        self.own().all(|(_, base)| base.faults())
    }

    fn loses_faults(&self) -> Option<&'static str> {
        let loses = !self.faults() && self.own().any(|(_, base)| base.faults());
        loses.then_some(
            "a member that is compared with figures of others (`monkey`, or a preset) has no faults, so the portfolio \
             has none: `[faults]` does not apply",
        )
    }

    fn prefers_changed(&self) -> bool {
        self.own().any(|(_, base)| base.prefers_changed())
    }

    fn notes(&self, caps: Caps) -> Vec<&'static str> {
        let mut notes = Vec::new();
        for note in self.own().flat_map(|(_, base)| base.notes(caps)) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        notes
    }

    fn texts(&self) -> Texts {
        let mut all = self.own().map(|(_, base)| base.texts());
        all.find(|texts| *texts != Texts::Any).unwrap_or(Texts::Any)
    }

    fn shipped_lessons(&self) -> Vec<String> {
        self.own()
            .flat_map(|(_, base)| base.shipped_lessons())
            .collect()
    }
}

impl Serialize for Member {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Named(name) => serializer.serialize_str(name),
            Self::Own(name, base) => {
                let mut table = base.table();
                if let Some(name) = name {
                    table.insert("name".into(), name.clone().into());
                }
                table.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for Member {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = match Value::deserialize(deserializer)? {
            Value::String(name) => return Ok(Self::Named(name)),
            Value::Object(table) => table,
            other => return Err(D::Error::custom(format!("{other} is not a strategy"))),
        };
        let name = match table.remove("name") {
            Some(Value::String(name)) => Some(name),
            _ => None,
        };
        let base = Base::read(table, "a member").map_err(D::Error::custom)?;
        Ok(Self::Own(name, base))
    }
}

impl JsonSchema for Member {
    fn schema_name() -> Cow<'static, str> {
        "Member".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let plain = name_schema(generator).to_value();
        let mut name = plain.clone();
        name["description"] = "The member's name in reports. Default: its kind.".into();
        let named = |properties: &mut Value| properties["name"] = name.clone();
        let mut table = schema(generator, |entry| !entry.wraps, named);
        table.insert("type".into(), "object".into());
        table.insert("x-not-inside".into(), Base::wrapping().into());
        json_schema!({
            "anyOf": [plain, table],
            "description": "A strategy with its settings, or the name of a [[strategy]].",
        })
    }
}
