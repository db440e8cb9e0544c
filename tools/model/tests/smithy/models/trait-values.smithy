// Values of traits, those of the prelude and others.
$version: "2.0"

namespace example.traits

@trait
structure config {
    name: String
    level: Level
    rank: Rank
    ratio: Ratio
    parts: Parts
    byName: PartsByName
    tags: Tags
    choice: Choice
    code: Code
    byte: Byte
    flag: Boolean
    sparse: Sparse
    free: Float

    @range(min: 1)
    both: Ratio

    lengths: Lengths
    limited: Limited
    long: Long
    time: Timestamp
    numbers: Numbers
    document: Document
    blob: Blob
}

@length(min: 1, max: 2)
map Lengths {
    @length(max: 3)
    key: String
    value: String
}

@length(min: 2, max: 3)
string Limited

@uniqueItems
list Numbers {
    member: Double
}

@range(min: 0, max: 1)
float Ratio

enum Level {
    LOW
    HIGH
}

intEnum Rank {
    FIRST = 1
}

@length(max: 2)
list Parts {
    member: Part
}

structure Part {
    @required
    id: String

    @range(max: 10)
    weight: Integer

    @length(min: 2)
    @pattern("^[a-z]+$")
    key: String
}

map PartsByName {
    @pattern("^[A-Z]")
    key: String
    value: Part
}

@uniqueItems
list Tags {
    member: String
}

@sparse
list Sparse {
    member: String
}

union Choice {
    text: String
    number: Integer
}

@pattern("^[0-9]{3}$")
string Code

@config(
    name: "fine"
    level: "LOW"
    rank: 1
    ratio: 0.5
    parts: [{ id: "a", weight: 10, key: "ab" }]
    byName: { A: { id: "b" } }
    tags: ["a", "b"]
    choice: { text: "c" }
    code: "123"
    byte: 127
    flag: true
    sparse: ["a", null]
)
string Fine

@config(name: 1)
string WrongString

@config(name: null)
string NullString

@config(level: "MIDDLE")
string WrongEnum

@config(rank: 2)
string WrongIntEnum

@config(ratio: 2)
string WrongRange

@config(ratio: "NaN", free: "NaN")
string NotANumber

@config(ratio: "Infinity", both: "-Infinity")
string Infinite

@config(ratio: "x", free: "x")
string NoNumber

@config(both: "NaN")
string NotANumberTwice

@config(both: 5)
string OneOfBothRanges

@config(rank: "x", byte: "NaN")
string NoInteger

@config(lengths: {})
string NoKey

@config(lengths: { abcd: "a", b: "c", d: "e" })
string LongKeys

@config(limited: "a")
string ShortString

@config(limited: "abcd")
string LongString

@config(long: 9223372036854775808)
string LongLong

@config(long: 1e3)
string LongExponent

@config(time: "x")
string WrongTime

@config(time: true)
string NoTime

@config(numbers: [1, 1.0])
string SameNumbers

@config(numbers: [1, 2, 1])
string RepeatedNumber

@config(document: { a: [null] }, blob: 1)
string NoBlob

@config(parts: [{ id: null }])
string NullRequired

@config(choice: { text: null })
string NullChoice

@config(choice: null, byName: null)
string NullMembers

@config
string FineEmpty

@config([])
string WrongList

@config(parts: [{ id: "a" }, { id: "b" }, { id: "c" }])
string LongList

@config(parts: [{ weight: 11 }])
string WrongPart

@config(parts: [{ id: "a", key: "A" }])
string WrongKey

@config(parts: [null])
string NullPart

@config(byName: { a: { id: "b", more: 1 } })
string WrongName

@config(tags: ["a", "b", "a"])
string RepeatedTag

@config(choice: { text: "c", number: 1 })
string BothChoices

@config(choice: {})
string NoChoice

@config(choice: { other: 1 })
string OtherChoice

@config(code: "12")
string WrongCode

@config(byte: 128)
string WideByte

@config(byte: 1.5)
string FractionalByte

@config(flag: "true")
string WrongFlag

@config(unknown: 1)
string UnknownMember

@config("text")
string WrongKind

@timestampFormat("x")
timestamp WrongFormat

@auth([httpBasicAuth, httpBasicAuth])
service WrongAuth {
    version: "1"
}

@range(min: 1, more: 2)
integer UnknownOfRange

@examples([{ title: "a", more: 1 }])
operation UnknownOfExample {}

@mixin(more: 1)
structure ForgottenOfMixin {}
