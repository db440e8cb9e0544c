// Values that are ids of shapes.
$version: "2.0"

namespace example.references

@trait
@idRef(failWhenMissing: true)
string existing

@trait
@idRef(selector: "structure")
string structures

@trait
@idRef(failWhenMissing: true, selector: "member", errorMessage: "a member is wanted")
string members

@trait
structure config {
    @idRef(failWhenMissing: true)
    of: String

    list: References
}

list References {
    member: Reference
}

@idRef(failWhenMissing: true)
string Reference

structure Thing {
    a: String
}

@existing(Thing)
string Fine

@existing("example.references#Thing$a")
string FineMember

@existing("smithy.api#String")
string FinePrelude

@existing("example.references#Gone")
string Gone

@existing("example.references#Thing$b")
string GoneMember

@existing("not an id")
string NoId

@existing("Thing")
string Relative

@structures("example.references#Reference")
string WrongShape

@structures("example.references#Thing$a")
string WrongMember

@structures("example.references#Gone")
string FineGone

@members(Thing)
string NotMember

@members("example.references#Thing$a")
string Member

@config(of: "example.references#Gone")
string GoneInside

@config(list: [Thing, "example.references#Gone"])
string GoneElement
