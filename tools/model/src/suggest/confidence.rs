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

    /// Adds a weight if `reason` is `Some`.
    pub(super) fn add(&mut self, weight: Weight, reason: Option<String>) {
        let weight = self.vocabulary.weight(weight);
        if let Some(reason) = reason {
            self.add_value(weight, reason);
        }
    }

    /// Adds a weight if a condition is met.
    pub(super) fn add_if(&mut self, weight: Weight, is_met: bool, reason: &str) {
        self.add(weight, is_met.then(|| reason.to_owned()));
    }

    pub(super) fn add_value(&mut self, weight: f64, reason: String) {
        self.sum += weight;
        let reasons = if weight < 0.0 {
            &mut self.doubts
        } else {
            &mut self.evidence
        };
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }

    /// Adds the weights of a state, whose reasons are known.
    pub(super) fn add_rank(&mut self, rank: f64) {
        self.sum += rank;
    }

    /// Returns the confidence from 0 to 1, in hundredths. A proposal without evidence is not likely.
    pub(super) fn value(&self) -> f64 {
        let most = if self.evidence.is_empty() { 0.79 } else { 0.99 };
        (self.sum.clamp(0.0, most) * 100.0).round() / 100.0
    }
}
