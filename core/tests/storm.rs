//! A small retry storm: the load that each retry strategy puts on a failing service, and after its recovery.

#[path = "../examples/storm/simulation.rs"]
mod simulation;

use simulation::Storm;

#[test]
fn the_quota_takes_the_load_off_a_service_that_fails() {
    let storm = Storm {
        clients: 200,
        ..Storm::default()
    };
    let runs = storm.runs().unwrap();
    let load = |run: usize, second| runs.get(run).unwrap().load(&storm, second);
    let (before, end) = (storm.fails_from - 2, storm.fails_until - 2);
    for run in &runs {
        let quiet = run.load(&storm, before);
        assert!((quiet - 1.0).abs() < 0.05, "{}: {quiet}", run.name);
    }
    assert!(load(0, end) > 5.8, "five retries each, at once");
    assert!(load(1, end) > 5.5, "spread, but as many");
    // 500 tokens allow a hundred retries: 20 requests of a client, 40 s.
    assert!(load(2, storm.fails_from + 20) > 4.0);
    assert!(load(2, end) < 1.1, "no retries: {}", load(2, end));
    let later = storm.fails_until + 60;
    assert!((load(2, later) - 1.0).abs() < 0.05, "and it stays so");
}
