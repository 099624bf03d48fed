//! Why a file cannot be used as an app, each in one line that says what to do.

use std::path::{Path, PathBuf};

/// A file that is no usable APK.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}; {}", path.display(), problem.advice())]
pub struct ApkError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub problem: Problem,
}

impl ApkError {
    pub(super) fn new(path: &Path, problem: Problem) -> Self {
        Self {
            path: path.to_owned(),
            problem,
        }
    }
}

/// What is wrong with an APK.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// It cannot be read at all.
    #[error("cannot be read: {0}")]
    Unreadable(#[from] std::io::Error),
    /// It has no bytes.
    #[error("is an empty file")]
    Empty,
    /// It starts like a zip archive, but its end is missing.
    #[error("is cut off: the zip archive has no end")]
    CutOff,
    /// It is something else.
    #[error("is not a zip archive")]
    NotZip,
    /// It is an app bundle or a set of splits.
    #[error("is {0}, not an APK")]
    Bundle(&'static str),
    /// It is one part of an app.
    #[error("is only the split `{0}` of an app")]
    Split(String),
    /// An APK of a set cannot be used.
    #[error("its {entry}: {problem}")]
    InSet {
        /// The APK.
        entry: String,
        /// What is wrong with it.
        problem: Box<Self>,
    },
    /// A set of APKs has only splits.
    #[error("has splits but no base APK")]
    NoBase,
    /// A set of APKs has more than one base.
    #[error("has two base APKs: `{0}` is not a split either")]
    TwoBases(String),
    /// A set of APKs has too many.
    #[error("has {0} APKs")]
    ManySplits(usize),
    /// A split of another app.
    #[error("`{split}` is a split of {package}, and the base is {base}")]
    OtherPackage {
        /// The split's file.
        split: String,
        /// Its app.
        package: String,
        /// The base's.
        base: String,
    },
    /// An entry's name leads out of its folder.
    #[error("holds an entry whose path leaves its folder: `{0}`")]
    UnsafeName(String),
    /// Its entries are not laid out as in an archive.
    #[error("{0}")]
    Layout(String),
    /// An entry is larger than any app's.
    #[error("its {entry} claims {claimed} bytes, but at most {limit} can be read")]
    TooLarge {
        /// The entry.
        entry: String,
        /// Bytes claimed, or read so far.
        claimed: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// An entry cannot be unpacked.
    #[error("its {entry} cannot be unpacked: {why}")]
    Damaged {
        /// The entry.
        entry: String,
        /// The zip reader's words.
        why: String,
    },
    /// An entry is locked by a password.
    #[error("its {entry} is encrypted")]
    Encrypted {
        /// The entry.
        entry: String,
    },
    /// No manifest.
    #[error("has no AndroidManifest.xml")]
    NoManifest,
    /// The manifest is not a binary XML.
    #[error("its AndroidManifest.xml cannot be understood: {0}")]
    BadManifest(std::borrow::Cow<'static, str>),
    /// No code.
    #[error("has no classes.dex, so there is no code to run")]
    NoDex,
    /// The code cannot be understood.
    #[error("its {entry} cannot be understood: {why}")]
    BadDex {
        /// The entry.
        entry: String,
        /// What is wrong.
        why: &'static str,
    },
    /// The code is of a version that is not known yet.
    #[error("its {entry} has dex version {version}, but the newest supported version is {newest}")]
    FutureDex {
        /// The entry.
        entry: String,
        /// Its version.
        version: u32,
        /// The newest known.
        newest: u32,
    },
}

impl Problem {
    /// A stable name for scripts and documentation.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "apk-unreadable",
            Self::Empty => "apk-empty",
            Self::CutOff => "apk-cut-off",
            Self::NotZip => "apk-not-zip",
            Self::Bundle(_) => "apk-bundle",
            Self::Split(_) => "apk-split",
            Self::InSet { problem, .. } => problem.code(),
            Self::NoBase => "apk-no-base",
            Self::TwoBases(_) => "apk-two-bases",
            Self::ManySplits(_) => "apk-many-splits",
            Self::OtherPackage { .. } => "apk-other-package",
            Self::UnsafeName(_) => "apk-unsafe-name",
            Self::Layout(_) => "apk-layout",
            Self::TooLarge { .. } => "apk-too-large",
            Self::Damaged { .. } => "apk-damaged",
            Self::NoManifest => "apk-no-manifest",
            Self::BadManifest(_) => "apk-bad-manifest",
            Self::NoDex => "apk-no-dex",
            Self::BadDex { .. } => "apk-bad-dex",
            Self::Encrypted { .. } => "apk-encrypted",
            Self::FutureDex { .. } => "apk-future-dex",
        }
    }

    /// What to do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "check the path and its permissions",
            Self::Empty | Self::CutOff => "copy, download or build it again",
            Self::NotZip => "name the .apk that the build wrote",
            Self::Bundle(_) => {
                "build one APK with Gradle's `assemble`, or with `bundletool build-apks --mode=universal` (its `universal.apk`), and name that"
            }
            Self::Split(_) => {
                "name the base APK as `apk`, and this one in `splits`, or a folder that has both"
            }
            Self::InSet { problem, .. } => problem.advice(),
            Self::NoBase => {
                "add the base APK (often `base.apk`), or name a universal one (`bundletool build-apks --mode=universal`)"
            }
            Self::TwoBases(_) => "keep the APKs of one app and one version in it",
            Self::ManySplits(_) => "keep the APKs of one app in it",
            Self::OtherPackage { .. } => "name the splits that were built with the base",
            Self::Encrypted { .. } => "name the APK as the build wrote it, without encryption",
            Self::FutureDex { .. } => {
                "update this tool, or build the app with a lower minSdk (D8 chooses the version by it)"
            }
            Self::UnsafeName(_) | Self::Layout(_) | Self::TooLarge { .. } => {
                "do not trust this file; build the app from its source"
            }
            Self::Damaged { .. } | Self::BadManifest(_) | Self::BadDex { .. } => {
                "build it again, or get it from its publisher"
            }
            Self::NoManifest => "check that this is an app and not another archive",
            Self::NoDex => "name an APK with code (the base of a set of splits)",
        }
    }
}
