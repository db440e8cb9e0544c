//! The feature of waiters in the user agent of the AWS SDK for Rust.

use aws_smithy_runtime_api::client::orchestrator::HttpRequest;

/// The header with the features that a request uses, as `m/` and a list of ids.
const HEADER: &str = "x-amz-user-agent";

/// The id of waiters in all AWS SDKs.
const WAITER: &str = "B";

/// Adds the feature of waiters to the user agent of a request, as the SDK's own waiters do.
///
/// Generated code passes it to `mutate_request`, which runs before the request is signed. A request without the SDK's
/// user agent stays unchanged. The SDK's own type for the feature is not public.
///
/// # Example: the request of a waiter
///
/// ```
/// use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
/// use smithy_waiters::driver::mark_user_agent;
///
/// let mut request = HttpRequest::empty();
/// request.headers_mut().insert("x-amz-user-agent", "aws-sdk-rust/1 m/E,b");
/// mark_user_agent(&mut request);
/// assert_eq!(request.headers().get("x-amz-user-agent"), Some("aws-sdk-rust/1 m/B,E,b"));
/// ```
pub fn mark_user_agent(request: &mut HttpRequest) {
    let headers = request.headers_mut();
    if let Some(marked) = headers.get(HEADER).and_then(mark) {
        // A value that was valid stays valid.
        let _ = headers.try_insert(HEADER, marked);
    }
}

/// Returns the user agent with the feature, or `None` if it already has it.
fn mark(agent: &str) -> Option<String> {
    let Some((before, features)) = agent.split_once(" m/") else {
        return Some(format!("{agent} m/{WAITER}"));
    };
    let ids = features.split(' ').next().unwrap_or_default();
    let is_marked = ids.split(',').any(|id| id == WAITER);
    (!is_marked).then(|| format!("{before} m/{WAITER},{features}"))
}

#[cfg(test)]
mod tests {
    use super::mark;

    #[test]
    fn the_feature_is_added_once() {
        assert_eq!(mark("a/1").as_deref(), Some("a/1 m/B"));
        assert_eq!(mark("a/1 m/E,b c/2").as_deref(), Some("a/1 m/B,E,b c/2"));
        assert_eq!(mark("a/1 m/E,B c/2"), None);
    }
}
