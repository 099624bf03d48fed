//! What the dex files name. Shrinkers rename classes and methods, so that only names that have to stay are looked
//! for: the platform's own, texts that are looked up or sent at run time, interfaces of Play services.

use super::{Engine, Needs};
use crate::apk::code::DexFile;
use crate::apk::dex::{self, Budget};
use crate::apk::error::Problem;
use dex2class::dex::{Dex, DexError};
use rustc_hash::{FxHashMap, FxHashSet};

/// A text that Compose's semantics write into every accessibility node.
const COMPOSE: &[u8] = b"androidx.compose.ui.semantics.testTag";
const INIT: &[u8] = b"<init>";
const WEB_VIEW: &[u8] = b"Landroid/webkit/WebView;";
const GL_VIEW: &[u8] = b"Landroid/opengl/GLSurfaceView;";
const EGL: &[u8] = b"Ljavax/microedition/khronos/egl/EGL10;";
const CAMERA: &[u8] = b"Landroid/hardware/Camera;";
const CAMERA_MANAGER: &[u8] = b"Landroid/hardware/camera2/CameraManager;";
const SYSTEM: &[u8] = b"Ljava/lang/System;";
const RENDER_SCRIPT: &[u8] = b"Landroid/renderscript/RenderScript;";
/// The classes above.
const PLATFORM: [&[u8]; 7] = [
    WEB_VIEW,
    GL_VIEW,
    EGL,
    CAMERA,
    CAMERA_MANAGER,
    SYSTEM,
    RENDER_SCRIPT,
];
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
    let parts = file.parts()?;
    let mut libraries = FxHashMap::<Vec<u8>, usize>::default();
    for (ix, library) in needs.native.iter().enumerate() {
        // `loadLibrary` takes the short name, other loaders the file's.
        for name in [library.short(), &library.name] {
            libraries.insert(name.as_bytes().to_vec(), ix);
        }
    }
    for text in dex::strings(&parts) {
        let text = text.map_err(|why| file.bad(why))?;
        string(needs, text);
        if let Some(ix) = libraries.get(text) {
            needs.native[*ix].named = true;
        }
    }
    let mut budget = Budget::for_bytes(file.bytes.len() as u64);
    for dex in &parts {
        needs.dex_versions.push(dex.version());
        methods(needs, dex, &mut budget).map_err(|why| file.bad(why))?;
    }
    Ok(())
}

/// Adds what the methods of these classes, which the file defines or calls, stand for.
fn methods(needs: &mut Needs, dex: &Dex<'_>, budget: &mut Budget) -> Result<(), DexError> {
    // The owner of a method is one of the first 65,536 types.
    let types = dex.type_count().min(1 << 16);
    budget.spend(types as usize)?;
    let platform = |ix| dex.type_name(ix).is_ok_and(|name| PLATFORM.contains(&name));
    let platform: FxHashSet<u32> = (0..types).filter(|&ix| platform(ix)).collect();
    for ix in 0..dex.method_count() {
        budget.spend(1)?;
        let owner = dex.method_owner(ix);
        if owner.is_ok_and(|owner| platform.contains(&owner))
            && let Ok(method) = dex.method(ix)
        {
            method_of_platform(needs, method.owner, method.name);
        }
    }
    Ok(())
}

fn method_of_platform(needs: &mut Needs, owner: &[u8], name: &[u8]) {
    let stands_for = match owner {
        // A subclass calls its constructor, and loads by its name.
        WEB_VIEW if name == INIT || LOADS.contains(&name) => &mut needs.web_view,
        GL_VIEW if name == INIT || name == b"setRenderer" => &mut needs.open_gl,
        EGL if name == b"eglCreateContext" => &mut needs.open_gl,
        CAMERA if name == b"open" => &mut needs.camera,
        CAMERA_MANAGER if name == b"openCamera" => &mut needs.camera,
        SYSTEM if name == b"loadLibrary" || name == b"load" => &mut needs.loads_libraries,
        RENDER_SCRIPT if name == b"create" => &mut needs.render_script,
        _ => return,
    };
    *stands_for = true;
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
