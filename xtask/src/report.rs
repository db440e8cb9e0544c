//! What people see: headings, notes, sizes, errors.

use std::io::Write;
use std::path::Path;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::project::Project;

/// The name of what begins now.
pub(crate) fn heading(name: &str) {
    let style = AnsiColor::Cyan.on_default().bold();
    anstream::println!("\n{style}== {name}{style:#}");
}

/// A program that is about to run.
pub(crate) fn command(title: &str) {
    let style = Style::new().dimmed();
    anstream::println!("{style}$ {title}{style:#}");
}

/// One fact.
pub(crate) fn note(text: &str) {
    anstream::println!("{text}");
}

/// A failure with its causes, outermost first.
pub(crate) fn error(error: &anyhow::Error) {
    let style = AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{style}error:{style:#} {error}");
    for cause in error.chain().skip(1) {
        anstream::eprintln!("  because: {cause}");
    }
}

/// The size of a file, as it is and after gzip; says them, and gives them back.
pub(crate) fn size(project: &Project, file: &Path) -> Result<(usize, usize)> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let shown = project.display(file);
    let (raw, gzip) = (bytes.len(), gzip_length(&bytes)?);
    note(&format!(
        "{shown}: {} bytes, {} after gzip",
        thousands(raw),
        thousands(gzip)
    ));
    Ok((raw, gzip))
}

/// A number with a comma at every thousand.
pub(crate) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    String::from_utf8_lossy(&groups.join(&b',')).into_owned()
}

/// How many bytes there are after gzip.
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
