//! The platform's classes and the app's together.

use super::{ClassInfo, Hierarchy};

/// Which class of a name a class loader takes.
pub trait LoadOrder: Sync {
    /// Whether a class of this name (`android/app/Activity`) comes from the platform where the platform has one,
    /// whatever the app brings.
    fn system_first(&self, name: &[u8]) -> bool;

    /// Whether a class of this name that the app does not bring may come from the platform.
    fn system_supplies(&self, name: &[u8]) -> bool;
}

/// Every class of the platform comes first, as with Java's own class loaders.
pub struct ParentFirst;

impl LoadOrder for ParentFirst {
    fn system_first(&self, _: &[u8]) -> bool {
        true
    }

    fn system_supplies(&self, _: &[u8]) -> bool {
        true
    }
}

/// The classes of a platform and of an app, in the order of a class loader.
pub struct Layered<'h, O> {
    platform: &'h dyn Hierarchy,
    app: &'h dyn Hierarchy,
    order: O,
}

impl<'h, O: LoadOrder> Layered<'h, O> {
    /// Puts the two together.
    pub fn new(platform: &'h dyn Hierarchy, app: &'h dyn Hierarchy, order: O) -> Self {
        Self {
            platform,
            app,
            order,
        }
    }

    /// Where a class of this name comes from, if there is one.
    fn layer(&self, name: &[u8]) -> &'h dyn Hierarchy {
        let system = match self.app.contains(name) {
            true => self.order.system_first(name),
            false => self.order.system_supplies(name),
        };
        let platform = system && self.platform.contains(name);
        if platform { self.platform } else { self.app }
    }
}

impl<O: LoadOrder> Hierarchy for Layered<'_, O> {
    fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>> {
        self.layer(name).class(name)
    }

    fn contains(&self, name: &[u8]) -> bool {
        self.layer(name).contains(name)
    }

    fn method(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<u16> {
        self.layer(class).method(class, name, descriptor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes by name; each says whose it is by its `own`.
    struct Names(bool, &'static [&'static [u8]]);

    impl Hierarchy for Names {
        fn class(&self, name: &[u8]) -> Option<ClassInfo<'_>> {
            let name = self.1.iter().find(|each| **each == name)?;
            Some(ClassInfo {
                name,
                access: 1,
                parent: None,
                interfaces: Vec::new(),
                own: self.0,
            })
        }

        fn method(&self, class: &[u8], _: &[u8], _: &[u8]) -> Option<u16> {
            self.class(class).map(|_| u16::from(self.0))
        }
    }

    struct Order;

    impl LoadOrder for Order {
        fn system_first(&self, name: &[u8]) -> bool {
            name.starts_with(b"android/")
        }

        fn system_supplies(&self, name: &[u8]) -> bool {
            name.starts_with(b"android/") || name.starts_with(b"javax/")
        }
    }

    #[test]
    fn the_order_decides_between_platform_and_app() {
        let platform = Names(false, &[b"android/A", b"javax/B", b"host/C", b"lib/D"]);
        let app = Names(true, &[b"android/A", b"javax/B", b"lib/D", b"android/Own"]);
        let both = Layered::new(&platform, &app, Order);
        let own = |name: &[u8]| both.class(name).map(|info| info.own);
        assert_eq!(own(b"android/A"), Some(false), "the platform first");
        assert_eq!(own(b"javax/B"), Some(true), "the app's copy first");
        assert_eq!(own(b"host/C"), None, "hidden");
        assert_eq!(own(b"lib/D"), Some(true));
        assert_eq!(own(b"android/Own"), Some(true), "the platform lacks it");
        let bare = Names(true, &[]);
        let supplied = Layered::new(&platform, &bare, Order);
        assert_eq!(supplied.class(b"javax/B").map(|info| info.own), Some(false));
        assert_eq!(
            both.method(b"javax/B", b"m", b"()V"),
            Some(1),
            "of the same class"
        );
        assert_eq!(both.method(b"android/A", b"m", b"()V"), Some(0));
        let parent = Layered::new(&platform, &app, ParentFirst);
        assert_eq!(parent.class(b"lib/D").map(|info| info.own), Some(false));
    }
}
