//! Random expressions over the output of the model. Most of them use the right types; the others make evaluations fail.

use crate::answers::TEXTS;
use crate::chance::Chance;

const MAX_DEPTH: usize = 3;

/// The value to which an expression applies.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Scope {
    Object,
    Output,
    Text,
    Thing,
}

/// A generator of expressions.
pub(crate) struct Paths {
    chance: Chance,
    scope: Scope,
    depth: usize,
    before: &'static str,
}

/// The expressions for the members of a scope.
struct Members {
    booleans: &'static [&'static str],
    numbers: &'static [&'static str],
    texts: &'static [&'static str],
    objects: &'static [&'static str],
    things: &'static [&'static str],
    lists_of_texts: &'static [&'static str],
    lists_of_numbers: &'static [&'static str],
    others: &'static [&'static str],
}

const OUTPUT: Members = Members {
    booleans: &["done", "sure", "either.flag", "choice.flag"],
    numbers: &[
        "size",
        "count",
        "level",
        "percent",
        "when",
        "byMode.on",
        "numbers[0]",
        "tiny",
    ],
    texts: &[
        "title",
        "name",
        "state",
        "mode",
        "either.text",
        "choice.state",
        "things[0].state",
        "things[-1].label",
        "byName.x.state",
        "pair[0]",
        "sparse[0]",
        "either.thing.state",
    ],
    objects: &[
        "either",
        "choice",
        "byName",
        "byMode",
        "things[0]",
        "anything",
        "choice.thing",
    ],
    things: &[
        "things",
        "maybe",
        "things[].parts[]",
        "values(byName)",
        "byName.*",
        "things[0].parts",
    ],
    lists_of_texts: &[
        "texts",
        "more",
        "pair",
        "sparse",
        "things[].state",
        "things[*].label",
        "things[].tags[]",
        "maybe[].state",
        "byName.*.state",
        "either.thing.tags",
    ],
    lists_of_numbers: &["numbers", "byMode.*", "numbers[1:]", "numbers[?@ > `1`]"],
    others: &["anything", "anything.a", "@", "*"],
};

const THING: Members = Members {
    booleans: &[],
    numbers: &[],
    texts: &["state", "label", "tags[0]", "parts[0].state"],
    objects: &["@", "parts[0]"],
    things: &["parts"],
    lists_of_texts: &["tags", "parts[].label"],
    lists_of_numbers: &[],
    others: &["*"],
};

const TEXT: Members = Members {
    texts: &["@"],
    ..NONE
};

const OBJECT: Members = Members {
    objects: &["@"],
    ..NONE
};

const NONE: Members = Members {
    booleans: &[],
    numbers: &[],
    texts: &[],
    objects: &[],
    things: &[],
    lists_of_texts: &[],
    lists_of_numbers: &[],
    others: &["@"],
};

impl Paths {
    pub(crate) const fn of(seed: u64) -> Self {
        Self::with(Chance::of(seed), "")
    }

    /// Creates a generator of expressions in which members have a prefix, such as `output.`.
    pub(crate) const fn with(chance: Chance, before: &'static str) -> Self {
        Self {
            chance,
            scope: Scope::Output,
            depth: 0,
            before,
        }
    }

    /// Returns an expression of any type.
    pub(crate) fn any(&mut self) -> String {
        match self.chance.below(9) {
            0..3 => self.condition(),
            3 => self.number(),
            4 => self.text(),
            5 => self.texts(),
            6 => self.things(),
            7 => self.object(),
            _ => self.other(),
        }
    }

    /// Returns one side of a comparison, which does not contain comparisons.
    pub(crate) fn side(&mut self) -> String {
        self.depth = MAX_DEPTH - 1;
        match self.chance.below(7) {
            0 | 1 => self.text(),
            2 => self.member(|members| members.booleans, &["`true`", "`false`", "`null`"]),
            3 => self.object(),
            _ => self.number(),
        }
    }

