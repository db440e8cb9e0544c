//! Errors of every kind: the names that match them, and the sources of a failure.
#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use serde_json::{Value, json};
use smithy_waiters::driver::{NamedError, OperationError};
use smithy_waiters::retry::{RequestFailure, RetrySafety};
use smithy_waiters::{
    ErrorMetadata, Observation, TransientErrors, WaitFailure, WaitOptions, Waiter, WaiterError,
};

/// Returns the first of the names that matches an error.
fn matched_by<'n>(error: &impl OperationError, names: &[&'n str]) -> Option<&'n str> {
    names.iter().copied().find(|name| {
        let matcher = json!({"acceptors": [{"state": "success", "matcher": {"errorType": name}}]});
        let waiter = Waiter::from_value(&matcher, None).unwrap();
        let verdict = waiter.evaluate(&Value::Null, Observation::Error(&error.metadata()));
        verdict.acceptor().is_some()
    })
}

/// Returns the failure of a wait whose call returns an error.
fn failure<E: OperationError + fmt::Debug>(error: E) -> WaiterError<Value, E> {
    let waiter = Waiter::named(
        "Ready",
        r#"{"acceptors": [{"state": "success", "matcher": {"success": true}}]}"#,
    );
    let mut error = Some(error);
    let options = WaitOptions::new(Duration::from_secs(1))
        .seed(1)
        .transient_errors(TransientErrors::Fail);
    let call = |_| Err(error.take().unwrap());
    waiter.unwrap().wait_blocking(call, options).unwrap_err()
}

#[derive(Debug)]
struct Outer(io::Error);

impl Error for Outer {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

impl fmt::Display for Outer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("outer")
    }
}

fn refused() -> io::Error {
    io::Error::new(io::ErrorKind::ConnectionRefused, "no one there")
}

fn chain(error: &dyn Error) -> Vec<String> {
    let mut texts = vec![error.to_string()];
    let mut source = error.source();
    while let Some(error) = source {
        texts.push(error.to_string());
        source = error.source();
    }
    texts
}

#[test]
fn io_errors_are_matched_by_their_kind_but_never_taken_for_a_service_error() {
    let names = ["ConnectionRefused", "ConnectionRefusedError"];
    assert_eq!(
        matched_by(&refused(), &names),
        Some("ConnectionRefusedError")
    );
    let missing = io::Error::from(io::ErrorKind::NotFound);
    assert_eq!(matched_by(&missing, &["NotFound", "Error"]), None);
}

#[test]
fn boxed_errors_have_a_message_only() {
    let error: Box<dyn Error + Send + Sync> = Box::new(Outer(refused()));
    assert_eq!(
        matched_by(&error, &["Outer", "Error", "ConnectionRefusedError"]),
        None
    );
    let failure = failure(error);
    assert_eq!(
        chain(&failure),
        [
            "Ready failed after 0 s and 1 attempt: the call failed: an unnamed error: outer \
             (`.transient_errors(TransientErrors::Fail)` does not retry it)",
            "outer",
            "no one there"
        ]
    );
    let error: Box<dyn Error> = Box::new(Outer(refused()));
    assert_eq!(error.metadata().to_string(), "an unnamed error: outer");
    let error: Box<dyn Error + Send> = Box::new(Outer(refused()));
    assert_eq!(error.as_error().unwrap().to_string(), "outer");
}

#[test]
fn a_named_error_is_matched_by_its_metadata_and_keeps_its_chain() {
    let named = NamedError::new(Outer(refused()), |_| ErrorMetadata::of_code("a#Gone"));
    assert_eq!(matched_by(&named, &["Outer", "Gone"]), Some("Gone"));
    assert_eq!(named.metadata().to_string(), "a#Gone: outer");
    let failure = failure(named);
    assert_eq!(chain(&failure).get(1..).unwrap(), ["outer", "no one there"]);
    let WaiterError::Failure(failure) = failure else {
        panic!("a failure")
    };
    assert_eq!(
        failure.error.unwrap().into_inner().0.kind(),
        io::ErrorKind::ConnectionRefused
    );
}

#[cfg(feature = "anyhow")]
#[test]
fn anyhow_errors_are_matched_by_the_errors_of_their_chain() {
    use anyhow::Context;

    let names = ["Gone", "ConnectionRefusedError"];
    let io = Err::<(), _>(Outer(refused()))
        .context("describing")
        .unwrap_err();
    assert_eq!(matched_by(&io, &names), Some("ConnectionRefusedError"));
    assert_eq!(
        io.metadata().to_string(),
        "ConnectionRefusedError: describing: outer: no one there"
    );
    let cause = anyhow::Error::from(ErrorMetadata::of_code("Gone")).context("describing");
    assert_eq!(matched_by(&cause, &names), Some("Gone"));
    let context = anyhow::Error::from(refused()).context(ErrorMetadata::of_code("Gone"));
    assert_eq!(
        matched_by(&context.context("describing"), &names),
        Some("Gone")
    );
    assert_eq!(matched_by(&anyhow::anyhow!("Gone"), &names), None);
    // The conversions allow `?` in the call and around the wait.
    let failed: anyhow::Error = failure(anyhow::anyhow!("no table")).into();
    assert_eq!(failed.chain().count(), 2);
}

