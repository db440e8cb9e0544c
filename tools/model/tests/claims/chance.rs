//! Seeded random choices.

/// A generator of random numbers: splitmix64.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) const fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a seed for another generator.
    pub(crate) const fn seed(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number less than `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        let number = usize::try_from(self.seed() >> 16).unwrap_or_default();
        number.checked_rem(most).unwrap_or_default()
    }

    pub(crate) fn one_of<'t, T>(&mut self, given: &'t [T]) -> &'t T {
        let place = self.below(given.len());
        given.get(place).unwrap()
    }

    /// Returns `true` once in `times`, on average.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}
