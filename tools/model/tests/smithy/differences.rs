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
    id: &'static str,
    shapes: &'static [&'static str],
}

impl Difference {
    /// Returns the model, side, id and shape of each event.
    pub(crate) fn keys(&self) -> impl Iterator<Item = (String, Side, String, String)> {
        self.shapes.iter().map(|shape| {
            let (model, id) = (self.model.to_owned(), self.id.to_owned());
            (model, self.side, id, (*shape).to_owned())
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

const VALUES: &str = "trait-values";
const UNKNOWN_PLACE: &str = "Smithy has no place for the key of a map in a value that is written with braces; ours is the key's";
const SELECTOR: &str = "a selector with variables, numbers, lists of values, `:root`, `:topdown` or the like is not judged by";

pub(crate) const DIFFERENCES: &[Difference] = &[
    Difference {
        reason: UNKNOWN_PLACE,
        model: VALUES,
        side: Side::Smithy,
        id: "TraitValue",
        shapes: &["example.traits#LongKeys", "example.traits#WrongName"],
    },
    Difference {
        reason: UNKNOWN_PLACE,
        model: VALUES,
        side: Side::Ours,
        id: "TraitValue",
        shapes: &["example.traits#LongKeys", "example.traits#WrongName"],
    },
    Difference {
        reason: "Smithy lets an integer overflow without a word",
        model: VALUES,
        side: Side::Ours,
        id: "TraitValue",
        shapes: &["example.traits#LongLong"],
    },
    Difference {
        reason: "1 and 1.0 are the same number, and two elements to Smithy",
        model: VALUES,
        side: Side::Ours,
        id: "TraitValue",
        shapes: &["example.traits#SameNumbers"],
    },
    Difference {
        reason: "a timestamp in the value of a trait may be any text here",
        model: VALUES,
        side: Side::Smithy,
        id: "TraitValue",
        shapes: &["example.traits#WrongTime"],
    },
    Difference {
        reason: SELECTOR,
        model: "trait-targets",
        side: Side::Smithy,
        id: "TraitTarget",
        shapes: &["example.targets#Short"],
    },
    Difference {
        reason: SELECTOR,
        model: "selectors",
        side: Side::Smithy,
        id: "TraitTarget",
        shapes: &[
            "example.selectors#S01",
            "example.selectors#S02b",
            "example.selectors#S05",
            "example.selectors#S06",
            "example.selectors#S07",
            "example.selectors#S08",
            "example.selectors#S09",
            "example.selectors#S10",
            "example.selectors#S11",
            "example.selectors#S24",
            "example.selectors#S27",
        ],
    },
    Difference {
        reason: "a later release of Smithy may have a trait of the prelude that is not known: a warning",
        model: "unknown-traits",
        side: Side::Smithy,
        id: "Model",
        shapes: &["example.unknown#Absolute"],
    },
    Difference {
        reason: "the same event as a warning",
        model: "unknown-traits",
        side: Side::Ours,
        id: "Model",
        shapes: &["example.unknown#Absolute"],
    },
];
