// Selectors of traits: for each, a shape that it does not select, and some that it does.
$version: "2.0"

namespace example.selectors

@trait(selector: "[trait|length|min > 3]")
structure t01 {}
@t01 @length(min: 2)
string S01

@trait(selector: "string [trait|documentation = 'a' i]")
structure t02 {}
@t02 @documentation("A")
string S02
@t02 @documentation("B")
string S02b

@trait(selector: "string :not([trait|documentation])")
structure t03 {}
@t03 @documentation("B")
string S03

@trait(selector: "[id|name ?= true]")
structure t04 {}
@t04
string S04

@trait(selector: "[trait|enum|(values)|name = 'X']")
structure t05 {}
@t05
string S05

@trait(selector: ":root(operation)")
structure t06 {}
@t06
string S06

@trait(selector: "structure $x(*) > member")
structure t07 {}
@t07
string S07

@trait(selector: ":topdown(service)")
structure t08 {}
@t08
string S08

@trait(selector: "[@trait|length: @{min} = 2]")
structure t09 {}
@t09 @length(min: 3)
string S09

@trait(selector: "[trait|documentation = a, b]")
structure t10 {}
@t10 @documentation("c")
string S10
@t10 @documentation("b")
string S10b

@trait(selector: "[service|version = '1']")
structure t11 {}
@t11
string S11
@t11
service V11 { version: "1" }

@trait(selector: "number")
structure t12 {}
@t12
string S12
@t12
intEnum I12 {
 A = 1
}

@trait(selector: "simpleType")
structure t13 {}
@t13
list L13 { member: String }

@trait(selector: "structure ~> string")
structure t14 {}
@t14
string S14
@t14
string S14b
structure X14 { a: S14b }

@trait(selector: ":is(structure, union)")
structure t15 {}
@t15
string S15

@trait(selector: "member [id|member = 'a']")
structure t16 {}
structure X16 { @t16 a: String, @t16 b: String }

@trait(selector: "[id = 'example.selectors#S17']")
structure t17 {}
@t17
string S17
@t17
string S17b

@trait(selector: "[id|namespace != 'example.selectors']")
structure t18 {}
@t18
string S18

@trait(selector: "[id|name $= 'x']")
structure t19 {}
@t19
string S19

@trait(selector: "[id|name *= 'S2']")
structure t20 {}
@t20
string S20
@t20
string R20

@trait(selector: "list > member > string")
structure t21 {}
@t21
string S21

@trait(selector: "string < member < list")
structure t22 {}
@t22
list L22 { member: Integer }
@t22
list L22b { member: String }

@trait(selector: "operation -[input, output]-> structure")
structure t23 {}
@t23
structure X23 {}
@t23
structure X23b {}
operation O23 { input: X23b }

@trait(selector: "service -[trait]-> *")
structure t24 {}
@t24
string S24

@trait(selector: ":nope(string)")
structure t27 {}
@t27
string S27

@trait(selector: "[trait|example.selectors#t01]")
structure t28 {}
@t28
string S28

@trait(selector: "resource -[identifier]-> string")
structure t29 {}
@t29
string S29

@trait(selector: "collection")
structure t30 {}
@t30
map M30 { key: String, value: String }

@trait(selector: "dataType")
structure t31 {}
@t31
operation O31 {}

@trait(selector: "enum")
structure t32 {}
@t32
string S32

@trait(selector: "string")
structure t33 {}
@t33
enum E33 {
 A
}

@trait(selector: ":test(> member > integer)")
structure t34 {}
@t34
structure X34 { a: String }
@t34
structure X34b { a: Integer }

@trait(selector: ":not(:test(-[member]->))")
structure t35 {}
