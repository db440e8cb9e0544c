//! The intended differences between Smithy's events and ours. A test fails for a difference that is missing here, and
//! for an entry that is out of date.

/// The side that reports an event.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum Side {
    Ours,
    Smithy,
}

/// Events that only one side reports, with the reason.
pub(crate) struct Difference {
    #[expect(dead_code, reason = "for readers")]
    reason: &'static str,
    model: &'static str,
    side: Side,
    shape: &'static str,
    /// An id is listed as often as the event is reported.
    ids: &'static [&'static str],
}

impl Difference {
    /// Returns the model, side, id and shape of each event.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (String, Side, String, String)> {
        self.ids.iter().map(|id| {
            let (model, shape) = (self.model.to_owned(), self.shape.to_owned());
            (model, self.side, (*id).to_owned(), shape)
        })
    }
}

/// Validators of Smithy that do not concern waiters or behaviour traits, and the reasons for omitting their events.
pub(crate) const OTHERS: [(&str, &str); 4] = [
    (
        "ModelDeprecation",
        "a set is a shape of 1.0: nothing is wrong with it there",
    ),
    (
        "ShapeIdConflict",
        "ids that differ in case only are two shapes here",
    ),
    (
        "StreamingTrait",
        "a stream that is not required, as botocore's definitions have them",
    ),
    (
        "SyntacticShapeIdTarget",
        "the shape is missing, which another event is about already",
    ),
];

const CAUSE: &str = "a missing member or a wrong call is the problem, not the type of its result";
const ONCE: &str = "Smithy validates the matcher of a failure with a message twice";
const SAMPLE: &str =
    "no value is at this place in Smithy's sample response, but a real response can have one";
const RESULT: &str = "in Smithy, `ends_with` and `max_by` return a number, `sort_by` an empty array and `merge` an empty object";
const UNKNOWN: &str = "the type is not certain, because it depends on the value";
const ENGINE: &str = "the engine rejects the path";
const FOUND: &str =
    "Smithy's sample response has no value at this place, so Smithy does not check the rest";

pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference {
        reason: CAUSE,
        model: "mixins",
        side: Side::Smithy,
        shape: "example.mixins#Waited",
        ids: &[
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Mixed.0",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Mixed.1",
        ],
    },
    Difference {
        reason: CAUSE,
        model: "mixins",
        side: Side::Smithy,
        shape: "example.mixins#Less",
        ids: &["WaitableTraitJmespathProblem.ReturnTypeMismatch.Mixed.1"],
    },
    Difference {
        reason: CAUSE,
        model: "suppressions",
        side: Side::Smithy,
        shape: "example.suppressed#Wait",
        ids: &[
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.First.2",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Suppressed.0",
        ],
    },
    Difference {
        reason: CAUSE,
        model: "waiter-errors",
        side: Side::Smithy,
        shape: "example.errors#Messages",
        ids: &["WaitableTrait"],
    },
    Difference {
        reason: CAUSE,
        model: "waiter-errors",
        side: Side::Smithy,
        shape: "example.errors#Paths",
        ids: &[
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Unread.3",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Unread.4",
        ],
    },
    Difference {
        reason: CAUSE,
        model: "waiter-expressions",
        side: Side::Smithy,
        shape: "example.expressions#O",
        ids: &[
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.49",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.50",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.71",
        ],
    },
    Difference {
        reason: CAUSE,
        model: "waiter-paths",
        side: Side::Smithy,
        shape: "example.paths#Look",
        ids: &[
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Both.1",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Both.3",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Members.0",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Members.1",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Selections.3",
        ],
    },
    Difference {
        reason: CAUSE,
        model: "waiter-paths",
        side: Side::Smithy,
        shape: "example.paths#Nothing",
        ids: &[
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.NoOutput.0",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.NoOutput.1",
        ],
    },
    Difference {
        reason: CAUSE,
        model: "waiter-paths",
        side: Side::Smithy,
        shape: "example.paths#Shapes",
        ids: &["WaitableTraitJmespathProblem.ReturnTypeMismatch.Recursive.1"],
    },
    Difference {
        reason: CAUSE,
        model: "waiters-ast",
        side: Side::Smithy,
        shape: "example.ast#Look",
        ids: &["WaitableTraitJmespathProblem.ReturnTypeMismatch.Wrong.0"],
    },
    Difference {
        reason: ONCE,
        model: "suppressions",
        side: Side::Smithy,
        shape: "example.suppressed#Wait",
        ids: &["WaitableTraitInvalidErrorType.Second.2"],
    },
    Difference {
        reason: ONCE,
        model: "waiter-paths",
        side: Side::Smithy,
        shape: "example.paths#Look",
        ids: &[
            "WaitableTraitJmespathProblem.JmespathEventDanger.Both.3",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Both.3",
        ],
    },
    Difference {
        reason: SAMPLE,
        model: "waiter-expressions",
        side: Side::Smithy,
        shape: "example.expressions#O",
        ids: &[
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.26",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.34",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.35",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.52",
        ],
    },
    Difference {
        reason: SAMPLE,
        model: "waiter-errors",
        side: Side::Smithy,
        shape: "example.errors#Messages",
        ids: &["WaitableTrait"],
    },
    Difference {
        reason: RESULT,
        model: "waiter-expressions",
        side: Side::Smithy,
        shape: "example.expressions#O",
        ids: &[
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.22",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.25",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.25",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.32",
        ],
    },
    Difference {
        reason: RESULT,
        model: "waiter-paths",
        side: Side::Smithy,
        shape: "example.paths#Look",
        ids: &["WaitableTraitJmespathProblem.JmespathEventDanger.Calls.4"],
    },
    Difference {
        reason: UNKNOWN,
        model: "waiter-expressions",
        side: Side::Smithy,
        shape: "example.expressions#O",
        ids: &[
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.55",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.55",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.55",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.55",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.55",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.55",
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.55",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.18",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.51",
        ],
    },
    Difference {
        reason: UNKNOWN,
        model: "waiter-errors",
        side: Side::Smithy,
        shape: "example.errors#Messages",
        ids: &["WaitableTrait"],
    },
    Difference {
        reason: ENGINE,
        model: "waiter-expressions",
        side: Side::Smithy,
        shape: "example.expressions#O",
        ids: &[
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.38",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.44",
        ],
    },
    Difference {
        reason: ENGINE,
        model: "waiter-expressions",
        side: Side::Ours,
        shape: "example.expressions#O",
        ids: &["WaitableTrait"],
    },
    Difference {
        reason: FOUND,
        model: "waiter-expressions",
        side: Side::Ours,
        shape: "example.expressions#O",
        ids: &[
            "WaitableTraitJmespathProblem.JmespathEventDanger.Ended.11",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.10",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.26",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.34",
            "WaitableTraitJmespathProblem.ReturnTypeMismatch.Ended.35",
        ],
    },
    Difference {
        reason: "a later release of Smithy may have a trait of the prelude that is not known: a warning",
        model: "unknown-traits",
        side: Side::Smithy,
        shape: "example.unknown#Absolute",
        ids: &["Model"],
    },
    Difference {
        reason: "the same event as a warning",
        model: "unknown-traits",
        side: Side::Ours,
        shape: "example.unknown#Absolute",
        ids: &["Model"],
    },
];
