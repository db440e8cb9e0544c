//! The programs for Rust that the playground copies. Its own tests compare the files with what the page shows.

#![cfg(feature = "tokio")]
#![expect(clippy::print_stdout, reason = "the programs print their outcomes")]

macro_rules! copied {
    ($name:ident, $file:literal, $succeeds:literal) => {
        mod $name {
            include!(concat!("../../docs/playground/tests/copied/", $file));

            #[test]
            fn ends_as_on_the_page() {
                assert_eq!(main().is_ok(), $succeeds);
            }
        }
    };
}

copied!(first_page, "case0.rs", true);
copied!(short_form, "case1.rs", true);
copied!(condition, "case2.rs", true);
copied!(several_values, "case3.rs", true);
copied!(failure, "case4.rs", false);
copied!(unmatched_error, "case5.rs", false);
copied!(large_numbers_and_control_characters, "case6.rs", true);
copied!(input_and_output, "case7.rs", true);
copied!(error_with_a_status, "case8.rs", false);
copied!(numbers_by_their_texts, "case9.rs", true);
