//! The confidence of a proposal: a sum of weights, each with its reason.

use super::vocabulary::{Vocabulary, Weight};

/// A sum of weights.
#[derive(Clone)]
pub(super) struct Confidence<'v> {
    vocabulary: &'v Vocabulary,
    sum: f64,
    pub(super) evidence: Vec<String>,
    pub(super) doubts: Vec<String>,
}

impl<'v> Confidence<'v> {
    pub(super) fn new(vocabulary: &'v Vocabulary, weight: Weight) -> Self {
        Self {
            vocabulary,
            sum: vocabulary.weight(weight),
            evidence: Vec::new(),
            doubts: Vec::new(),
        }
    }

    /// Adds the weight of evidence if there is any.
    pub(super) fn add(&mut self, weight: Weight, reason: Option<String>) {
        if let Some(reason) = reason {
            self.sum += self.vocabulary.weight(weight);
            self.note(reason);
        }
    }

    /// Adds evidence without a weight.
    pub(super) fn note(&mut self, reason: String) {
        if !self.evidence.contains(&reason) {
            self.evidence.push(reason);
        }
    }

    /// Adds the weight of a doubt if a condition is met.
    pub(super) fn doubt(&mut self, weight: Weight, is_met: bool, reason: &str) {
        if is_met {
            self.doubt_value(self.vocabulary.weight(weight), reason);
        }
    }

    pub(super) fn doubt_value(&mut self, weight: f64, reason: &str) {
        self.sum += weight;
        self.doubts.push(reason.to_owned());
    }

    /// Adds a weight whose reason is known.
    pub(super) fn add_rank(&mut self, rank: f64) {
        self.sum += rank;
    }

    /// Returns the confidence from 0 to 1, in hundredths. A proposal without evidence is not likely.
    pub(super) fn value(&self) -> f64 {
        let most = if self.evidence.is_empty() { 0.79 } else { 0.99 };
        (self.sum.clamp(0.0, most) * 100.0).round() / 100.0
    }
}
