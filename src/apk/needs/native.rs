//! Native libraries, and what is known of those that many apps bring along.

use serde::Serialize;
use std::collections::BTreeMap;

/// A framework that draws an app on its own, so that Android's views say nothing of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // Their names
pub enum Engine {
    Flutter,
    ReactNative,
    Unity,
    Xamarin,
    LibGdx,
    Cocos,
    Godot,
    Unreal,
    Qt,
    Sdl,
}

impl Engine {
    /// Its name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Flutter => "Flutter",
            Self::ReactNative => "React Native",
            Self::Unity => "Unity",
            Self::Xamarin => "Xamarin or .NET",
            Self::LibGdx => "libGDX",
            Self::Cocos => "Cocos",
            Self::Godot => "Godot",
            Self::Unreal => "Unreal Engine",
            Self::Qt => "Qt",
            Self::Sdl => "SDL",
        }
    }
}

/// How much of the app hangs on a library.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The jvm device has a Java implementation of it.
    Replaced,
    /// It belongs to an engine that the complete app is written for.
    Engine(Engine),
    /// It keeps the app's data, which is needed from the first page on.
    Storage,
    /// Anything else: a part of the app needs it.
    Part,
}

/// A native library in the APK.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct NativeLibrary {
    /// File name, such as `libfoo.so`.
    pub name: String,
    /// The processors it is there for.
    pub abis: Vec<String>,
    /// What hangs on it.
    pub role: Role,
    /// Does the app's code name it, as it must to load it? Others are loaded by a library that needs them.
    pub named: bool,
}

impl NativeLibrary {
    /// The name that `System.loadLibrary` takes.
    pub fn short(&self) -> &str {
        let name = self.name.strip_prefix("lib").unwrap_or(&self.name);
        name.strip_suffix(".so").unwrap_or(name)
    }

    pub(super) fn engine(&self) -> Option<Engine> {
        match self.role {
            Role::Engine(engine) => Some(engine),
            _ => None,
        }
    }
}

/// Names without `lib` and `.so`; those that end in `*` are starts.
const KNOWN: [(&str, Role); 40] = [
    ("androidx.graphics.path", Role::Replaced),
    ("datastore_shared_counter", Role::Replaced),
    ("flutter", Role::Engine(Engine::Flutter)),
    ("reactnative*", Role::Engine(Engine::ReactNative)),
    ("react_*", Role::Engine(Engine::ReactNative)),
    ("hermes*", Role::Engine(Engine::ReactNative)),
    ("jscexecutor", Role::Engine(Engine::ReactNative)),
    ("unity", Role::Engine(Engine::Unity)),
    ("il2cpp", Role::Engine(Engine::Unity)),
    ("monodroid", Role::Engine(Engine::Xamarin)),
    ("monosgen-2.0", Role::Engine(Engine::Xamarin)),
    ("xamarin-app", Role::Engine(Engine::Xamarin)),
    ("xa-internal-api", Role::Engine(Engine::Xamarin)),
    ("net-android.release", Role::Engine(Engine::Xamarin)),
    ("gdx", Role::Engine(Engine::LibGdx)),
    ("gdx-*", Role::Engine(Engine::LibGdx)),
    ("cocos", Role::Engine(Engine::Cocos)),
    ("cocos2d*", Role::Engine(Engine::Cocos)),
    ("cc", Role::Engine(Engine::Cocos)),
    ("godot_android", Role::Engine(Engine::Godot)),
    ("godot*", Role::Engine(Engine::Godot)),
    ("UE4", Role::Engine(Engine::Unreal)),
    ("Unreal", Role::Engine(Engine::Unreal)),
    ("Qt5Core*", Role::Engine(Engine::Qt)),
    ("Qt6Core*", Role::Engine(Engine::Qt)),
    ("SDL2", Role::Engine(Engine::Sdl)),
    ("SDL3", Role::Engine(Engine::Sdl)),
    ("mmkv", Role::Storage),
    ("sqlcipher", Role::Storage),
    ("sqliteJni", Role::Storage),
    ("sqlitejni", Role::Storage),
    ("realm-jni", Role::Storage),
    ("realmc", Role::Storage),
    ("objectbox-jni", Role::Storage),
    ("leveldb*", Role::Storage),
    ("LiteCore*", Role::Storage),
    ("rocksdb*", Role::Storage),
    ("wcdb*", Role::Storage),
    ("snappydb*", Role::Storage),
    ("lmdb*", Role::Storage),
];

fn role(short: &str) -> Role {
    let known = KNOWN.iter().find(|(name, _)| match name.strip_suffix('*') {
        Some(begin) => short.starts_with(begin),
        None => short == *name,
    });
    known.map_or(Role::Part, |(_, role)| *role)
}

/// The libraries among the archive's entries, by name.
pub(super) fn packed<'a>(entries: impl Iterator<Item = &'a str>) -> Vec<NativeLibrary> {
    let mut found: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for entry in entries {
        let mut parts = entry.split('/');
        if let (Some("lib"), Some(abi), Some(name), None) =
            (parts.next(), parts.next(), parts.next(), parts.next())
            && name.ends_with(".so")
        {
            found.entry(name).or_default().push(abi.to_owned());
        }
    }
    let library = |(name, mut abis): (&str, Vec<String>)| {
        abis.sort_unstable();
        let mut library = NativeLibrary {
            name: name.to_owned(),
            abis,
            role: Role::Part,
            named: false,
        };
        library.role = role(library.short());
        library
    };
    found.into_iter().map(library).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_listed_once_with_their_processors() {
        let found = packed(
            [
                "lib/x86/libflutter.so",
                "lib/arm64-v8a/libflutter.so",
                "lib/x86/libfoo.so",
                "lib/x86/deep/libno.so",
                "assets/lib/x86/libno.so",
                "lib/x86/wrap.sh",
            ]
            .into_iter(),
        );
        let names: Vec<_> = found.iter().map(|l| (l.short(), l.role)).collect();
        let flutter = Role::Engine(Engine::Flutter);
        assert_eq!(names, [("flutter", flutter), ("foo", Role::Part)]);
        assert_eq!(found[0].abis, ["arm64-v8a", "x86"]);
    }

    #[test]
    fn well_known_libraries_have_their_role() {
        for (name, expected) in [
            ("androidx.graphics.path", Role::Replaced),
            ("reactnativejni", Role::Engine(Engine::ReactNative)),
            ("hermes", Role::Engine(Engine::ReactNative)),
            ("cocos2djs", Role::Engine(Engine::Cocos)),
            ("Qt5Core_arm64-v8a", Role::Engine(Engine::Qt)),
            ("gdx-box2d", Role::Engine(Engine::LibGdx)),
            ("ccx", Role::Part),
            ("mmkv", Role::Storage),
        ] {
            assert_eq!(role(name), expected, "{name}");
        }
    }
}
