//! Which word of a translation stands for which word of the text: IBM model 1 in both directions
//! (Brown et al. 1993, "The Mathematics of Statistical Machine Translation", section 4.3), and the links that
//! both directions choose.

use rustc_hash::FxHashMap;

/// Rounds of expectation and maximization; the likelihood hardly changes after.
const ROUNDS: usize = 6;
/// Stands for "no word": a word that nothing on the other side is the reason for.
const NONE: u32 = u32::MAX;

/// A text and its translation, word by word.
pub(super) type Pair = (Vec<u32>, Vec<u32>);

/// How likely a word is translated by another: source and target to probability.
#[derive(Default)]
struct Lexicon(FxHashMap<(u32, u32), f32>);

impl Lexicon {
    /// Learned from `pairs`, each given as (source, target) by `side`.
    fn learn(pairs: &[Pair], side: impl Fn(&Pair) -> (&[u32], &[u32])) -> Self {
        let mut now = Self::default();
        for round in 0..ROUNDS {
            let mut counts: FxHashMap<(u32, u32), f32> = FxHashMap::default();
            let mut totals: FxHashMap<u32, f32> = FxHashMap::default();
            for pair in pairs {
                let (source, target) = side(pair);
                for &to in target {
                    let shares = |from| if round == 0 { 1.0 } else { now.get(from, to) };
                    let sources = || source.iter().copied().chain([NONE]);
                    let total: f32 = sources().map(shares).sum();
                    if total <= 0.0 {
                        continue;
                    }
                    for from in sources() {
                        let share = shares(from) / total;
                        *counts.entry((from, to)).or_default() += share;
                        *totals.entry(from).or_default() += share;
                    }
                }
            }
            for ((from, _), count) in &mut counts {
                *count /= totals[from];
            }
            now = Self(counts);
        }
        now
    }

    fn get(&self, from: u32, to: u32) -> f32 {
        self.0.get(&(from, to)).copied().unwrap_or(0.0)
    }

    /// The place in `sources` most likely behind `to`; `None` if it is not a word of them.
    fn reason(&self, sources: &[u32], to: u32) -> Option<usize> {
        let mut best = (None, self.get(NONE, to));
        for (at, &from) in sources.iter().enumerate() {
            let chance = self.get(from, to);
            if chance >= best.1 && chance > 0.0 {
                best = (Some(at), chance);
            }
        }
        best.0
    }
}

/// The links of each pair, as words.
pub(super) fn links(pairs: &[Pair]) -> Vec<Vec<(u32, u32)>> {
    let there = Lexicon::learn(pairs, |(text, translation)| (text, translation));
    let back = Lexicon::learn(pairs, |(text, translation)| (translation, text));
    let both = |(text, translation): &Pair| {
        let mut links = Vec::new();
        for (at, &foreign) in translation.iter().enumerate() {
            if let Some(word) = there.reason(text, foreign)
                && back.reason(translation, text[word]) == Some(at)
            {
                links.push((text[word], foreign));
            }
        }
        links
    };
    pairs.iter().map(both).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_linked_by_what_goes_with_them() {
        // open the file, open the door, close the file, the door / 10 öffnen, 11 datei, 12 tür, 13 schließen
        let pairs = [
            (vec![1, 2, 3], vec![11, 10]),
            (vec![1, 2, 4], vec![12, 10]),
            (vec![5, 2, 3], vec![11, 13]),
            (vec![2, 4], vec![12]),
        ];
        let links = links(&pairs);
        assert_eq!(links[0], [(3, 11), (1, 10)]);
        assert_eq!(links[1], [(4, 12), (1, 10)]);
        assert_eq!(links[2], [(3, 11), (5, 13)]);
    }

    #[test]
    fn a_word_alone_is_linked() {
        assert_eq!(links(&[(vec![1], vec![7])]), [[(1, 7)]]);
    }
}