#[cfg(feature = "aws-sdk")]
#[test]
fn errors_of_the_aws_sdk_are_matched_by_their_code_or_by_their_variant() {
    use aws_smithy_runtime_api::client::result::SdkError;
    use aws_smithy_types::error::ErrorMetadata;

    let missing = ErrorMetadata::builder()
        .code("com.amazonaws#NotFound")
        .message("no table")
        .build();
    let service: SdkError<ErrorMetadata, ()> = SdkError::service_error(missing, ());
    assert_eq!(
        matched_by(&service, &["ServiceError", "NotFound"]),
        Some("NotFound")
    );
    assert_eq!(
        service.metadata().to_string(),
        "com.amazonaws#NotFound: no table"
    );
    let expired = ErrorMetadata::builder()
        .code("ExpiredTokenException")
        .build();
    let expired: SdkError<ErrorMetadata, ()> = SdkError::service_error(expired, ());
    assert!(expired.failure().transient(0).unwrap().once);
    assert_eq!(
        expired.failure().static_credentials(true).transient(0),
        None
    );

    let timeout: SdkError<ErrorMetadata, ()> = SdkError::timeout_error(Outer(refused()));
    assert_eq!(
        matched_by(&timeout, &["Outer", "TimeoutError"]),
        Some("TimeoutError")
    );
    assert_eq!(
        chain(&failure(timeout)).get(2..).unwrap(),
        ["outer", "no one there"]
    );
}

#[test]
fn failures_go_between_threads_and_are_kept() {
    fn kept<T: Clone + fmt::Debug + Send + Sync + 'static>() {}
    kept::<WaiterError<Value, ErrorMetadata<'static>>>();
    kept::<WaitFailure<Value, ErrorMetadata<'static>>>();
    kept::<smithy_waiters::Outcome<Value, ErrorMetadata<'static>>>();
    kept::<smithy_waiters::WaitReport>();
    kept::<smithy_waiters::Wait>();
    kept::<Waiter>();
    kept::<smithy_waiters::DefinitionError>();
    kept::<smithy_waiters::OptionsError>();
    kept::<smithy_waiters::StateError>();
    kept::<smithy_waiters::ExpressionError>();
}

/// Returns the safety of a retry of an idempotent request, and `true` if the error is a timeout.
fn retried(error: &impl OperationError) -> Option<(RetrySafety, bool)> {
    let info = error.failure().idempotent(true).classify().info;
    info.retry.map(|retry| (retry.safety, retry.timeout))
}

#[test]
fn errors_are_classified_for_retries() {
    let (lost, slow) = (
        Some((RetrySafety::Yes, false)),
        Some((RetrySafety::Yes, true)),
    );
    let io = |kind: io::ErrorKind| io::Error::from(kind);
    assert_eq!(retried(&io(io::ErrorKind::ConnectionReset)), lost);
    assert_eq!(retried(&io(io::ErrorKind::TimedOut)), slow);
    assert_eq!(retried(&io(io::ErrorKind::NotFound)), None);
    let boxed: Box<dyn Error> = Box::new(Outer(io(io::ErrorKind::TimedOut)));
    assert_eq!(retried(&boxed), slow, "down the chain");
    assert_eq!(retried(&ErrorMetadata::of_code("Throttling")), lost);
    assert_eq!(retried(&ErrorMetadata::of_code("Unknown")), None);
    let named = NamedError::new(Outer(refused()), |_| ErrorMetadata::of_code("TimeoutError"));
    assert_eq!(retried(&named), slow);
    let known = named.with_failure(|error| RequestFailure::of_error(error));
    assert_eq!(retried(&known), lost);
}

#[test]
fn a_failed_request_has_its_code_as_its_name() {
    let failure = RequestFailure::default().code("ns#Gone");
    assert_eq!(matched_by(&failure, &["Busy", "Gone"]), Some("Gone"));
    let unnamed = RequestFailure::default();
    assert_eq!(unnamed.metadata().to_string(), "an unnamed error");
}

