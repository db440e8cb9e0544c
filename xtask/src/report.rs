//! Prints headings, notes, tables, sizes and errors.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::project::Project;

/// Prints a heading.
pub(crate) fn heading(name: &str) {
    note(&format!("\n== {name}"));
}

/// Prints the command that is about to run.
pub(crate) fn command(title: &str) {
    note(&format!("$ {title}"));
}

/// Prints a line.
#[expect(clippy::print_stdout, reason = "the output of the verbs")]
pub(crate) fn note(text: &str) {
    println!("{text}");
}

/// Prints an error with its causes, outermost first.
#[expect(clippy::print_stderr, reason = "the output of the verbs")]
pub(crate) fn error(error: &anyhow::Error) {
    eprintln!("error: {error}");
    for cause in error.chain().skip(1) {
        eprintln!("  because: {cause}");
    }
}

/// Formats rows as aligned columns. The last column is not padded.
pub(crate) fn table<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..COLUMNS).map(width).collect();
    let line = |row: &[String; COLUMNS]| {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Formats bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Prints and returns the size of a file in bytes, uncompressed and after gzip.
pub(crate) fn size(project: &Project, file: &Path) -> Result<(usize, usize)> {
    let bytes = fs_err::read(file)?;
    let name = project.display(file);
    let (raw, gzip) = (bytes.len(), gzip_length(&bytes)?);
    note(&format!(
        "{name}: {} bytes, {} after gzip",
        thousands(raw),
        thousands(gzip)
    ));
    Ok((raw, gzip))
}

/// Formats a number with a comma at every thousand.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b',')).into_owned()
}

/// Returns the number of bytes after gzip.
fn gzip_length(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

#[cfg(test)]
mod tests {
    use super::{table, thousands};

    #[test]
    fn a_comma_at_every_thousand() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(14_512), "14,512");
        assert_eq!(thousands(1_000_000), "1,000,000");
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [["a", "b", "c"], ["döner", "", "d"]].map(|row| row.map(str::to_owned));
        assert_eq!(table(&rows), "a      b  c\ndöner     d");
    }
}
