//! The documentation of models for people who read code.

/// The first paragraph of a model's documentation as plain text on one line: without tags, entities read.
///
/// Markup that a language's comments would read is the backend's to escape.
#[must_use]
pub fn summary(documentation: &str) -> String {
    let paragraph = documentation.trim_start();
    let end = ["</p>", "\n\n", "<ul>", "<note>"];
    let end = end.iter().filter_map(|end| paragraph.find(end));
    let end = end.filter(|end| *end > 0).min();
    let paragraph = end
        .and_then(|end| paragraph.get(..end))
        .unwrap_or(paragraph);
    let text = read_entities(&without_tags(paragraph));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn without_tags(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let is_tag = after.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
        match after.split_once('>').filter(|_| is_tag) {
            Some((tag, after)) => {
                if matches!(tag, "code" | "/code") {
                    plain.push('`');
                }
                rest = after;
            }
            None => {
                plain.push('<');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn read_entities(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    let read = |text: String, (entity, char): (&str, &str)| text.replace(entity, char);
    entities.into_iter().fold(text.to_owned(), read)
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn the_first_paragraph_is_read() {
        let texts = [
            (
                "<p>The <code>name</code> of a\n  table.</p> <p>More.</p>",
                "The `name` of a table.",
            ),
            ("Plain text.\n\nMore.", "Plain text."),
            ("<p>a &lt; b &amp;&amp; c < d</p>", "a < b && c < d"),
            ("", ""),
        ];
        for (text, expected) in texts {
            assert_eq!(summary(text), expected);
        }
    }
}
