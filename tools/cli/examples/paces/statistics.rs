//! Means and percentiles of values with weights.

pub(crate) fn mean(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let add = |(sum, total), (value, weight)| (sum + value * weight, total + weight);
    let (sum, total) = values.fold((0.0, 0.0), add);
    sum / total
}

/// Returns the least value that a part of the weight does not exceed.
pub(crate) fn percentile(values: impl Iterator<Item = (f64, f64)>, part: f64) -> f64 {
    let mut values: Vec<(f64, f64)> = values.collect();
    values.sort_by(|one, other| one.0.total_cmp(&other.0));
    let limit = part * values.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut seen = 0.0;
    for (value, weight) in values {
        seen += weight;
        if seen >= limit {
            return value;
        }
    }
    f64::NAN
}
