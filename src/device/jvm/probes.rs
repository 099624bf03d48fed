//! Coverage over all processes of a session: each process has its numbers for classes; here every class keeps one
//! number, and a probe is new once.

use crate::apk::Counted;
use crate::device::ClassInfo;
use rustc_hash::FxHashMap;

/// New classes and probes (by class and number).
type News = (Vec<ClassInfo>, Vec<(u32, u32)>);

/// The probes hit so far.
#[derive(Debug, Default)]
pub struct Probes {
    /// Our number of a class, or `None` for an excluded one.
    known: FxHashMap<String, Option<u32>>,
    /// Per class the probes hit.
    hit: Vec<Vec<bool>>,
    /// From the current process's class numbers to ours.
    map: Vec<Option<u32>>,
    counted: Counted,
}

impl Probes {
    /// No probes hit; excludes the same classes as the reports.
    pub fn new(counted: Counted) -> Self {
        Self {
            counted,
            ..Self::default()
        }
    }

    /// Starts the numbering of another process.
    pub fn new_process(&mut self) {
        self.map.clear();
    }

    /// Forgets which probes were hit; classes keep their numbers.
    pub fn forget(&mut self) {
        self.hit.iter_mut().for_each(|hit| hit.fill(false));
    }

    /// Adds a report; returns what is new, in our numbers.
    pub fn take(
        &mut self,
        mut classes: Vec<ClassInfo>,
        probes: &[Vec<u32>],
    ) -> Result<News, String> {
        // The process numbers classes in the order of their loading, which threads race for.
        classes.sort_by(|(_, a, _), (_, b, _)| a.cmp(b));
        let mut new_classes = Vec::new();
        for (theirs, name, count) in classes {
            let ours = match self.known.get(&name) {
                Some(&ours) => ours,
                None => {
                    let ours = self.counted.class(&name).then_some(self.hit.len() as u32);
                    self.known.insert(name.clone(), ours);
                    if let Some(ours) = ours {
                        self.hit.push(vec![false; (count as usize).min(1 << 20)]);
                        new_classes.push((ours, name, count));
                    }
                    ours
                }
            };
            let at = theirs as usize;
            if at > self.map.len() + (1 << 20) {
                return Err(format!("class number {theirs} is out of range"));
            }
            if at >= self.map.len() {
                self.map.resize(at + 1, None);
            }
            self.map[at] = ours;
        }
        let mut new_probes = Vec::new();
        for report in probes {
            let Some((&theirs, hit)) = report.split_first() else {
                continue;
            };
            let Some(Some(ours)) = self.map.get(theirs as usize).copied() else {
                continue;
            };
            let seen = &mut self.hit[ours as usize];
            for &probe in hit {
                match seen.get_mut(probe as usize) {
                    Some(seen @ false) => {
                        *seen = true;
                        new_probes.push((ours, probe));
                    }
                    Some(true) => {}
                    None => return Err(format!("probe {probe} of class {theirs}")),
                }
            }
        }
        new_probes.sort_unstable();
        Ok((new_classes, new_probes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apk::Manifest;
    use crate::settings::Coverage;

    fn class(ix: u32, name: &str) -> ClassInfo {
        (ix, name.to_owned(), 4)
    }

    #[test]
    fn a_second_process_keeps_numbers_and_repeats_nothing() {
        let mut probes = Probes::default();
        let (classes, new) = probes
            .take(
                vec![class(0, "a/A"), class(3, "a/B")],
                &[vec![3, 0, 2], vec![0, 1]],
            )
            .unwrap();
        assert_eq!(classes, [class(0, "a/A"), class(1, "a/B")]);
        assert_eq!(new, [(0, 1), (1, 0), (1, 2)]);
        probes.new_process();
        let (classes, new) = probes
            .take(
                vec![class(0, "a/B"), class(1, "a/C")],
                &[vec![0, 0, 3], vec![1, 0]],
            )
            .unwrap();
        assert_eq!(classes, [class(2, "a/C")]);
        assert_eq!(new, [(1, 3), (2, 0)]);
    }

    #[test]
    fn what_was_forgotten_is_new_again() {
        let mut probes = Probes::default();
        let report = [vec![0, 1, 2]];
        probes.take(vec![class(0, "a/A")], &report).unwrap();
        assert_eq!(probes.take(vec![], &report).unwrap(), (vec![], vec![]));
        probes.forget();
        let again = probes.take(vec![class(0, "a/A")], &report).unwrap();
        assert_eq!(again, (vec![], vec![(0, 1), (0, 2)]));
    }

    #[test]
    fn the_order_of_loading_does_not_show() {
        let one = Probes::default()
            .take(
                vec![class(0, "a/B"), class(1, "a/A")],
                &[vec![0, 2], vec![1, 1]],
            )
            .unwrap();
        let other = Probes::default()
            .take(
                vec![class(0, "a/A"), class(1, "a/B")],
                &[vec![0, 1], vec![1, 2]],
            )
            .unwrap();
        assert_eq!(one, other);
        assert_eq!(one.0, [class(0, "a/A"), class(1, "a/B")]);
    }

    #[test]
    fn classes_that_do_not_count_are_left_out() {
        let manifest = Manifest {
            package: "com.google.android.shop".into(),
            ..Manifest::default()
        };
        let mut probes = Probes::new(Counted::new(&Coverage::default(), None, Some(&manifest)));
        let names = [
            "androidx/x/Y",
            "com/google/android/gms/Ad",
            "com/google/android/shop/Basket",
            "com/google/android/shop/R$id",
        ];
        let classes = names.iter().zip(0..).map(|(n, ix)| class(ix, n)).collect();
        let hits: Vec<_> = (0..4).map(|ix| vec![ix, 0]).collect();
        let (classes, new) = probes.take(classes, &hits).unwrap();
        assert_eq!(classes, [class(0, "com/google/android/shop/Basket")]);
        assert_eq!(new, [(0, 0)]);
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        let mut probes = Probes::default();
        assert!(probes.take(vec![class(u32::MAX, "a/A")], &[]).is_err());
        assert!(probes.take(vec![class(0, "a/A")], &[vec![0, 4]]).is_err());
    }
}