    /// Returns an expression that is usually a boolean.
    pub(crate) fn condition(&mut self) -> String {
        if self.is_deep() {
            return self.member(|members| members.booleans, &["`true`", "`false`"]);
        }
        let of = self.deeper(|paths| match paths.chance.below(13) {
            0 => paths.member(|members| members.booleans, &["`true`", "`false`"]),
            1 => format!("!({})", paths.any()),
            2 => format!("({} && {})", paths.any(), paths.condition()),
            3 => format!("({} || {})", paths.any(), paths.condition()),
            4 | 5 => format!("{} {} {}", paths.text(), paths.equality(), paths.text()),
            6 | 7 => format!(
                "{} {} {}",
                paths.number(),
                paths.comparison(),
                paths.number()
            ),
            8 => format!("{} {} {}", paths.any(), paths.equality(), paths.any()),
            9 => format!("contains({}, {})", paths.texts(), paths.text()),
            10 => format!("contains({}, {})", paths.text(), paths.literal_text()),
            11 => format!("starts_with({}, {})", paths.text(), paths.literal_text()),
            _ => format!("ends_with({}, {})", paths.text(), paths.text()),
        });
        if of.contains(['=', '<', '>']) {
            format!("({of})")
        } else {
            of
        }
    }

    pub(crate) fn text(&mut self) -> String {
        if self.is_deep() || self.chance.once_in(2) {
            return match self.chance.below(3) {
                0 => self.literal_text(),
                _ => self.member(|members| members.texts, &["'ready'", "''"]),
            };
        }
        self.deeper(|paths| match paths.chance.below(11) {
            0 => format!("type({})", paths.any()),
            1 => format!("to_string({})", paths.any()),
            2 => format!("join({}, {})", paths.literal_text(), paths.texts()),
            3 => format!("reverse({})", paths.text()),
            4 => format!("({} || {})", paths.text(), paths.text()),
            5 => format!("({} && {})", paths.any(), paths.text()),
            6 => format!("not_null({}, {})", paths.text(), paths.text()),
            7 => format!("max({})", paths.texts()),
            8 => format!("({})[0]", paths.texts()),
            9 => {
                let function = *paths.chance.one_of(&["min_by", "max_by"]);
                let key = paths.inside(Scope::Thing, Self::key);
                format!("{function}({}, &{key}).state", paths.things())
            }
            _ => format!("keys({})[0]", paths.object()),
        })
    }

    /// Returns an expression for a list of texts.
    pub(crate) fn texts(&mut self) -> String {
        if self.is_deep() || self.chance.once_in(2) {
            return self.member(
                |members| members.lists_of_texts,
                &["['ready', 'x']", "`[\"on\"]`"],
            );
        }
        self.deeper(|paths| match paths.chance.below(11) {
            0 => format!("keys({})", paths.object()),
            1 => format!("sort({})", paths.texts()),
            2 => format!("[{}, {}]", paths.text(), paths.text()),
            3 => format!("[{}, {}][]", paths.texts(), paths.texts()),
            4 => format!(
                "({})[?{}]",
                paths.texts(),
                paths.inside(Scope::Text, Self::condition)
            ),
            5 => format!(
                "({})[].{}",
                paths.things(),
                paths.inside(Scope::Thing, Self::leaf)
            ),
            6 => format!(
                "map(&{}, {})",
                paths.inside(Scope::Thing, Self::text),
                paths.things()
            ),
            7 => format!("({})[1:]", paths.texts()),
            8 => format!("to_array({})", paths.any()),
            9 => format!("reverse({})", paths.texts()),
            _ => format!("({} || {})", paths.texts(), paths.texts()),
        })
    }

    fn things(&mut self) -> String {
        if self.is_deep() || self.chance.once_in(2) {
            return self.member(
                |members| members.things,
                &["`[]`", "`[{\"state\": \"ready\"}]`"],
            );
        }
        self.deeper(|paths| match paths.chance.below(4) {
            0 => format!(
                "({})[?{}]",
                paths.things(),
                paths.inside(Scope::Thing, Self::condition)
            ),
            1 => format!(
                "sort_by({}, &{})",
                paths.things(),
                paths.inside(Scope::Thing, Self::key)
            ),
            2 => format!("({} | reverse(@))", paths.things()),
            _ => format!("[{}][]", paths.object()),
        })
    }

