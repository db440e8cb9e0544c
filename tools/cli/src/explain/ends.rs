//! Explanations of the codes with which waits end.

/// The code and what to do, as in `docs/errors.md`.
pub(super) const ENDS: [(&str, &str); 12] = [
    (
        "cancelled",
        "The wait was cancelled. The work goes on, unless `cancel_with` stops it.",
    ),
    (
        "failure_state",
        "An acceptor with the state `failure` matched, such as a value in `fail`. The resource has failed. Read the response in the error; `show` adds its reason to the message.",
    ),
    (
        "gone",
        "The resource was there and no longer exists, with `not_found_for`. It was deleted, perhaps by a rollback.",
    ),
    (
        "never_found",
        "The resource was not found for `not_found_for`. Check the identifier and the region. If the creation takes longer, raise `not_found_for`.",
    ),
    (
        "never_left",
        "The state of `left` was not left in time. The change did not start, or changed nothing: `left_else=\"accept\"`, see After a change.",
    ),
    (
        "never_seen",
        "The value of `same` was not seen in time. Check that the change started; raise `left_within` if it starts late.",
    ),
    (
        "replaced",
        "Another value took the place of that of `same`. Your deployment was rolled back, or overtaken by another one.",
    ),
    (
        "timed_out",
        "`max_wait` or `deadline` passed, or no further call fits into the remaining time. Read `last seen` in the message. A typo in the path shows as `gave null`, and as a hint. Otherwise raise `max_wait`.",
    ),
    (
        "too_many_attempts",
        "The wait made `max_attempts` calls. Limit the wait by time, or raise the number.",
    ),
    (
        "unexpected_state",
        "The resource is in a state that `pending` does not list. Add the state to `pending` if it is on the way. Otherwise the resource has failed.",
    ),
    (
        "unmatched_error",
        "The call failed with an error that no acceptor matches and that is not transient. Correct the call or its permissions. If the error is expected, add it to `retry_errors` or `success_errors`.",
    ),
    (
        "unreachable",
        "The service did not answer for `transient_window`. Check the network and the endpoint. For longer outages, raise `transient_window`.",
    ),
];
