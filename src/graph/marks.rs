//! Which of many were visited already, forgotten at once.

/// Marks by index.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    walk: u32,
    of: Vec<u32>,
}

impl Marks {
    /// Takes all marks away.
    pub fn clear(&mut self) {
        self.walk = self.walk.wrapping_add(1);
        if self.walk == 0 {
            // After four thousand million walks old marks would count again.
            self.of.fill(0);
            self.walk = 1;
        }
    }

    /// Is it marked?
    pub fn has(&self, at: usize) -> bool {
        self.of.get(at) == Some(&self.walk)
    }

    /// Marks one; false: it was marked.
    pub fn mark(&mut self, at: usize) -> bool {
        if at >= self.of.len() {
            self.of.resize(at + 1, 0);
        }
        std::mem::replace(&mut self.of[at], self.walk) != self.walk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_last_for_one_walk_even_the_last_that_a_number_can_tell() {
        let mut marks = Marks {
            walk: u32::MAX - 1,
            of: vec![1, 0],
        };
        for _ in 0..3 {
            marks.clear();
            assert_eq!(
                [0, 7, 7, 0].map(|at| marks.mark(at)),
                [true, true, false, false]
            );
        }
    }
}
