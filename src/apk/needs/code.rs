//! What the dex files name. Shrinkers rename classes and methods, so that only names that have to stay are looked
//! for: the platform's own, texts that are looked up or sent at run time, interfaces of Play services.

use super::{Engine, Needs};
use crate::apk::code::DexFile;
use crate::apk::dex::Dex;
use crate::apk::error::Problem;
use rustc_hash::FxHashMap;

/// A text that Compose's semantics write into every accessibility node.
const COMPOSE: &[u8] = b"androidx.compose.ui.semantics.testTag";
const INIT: &[u8] = b"<init>";
const WEB_VIEW: &[u8] = b"Landroid/webkit/WebView;";
const LOADS: [&[u8]; 4] = [b"loadUrl", b"loadData", b"loadDataWithBaseURL", b"postUrl"];

/// Interfaces that an app sends requests to Play services by, as their descriptors have to read.
const PLAY_SERVICES: [(&[u8], &str); 9] = [
    (b"com.google.android.gms.maps.internal.ICreator", "maps"),
    (b"com.google.android.gms.wearable.BIND", "wearable"),
    (b"com.google.android.gms.wearable.BIND_LISTENER", "wearable"),
    (
        b"com.google.android.gms.signin.internal.ISignInService",
        "sign-in",
    ),
    (
        b"com.google.android.gms.auth.api.signin.internal.ISignInService",
        "sign-in",
    ),
    (
        b"com.google.android.gms.ads.internal.client.IAdManagerCreator",
        "ads",
    ),
    (
        b"com.google.android.gms.location.internal.IGoogleLocationManagerService",
        "location",
    ),
    (
        b"com.google.android.gms.games.internal.IGamesService",
        "games",
    ),
    (
        b"com.android.vending.billing.InAppBillingService.BIND",
        "billing",
    ),
];

/// Adds what this file names.
pub(super) fn add(needs: &mut Needs, file: &DexFile<'_>) -> Result<(), Problem> {
    let dex = Dex::open(&file.bytes).map_err(|why| Problem::BadDex {
        entry: file.name.to_owned(),
        why,
    })?;
    needs.dex_versions.push(file.version);
    let mut libraries = FxHashMap::<Vec<u8>, usize>::default();
    for (ix, library) in needs.native.iter().enumerate() {
        // `loadLibrary` takes the short name, other loaders the file's.
        for name in [library.short(), &library.name] {
            libraries.insert(name.as_bytes().to_vec(), ix);
        }
    }
    for text in dex.strings() {
        string(needs, text);
        if let Some(ix) = libraries.get(text) {
            needs.native[*ix].named = true;
        }
    }
    for (owner, name) in dex.methods() {
        match owner {
            // A subclass calls its constructor, and loads by its name.
            WEB_VIEW if name == INIT || LOADS.contains(&name) => needs.web_view = true,
            b"Landroid/opengl/GLSurfaceView;" if name == INIT || name == b"setRenderer" => {
                needs.open_gl = true;
            }
            b"Ljavax/microedition/khronos/egl/EGL10;" if name == b"eglCreateContext" => {
                needs.open_gl = true;
            }
            b"Landroid/hardware/Camera;" if name == b"open" => needs.camera = true,
            b"Landroid/hardware/camera2/CameraManager;" if name == b"openCamera" => {
                needs.camera = true;
            }
            b"Ljava/lang/System;" if name == b"loadLibrary" || name == b"load" => {
                needs.loads_libraries = true;
            }
            b"Landroid/renderscript/RenderScript;" if name == b"create" => {
                needs.render_script = true;
            }
            _ => {}
        }
    }
    Ok(())
}

fn string(needs: &mut Needs, text: &[u8]) {
    if text == COMPOSE {
        needs.compose = true;
    }
    if text.starts_with(b"com.") {
        let known = PLAY_SERVICES.iter().find(|(name, _)| *name == text);
        needs
            .play_services
            .extend(known.map(|(_, part)| (*part).to_owned()));
    }
    for (class, engine) in [
        (
            &b"Lio/flutter/embedding/android/FlutterActivity;"[..],
            Engine::Flutter,
        ),
        (b"Lcom/facebook/react/ReactActivity;", Engine::ReactNative),
        (b"Lcom/unity3d/player/UnityPlayer;", Engine::Unity),
    ] {
        if text == class {
            needs.engines.push(engine);
        }
    }
}
