// Traits that are not defined.
$version: "2.0"

namespace example.unknown

@waitabl(Fine: {})
operation Misspelt {
    input := {
        @requird
        text: String
    }
}

@smithy.api#fresh
@smithy.waiters#waited
structure Absolute {}

apply Gone @required

apply Misspelt$gone @required

apply Gone {
    @deprecated
    @documentation("twice")
}

structure Mixed with [GoneMixin] {}
