//! Events about pagination, compression and tokens.

use crate::{NONE, events};

#[test]
fn pagination() {
    let of = |service: &str, applied: &str, token: &str| {
        events(&format!(
            "@paginated({applied})\noperation O {{ input := {{ token: {token}, size: Integer }} output := {{ token: {token}, items: L, in: I }} }}\nlist L {{ member: String }}\nmap M {{ key: String, value: String }}\nstructure I {{ items: L, in: J }}\nstructure J {{ items: L }}\n{service}service S {{ operations: [O] }}"
        ))
    };
    let all = "inputToken: \"token\", outputToken: \"token\"";
    assert_eq!(of("", all, "String"), NONE);
    assert_eq!(
        of(
            "",
            &format!("{all}, items: \"in.items\", pageSize: \"size\""),
            "String"
        ),
        NONE
    );
    assert_eq!(
        of("", all, "M"),
        [
            "4 DANGER PaginatedTrait.WrongShapeType.inputToken O",
            "4 DANGER PaginatedTrait.WrongShapeType.outputToken O"
        ]
    );
    assert_eq!(of("", all, "Long").len(), 2);
    assert_eq!(
        of("", "inputToken: \"token\"", "String"),
        ["4 ERROR PaginatedTrait O"]
    );
    assert_eq!(
        of(
            "@paginated(outputToken: \"token\")\n",
            "inputToken: \"token\"",
            "String"
        ),
        NONE
    );
    assert_eq!(
        of(
            "@paginated(outputToken: \"nothing\")\n",
            "inputToken: \"token\"",
            "String"
        ),
        ["4 ERROR PaginatedTrait O"]
    );
    assert_eq!(
        of("", &format!("{all}, items: \"in.in.items\""), "String"),
        ["4 WARNING PaginatedTrait.DeeplyNested.items O"]
    );
    assert_eq!(
        of("", &format!("{all}, items: \"in.nothing\""), "String"),
        ["4 ERROR PaginatedTrait O"]
    );
    assert_eq!(
        of("", &format!("{all}, items: \"token\""), "String"),
        ["4 ERROR PaginatedTrait O"]
    );
    assert_eq!(
        of("", &format!("{all}, pageSize: \"\""), "String")
            .last()
            .unwrap(),
        "4 ERROR TraitValue O"
    );
    assert_eq!(
        of("", &format!("{all}, pages: \"size\""), "String"),
        ["4 WARNING TraitValue.UnknownMember.smithy.api#paginated.pages O"]
    );
}

#[test]
fn request_compression() {
    let of = |encodings: &str, blob: &str| {
        events(&format!(
            "@requestCompression(encodings: [{encodings}])\noperation O {{ input := {{ @required b: B }} }}\n{blob}\nblob B"
        ))
    };
    assert_eq!(of("\"gzip\"", ""), NONE);
    assert_eq!(of("\"GZIP\"", "@streaming"), NONE);
    assert_eq!(of("", ""), ["4 ERROR RequestCompressionTrait O"]);
    assert_eq!(
        of("\"gzip\", \"zip\"", ""),
        ["4 ERROR RequestCompressionTrait O"]
    );
    assert_eq!(
        of("\"gzip\"", "@streaming @requiresLength"),
        ["5 ERROR RequestCompressionTrait O"]
    );
}

#[test]
fn idempotency_tokens() {
    let of = |uses: &str| {
        events(&format!(
            "structure T {{\n@idempotencyToken\ntoken: String }}\noperation O {{ input: T }}\n{uses}"
        ))
    };
    let ignored = ["5 WARNING IdempotencyTokenIgnored T$token"];
    assert_eq!(of(""), NONE);
    assert_eq!(of("operation P { input: T, output: T }"), ignored);
    assert_eq!(of("list L { member: T }"), ignored);
    assert_eq!(of("resource R { properties: { p: T } }"), ignored);
    let error = "@error(\"client\") structure U { @idempotencyToken token: String }\n";
    let on_error = ["8 WARNING IdempotencyTokenIgnored U$token"];
    assert_eq!(
        of(&format!("{error}operation P {{ errors: [U] }}")),
        on_error
    );
    assert_eq!(of(&format!("{error}service S {{ errors: [U] }}")), on_error);
    assert_eq!(
        of("structure U { @idempotencyToken number: Integer }"),
        ["8 ERROR TraitTarget U$number"]
    );
    assert_eq!(
        of("structure U { @idempotencyToken a: String, @idempotencyToken b: String }"),
        ["8 ERROR ExclusiveStructureMemberTrait U"]
    );
}
