//! Prints headings, notes, sizes and errors.

use std::io::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::project::Project;

/// Prints a heading.
pub(crate) fn heading(name: &str) {
    let style = AnsiColor::Cyan.on_default().bold();
    anstream::println!("\n{style}== {name}{style:#}");
}

/// Prints the command that is about to run.
pub(crate) fn command(title: &str) {
    let style = Style::new().dimmed();
    anstream::println!("{style}$ {title}{style:#}");
}

/// Prints a line.
pub(crate) fn note(text: &str) {
    anstream::println!("{text}");
}

/// Prints an error with its causes, outermost first.
pub(crate) fn error(error: &anyhow::Error) {
    let style = AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{style}error:{style:#} {error}");
    for cause in error.chain().skip(1) {
        anstream::eprintln!("  because: {cause}");
    }
}

/// Prints and returns the size of a file in bytes, uncompressed and after gzip.
pub(crate) fn size(project: &Project, file: &Path) -> Result<(usize, usize)> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
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
pub(crate) fn gzip_length(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

#[cfg(test)]
mod tests {
    use super::thousands;

    #[test]
    fn a_comma_at_every_thousand() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(14_512), "14,512");
        assert_eq!(thousands(1_000_000), "1,000,000");
    }
}