#[test]
fn errors_of_private_types_are_classified_by_their_message() {
    let said = |text: &'static str| -> Box<dyn Error> { Box::new(Outer(io::Error::other(text))) };
    let (lost, slow) = (
        Some((RetrySafety::Yes, false)),
        Some((RetrySafety::Yes, true)),
    );
    assert_eq!(
        retried(&said("connection closed before message completed")),
        lost
    );
    assert_eq!(retried(&said("dns error")), lost);
    assert_eq!(retried(&said("operation timed out")), slow);
    assert_eq!(
        retried(&said("the operation timed out, said somebody")),
        None
    );
    let elapsed: Box<dyn Error> = Box::new(elapsed());
    assert_eq!(retried(&elapsed), slow);
}

/// Returns tokio's error for a timeout.
fn elapsed() -> tokio::time::error::Elapsed {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    let limited =
        async { tokio::time::timeout(Duration::ZERO, std::future::pending::<()>()).await };
    runtime.unwrap().block_on(limited).unwrap_err()
}

#[cfg(feature = "anyhow")]
#[test]
fn anyhow_errors_tell_it_down_their_chain() {
    let error = anyhow::Error::new(Outer(io::ErrorKind::TimedOut.into())).context("list");
    assert_eq!(retried(&error), Some((RetrySafety::Yes, true)));
    let named = anyhow::anyhow!("HTTP 400").context(ErrorMetadata::of_code("SlowDown"));
    assert_eq!(retried(&named), Some((RetrySafety::Yes, false)));
}

#[cfg(feature = "aws-sdk")]
#[test]
fn errors_of_the_aws_sdk_tell_their_status_and_headers() {
    use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
    use aws_smithy_runtime_api::client::result::{ConnectorError, SdkError};
    use aws_smithy_types::body::SdkBody;
    use aws_smithy_types::error::ErrorMetadata;

    let response = |status: u16, retry_after: &'static str| {
        let status = status.try_into().unwrap();
        let mut response = HttpResponse::new(status, SdkBody::empty());
        response.headers_mut().insert("retry-after", retry_after);
        response
    };
    let unavailable: SdkError<ErrorMetadata, HttpResponse> =
        SdkError::service_error(ErrorMetadata::builder().build(), response(503, "7"));
    let info = unavailable.failure().classify().info.retry.unwrap();
    assert_eq!(info.safety, RetrySafety::Yes);
    assert_eq!(info.retry_after, Some(Duration::from_secs(7)));

    let throttled = ErrorMetadata::builder().code("ThrottlingException").build();
    let throttled: SdkError<ErrorMetadata, ()> = SdkError::service_error(throttled, ());
    let info = throttled.failure().idempotent(true).classify().info;
    assert!(info.retry.unwrap().throttle);

    let timeout: SdkError<ErrorMetadata, ()> = SdkError::timeout_error(Outer(refused()));
    assert_eq!(retried(&timeout), Some((RetrySafety::Yes, true)));
    let lost = ConnectorError::io(Box::new(Outer(refused())));
    let lost: SdkError<ErrorMetadata, ()> = SdkError::dispatch_failure(lost);
    assert_eq!(retried(&lost), Some((RetrySafety::Yes, false)));
    let begun = HttpResponse::new(200.try_into().unwrap(), SdkBody::empty());
    let reset = Outer(io::ErrorKind::ConnectionReset.into());
    let broken: SdkError<ErrorMetadata, HttpResponse> = SdkError::response_error(reset, begun);
    assert_eq!(retried(&broken), Some((RetrySafety::Yes, false)));
    let mistake = ConnectorError::user(Box::new(Outer(refused())));
    let mistake: SdkError<ErrorMetadata, ()> = SdkError::dispatch_failure(mistake);
    assert_eq!(retried(&mistake), None);
}

#[cfg(feature = "aws-sdk")]
#[test]
fn connections_of_the_aws_sdk_that_waiting_cures() {
    use aws_smithy_runtime_api::client::result::{ConnectorError, SdkError};
    use aws_smithy_types::error::ErrorMetadata;
    use aws_smithy_types::retry::ErrorKind;

    let is_transient = |connector: fn(Outer) -> ConnectorError, text: &'static str| {
        let error = connector(Outer(io::Error::other(text)));
        let error: SdkError<ErrorMetadata, ()> = SdkError::dispatch_failure(error);
        error.failure().transient(0).is_some()
    };
    let io = |error| ConnectorError::io(Box::new(error));
    let closed = |error| ConnectorError::other(Box::new(error), Some(ErrorKind::TransientError));
    let unknown = |error| ConnectorError::other(Box::new(error), None);
    assert!(is_transient(io, "operation was canceled"));
    assert!(is_transient(
        closed,
        "connection closed before message completed"
    ));
    assert!(!is_transient(unknown, "no credentials"));
    assert!(!is_transient(io, "invalid peer certificate: UnknownIssuer"));
    assert!(!is_transient(
        io,
        "failed to lookup address information: Name or service not known"
    ));
    assert!(is_transient(
        io,
        "failed to lookup address information: Try again"
    ));
}
