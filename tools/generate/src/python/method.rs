//! The names of client methods, as botocore derives them.

use super::print::string_literal;
use super::types::is_keyword;
use crate::ir::Operation;

/// Returns `client.describe_table`, or a `getattr` call if the name is a keyword.
pub(super) fn bound_method(operation: &Operation<'_>) -> String {
    let name = method_name(operation.name);
    if is_keyword(&name) {
        return format!("getattr(client, {})", string_literal(&name));
    }
    format!("client.{name}")
}

/// Converts an operation name to a method name: `DescribeDBInstances` becomes `describe_db_instances`.
pub(super) fn method_name(operation: &str) -> String {
    operation_name(operation, '_')
}

/// Converts an operation name to lowercase words, as botocore does for methods (`_`) and the AWS CLI for commands (`-`).
#[must_use]
pub fn operation_name(operation: &str, separator: char) -> String {
    if operation.contains(separator) {
        return operation.to_owned();
    }
    let (start, plural) = plural_acronym(operation);
    let words = ends(&starts(start, separator), separator).to_lowercase();
    match plural {
        Some(plural) => format!("{words}{separator}{}", plural.to_lowercase()),
        None => words,
    }
}

/// Splits off a plural acronym: `ListACLs` becomes `List` and `ACLs`.
fn plural_acronym(name: &str) -> (&str, Option<&str>) {
    let Some(stem) = name.strip_suffix('s') else {
        return (name, None);
    };
    let start = stem.trim_end_matches(|char: char| char.is_ascii_uppercase());
    if stem.len().saturating_sub(start.len()) < 2 {
        return (name, None);
    }
    match name.split_at_checked(start.len()) {
        Some((start, plural)) => (start, Some(plural)),
        None => (name, None),
    }
}

/// Inserts a separator before each capital that precedes a lowercase letter, except at the start.
fn starts(name: &str, separator: char) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut text = String::new();
    for (at, char) in chars.iter().enumerate() {
        let next = chars.get(at.saturating_add(1));
        let begins = char.is_ascii_uppercase() && next.is_some_and(char::is_ascii_lowercase);
        if at > 0 && begins {
            text.push(separator);
        }
        text.push(*char);
    }
    text
}

/// Inserts a separator between a lowercase letter or digit and a capital.
fn ends(name: &str, separator: char) -> String {
    let mut text = String::new();
    for char in name.chars() {
        let last = text.chars().last();
        let after_small =
            last.is_some_and(|last| last.is_ascii_lowercase() || last.is_ascii_digit());
        if after_small && char.is_ascii_uppercase() {
            text.push(separator);
        }
        text.push(char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::method_name;

    #[test]
    fn methods_are_called_as_botocore_calls_them() {
        let names = [
            ("DescribeTable", "describe_table"),
            ("DescribeDBInstances", "describe_db_instances"),
            ("ListObjectsV2", "list_objects_v2"),
            ("DescribeReplicationTasks", "describe_replication_tasks"),
            ("ListACLs", "list_acls"),
            ("GetMLModel", "get_ml_model"),
            ("HeadBucket", "head_bucket"),
            ("DescribeSSLPolicies", "describe_ssl_policies"),
        ];
        for (name, expected) in names {
            assert_eq!(method_name(name), expected);
        }
    }
}
