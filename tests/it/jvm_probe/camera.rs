//! What a camera delivers through camera2.

use crate::common::phone::Phone;

pub fn delivers(phone: &mut Phone) {
    phone.open("CameraActivity");
    for (what, shown) in [
        (
            "still",
            "started true, picture 640x480, completed 4 2 true, sequence of 0, ready",
        ),
        // On a thread without a looper, by the camera in front, whose focus is fixed.
        (
            "burst",
            "closed, started true, completed 0 2 true, started true, completed 0 2 true, sequence of 1, ready",
        ),
        // The reader has room for one image: the camera waits until the app closes it.
        ("analyse", "closed, 3 planes 76800 19200 128"),
        ("counts", "1 frames, results false"),
        ("close_image", "3 planes 76800 19200 128"),
        ("counts", "2 frames, results false"),
        ("preview", "available 100 true, closed, updated, destroyed"),
        ("after_close", "closed, refused, null, closed"),
    ] {
        phone.click(what);
        phone.wait(500);
        phone.expect("result", shown);
    }
}
