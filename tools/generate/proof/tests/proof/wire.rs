//! Responses as they come over the wire, and clients that are given them.

use std::sync::{Arc, Mutex};

use aws_smithy_http_client::test_util::infallible_client_fn;
use aws_smithy_types::body::SdkBody;
use serde_json::{Value as Json, json};

/// A response that is replayed.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: String,
}

impl Reply {
    /// In the JSON protocols, members are named as in the model.
    pub(crate) fn json(output: &Json) -> Self {
        let body = output.to_string();
        Self { status: 200, body }
    }

    pub(crate) fn json_error(name: &str) -> Self {
        let body = json!({"__type": name, "message": "so it is"}).to_string();
        Self { status: 400, body }
    }

    pub(crate) const fn empty() -> Self {
        let body = String::new();
        Self { status: 200, body }
    }

    pub(crate) fn xml_error(name: &str) -> Self {
        let body = format!("<Error><Code>{name}</Code><Message>so it is</Message></Error>");
        Self { status: 404, body }
    }
}

/// The replies that are to come, and how many were asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replies(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    replies: Vec<Reply>,
    /// The bodies of the requests that came.
    bodies: Vec<String>,
    /// Their user agents, for the services.
    agents: Vec<String>,
}

impl Replies {
    /// What every request gets from now on: one after the other, the last again and again.
    pub(crate) fn set(&self, replies: Vec<Reply>) {
        let mut state = self.0.lock().unwrap();
        *state = State {
            replies,
            ..State::default()
        };
    }

    pub(crate) fn asked(&self) -> usize {
        self.0.lock().unwrap().bodies.len()
    }

    /// What was asked.
    pub(crate) fn bodies(&self) -> Vec<String> {
        self.0.lock().unwrap().bodies.clone()
    }

    /// The user agents of those who asked.
    pub(crate) fn agents(&self) -> Vec<String> {
        self.0.lock().unwrap().agents.clone()
    }

    fn next(&self, request: &http::Request<SdkBody>) -> Reply {
        let mut state = self.0.lock().unwrap();
        let last = state.replies.len().saturating_sub(1);
        let reply = state
            .replies
            .get(last.min(state.bodies.len()))
            .unwrap()
            .clone();
        let body = request.body().bytes().unwrap_or_default();
        state
            .bodies
            .push(String::from_utf8_lossy(body).into_owned());
        let agent = request.headers().get("x-amz-user-agent").unwrap();
        state.agents.push(agent.to_str().unwrap().to_owned());
        reply
    }

    fn http(&self, request: &http::Request<SdkBody>) -> http::Response<SdkBody> {
        let Reply { status, body } = self.next(request);
        let response = http::Response::builder().status(status);
        response.body(SdkBody::from(body)).unwrap()
    }
}

macro_rules! clients {
    ($($service:ident $sdk:ident)+) => {$(
        /// A client as people build it: with retries of its own.
        pub(crate) fn $service(replies: &Replies) -> $sdk::Client {
            use $sdk::config::{BehaviorVersion, Config, Credentials, Region};
            let replies = replies.clone();
            let config = Config::builder()
                .behavior_version(BehaviorVersion::v2026_01_12())
                .region(Region::new("us-east-1"))
                .credentials_provider(Credentials::new("test", "test", None, None, "test"))
                .http_client(infallible_client_fn(move |request| replies.http(&request)));
            $sdk::Client::from_conf(config.build())
        }
    )+};
}

clients! {
    dynamodb aws_sdk_dynamodb
    ecs aws_sdk_ecs
    s3 aws_sdk_s3
}