    fn number(&mut self) -> String {
        if self.is_deep() || self.chance.once_in(2) {
            return match self.chance.below(3) {
                0 => (*self
                    .chance
                    .one_of(&["`0`", "`1`", "`2`", "`1.5`", "`-1`", "`3`", "`101`"]))
                .to_owned(),
                _ => self.member(|members| members.numbers, &["`1`", "`2`"]),
            };
        }
        self.deeper(|paths| match paths.chance.below(10) {
            0 => format!("length({})", paths.texts()),
            1 => format!("length({})", paths.things()),
            2 => format!("length({})", paths.text()),
            3 => format!("length({})", paths.object()),
            4 => {
                let function = *paths.chance.one_of(&["abs", "ceil", "floor"]);
                format!("{function}({})", paths.number())
            }
            5 => {
                let function = *paths.chance.one_of(&["avg", "max", "min", "sum"]);
                format!("{function}({})", paths.numbers())
            }
            6 => format!("to_number({})", paths.any()),
            7 => format!("length(to_array({}))", paths.any()),
            8 => format!("length([{}, {}])", paths.any(), paths.any()),
            _ => format!("({} || {})", paths.number(), paths.number()),
        })
    }

    fn numbers(&mut self) -> String {
        match self.chance.below(5) {
            0 => format!("[{}, {}]", self.number(), self.number()),
            1 => self.any(),
            2 => format!("map(&length(@), {})", self.texts()),
            _ => self.member(|members| members.lists_of_numbers, &["`[1, 2]`", "`[]`"]),
        }
    }

    fn object(&mut self) -> String {
        if self.is_deep() || self.chance.once_in(2) {
            return self.member(|members| members.objects, &["`{}`", "`{\"a\": 1}`"]);
        }
        self.deeper(|paths| match paths.chance.below(4) {
            0 => format!("({} || {})", paths.object(), paths.object()),
            1 => format!("merge({}, {})", paths.object(), paths.object()),
            2 => format!("{{a: {}, b: {}}}", paths.any(), paths.any()),
            _ => format!("({})[0]", paths.things()),
        })
    }

    fn other(&mut self) -> String {
        if self.is_deep() {
            return self.member(|members| members.others, &["`null`"]);
        }
        self.deeper(|paths| match paths.chance.below(6) {
            0 => "`null`".to_owned(),
            1 => format!("{}.*", paths.object()),
            2 => format!("values({})", paths.object()),
            3 => format!(
                "({} | {})",
                paths.object(),
                paths.inside(Scope::Object, Self::any)
            ),
            4 => format!("({})[]", paths.any()),
            _ => paths.member(|members| members.others, &["`null`"]),
        })
    }

    fn key(&mut self) -> String {
        match self.chance.below(3) {
            0 => self.any(),
            1 => self.number(),
            _ => self.leaf(),
        }
    }

    /// Returns an expression for a text, without calls.
    fn leaf(&mut self) -> String {
        let texts = self.members().texts;
        (*self.chance.one_of(texts)).to_owned()
    }

    fn literal_text(&mut self) -> String {
        match self.chance.below(5) {
            0 => "'o'".to_owned(),
            1 => "'a'".to_owned(),
            _ => format!("'{}'", self.chance.one_of(&TEXTS)),
        }
    }

    fn equality(&mut self) -> &'static str {
        self.chance.one_of::<&str>(&["==", "!="])
    }

    fn comparison(&mut self) -> &'static str {
        self.chance
            .one_of::<&str>(&["==", "!=", "<", "<=", ">", ">="])
    }

    /// Returns a member of the scope, or an alternative that may have another type.
    fn member(
        &mut self,
        of: fn(&Members) -> &'static [&'static str],
        written: &'static [&'static str],
    ) -> String {
        let there = of(self.members());
        if there.is_empty() || self.chance.once_in(8) {
            return (*self.chance.one_of(written)).to_owned();
        }
        let member = *self.chance.one_of(there);
        if self.scope != Scope::Output || self.before.is_empty() {
            return member.to_owned();
        }
        match member.strip_prefix("values(") {
            Some(rest) => format!("values({}.{rest}", self.before),
            None if member == "@" => self.before.to_owned(),
            None => format!("{}.{member}", self.before),
        }
    }

    const fn members(&self) -> &'static Members {
        match self.scope {
            Scope::Object => &OBJECT,
            Scope::Output => &OUTPUT,
            Scope::Text => &TEXT,
            Scope::Thing => &THING,
        }
    }

    const fn is_deep(&self) -> bool {
        self.depth >= MAX_DEPTH
    }

    fn deeper<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        self.depth = self.depth.saturating_add(1);
        let made = make(self);
        self.depth = self.depth.saturating_sub(1);
        made
    }

    fn inside(&mut self, scope: Scope, make: fn(&mut Self) -> String) -> String {
        let around = std::mem::replace(&mut self.scope, scope);
        let made = make(self);
        self.scope = around;
        made
    }
}
