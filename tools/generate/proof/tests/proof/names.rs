//! Names that methods, Rust and the generated code have themselves, and what is deprecated: what is here compiles.

use std::time::Duration;

use smithy_waiters_generate_proof::names::{GetReadyError, GetReadyOutcome, WaitUntil as _};
use smithy_waiters_generate_proof::{names, sdk};

#[tokio::test]
async fn a_builder_has_a_setter_for_each_member() {
    let request = sdk::Client.wait_until_of_input().clone("a").wait_value("b");
    let request = request.wait_on_value("c").fmt("d").eq("e").into("f");
    let request = request.customize_value("g").default_value("h");
    let request = request.self_("i").r#type("j").request("k");
    let outcome = request.wait(Duration::from_millis(1)).await;
    assert!(outcome.is_err(), "its state is not its input's");
}

#[test]
fn what_is_named_after_something_else_gives_way() {
    let _: GetReadyOutcome = sdk::Client.wait_until_get_ready_outcome();
    let _: GetReadyError = sdk::Client.wait_until_get_ready_error();
    let _: names::ListThingsPages = sdk::Client.wait_until_list_things_pages();
    let _: names::ListThingsPages2 = names::paginate_list_things(sdk::Client.list_things());
    let _: names::Gone = sdk::Client.wait_until_gone_waiter();
    let _: names::SelfWaiter = sdk::Client.wait_until_self();
    let _: names::SendWaiter = sdk::Client.wait_until_send();
}
