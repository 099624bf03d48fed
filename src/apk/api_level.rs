//! API levels by the code names of Android's previews, which a manifest has in place of numbers
//! (<https://developer.android.com/reference/android/os/Build.VERSION_CODES>).

/// The API level of previews, `Build.VERSION_CODES.CUR_DEVELOPMENT`.
pub(super) const PREVIEW: u32 = 10_000;

/// The API level of a code name. A preview's build may follow it: `Baklava.1a2b3c`.
pub(super) fn level_of(name: &str) -> Option<u32> {
    const NAMES: [(&str, u32); 22] = [
        ("L", 21),
        ("M", 23),
        ("MNC", 23),
        ("N", 24),
        ("O", 26),
        ("P", 28),
        ("Q", 29),
        ("R", 30),
        ("S", 31),
        ("Sv2", 32),
        ("T", 33),
        ("Tiramisu", 33),
        ("U", 34),
        ("UpsideDownCake", 34),
        ("V", 35),
        ("VanillaIceCream", 35),
        ("Baklava", 36),
        ("CinnamonBun", 37),
        ("Cupcake", 3),
        ("Donut", 4),
        ("Eclair", 5),
        ("Froyo", 8),
    ];
    let name = name.trim().split('.').next().unwrap_or_default();
    let mut all = NAMES.iter();
    all.find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, level)| *level)
}
