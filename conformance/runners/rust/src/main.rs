//! Plays conformance tests with the AWS SDK for Rust and its own waiters. See `../../RUNNERS.md`.

use std::time::Duration;

use aws_sdk_acm::config::retry::RetryConfig;
use aws_sdk_acm::config::timeout::TimeoutConfig;
use aws_sdk_acm::config::{AsyncSleep, BehaviorVersion, Credentials, Region, SharedCredentialsProvider, Sleep};
use aws_sdk_acm::config::{SharedAsyncSleep, StalledStreamProtectionConfig};
use aws_sdk_acm::error::SdkError;
use aws_smithy_runtime_api::client::waiters::error::WaiterError;
use aws_types::SdkConfig;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

const PARALLEL: usize = 32;

/// The delays of waiters cannot be set, so the sleep of the client does not sleep.
#[derive(Debug)]
struct NoSleep;

impl AsyncSleep for NoSleep {
    fn sleep(&self, _: Duration) -> Sleep {
        Sleep::new(tokio::task::yield_now())
    }
}

/// Waits with the waiter of a task. A line has its name, its method, and the setters of its parameters.
macro_rules! wait {
    ($task:ident, $config:ident, $longest:ident; $($suite:literal $sdk:ident { $($name:literal $method:ident $($set:ident $member:literal)*;)* })*) => {
        match (text(&$task["suite"]), text(&$task["waiter"])) {
            $($(($suite, $name) => {
                use $sdk::client::Waiters as _;
                let waiter = $sdk::Client::new(&$config).$method();
                end(waiter$(.$set(member(&$task["params"], $member)))*.wait($longest).await)
            })*)*
            _ => json!({"end": "unsupported", "message": "no such waiter"}),
        }
    };
}

async fn play(task: &Value) -> Value {
    if text(&task["id"]).starts_with("behaviour.") {
        return json!({"end": "unsupported", "message": "the delays of a waiter cannot be set"});
    }
    let config = config(text(&task["endpoint"]));
    let longest = Duration::from_secs_f64(task["options"]["maxWait"].as_f64().unwrap_or_default());
    wait! { task, config, longest;
        "acm" aws_sdk_acm {
            "AcmeDomainValidationDeleted" wait_until_acme_domain_validation_deleted set_acme_domain_validation_arn "AcmeDomainValidationArn";
            "AcmeDomainValidationValidated" wait_until_acme_domain_validation_validated set_acme_domain_validation_arn "AcmeDomainValidationArn";
            "AcmeEndpointActive" wait_until_acme_endpoint_active set_acme_endpoint_arn "AcmeEndpointArn";
            "AcmeEndpointDeleted" wait_until_acme_endpoint_deleted set_acme_endpoint_arn "AcmeEndpointArn";
            "CertificateValidated" wait_until_certificate_validated set_certificate_arn "CertificateArn";
        }
        "dynamodb" aws_sdk_dynamodb {
            "ContributorInsightsEnabled" wait_until_contributor_insights_enabled set_table_name "TableName";
            "ExportCompleted" wait_until_export_completed set_export_arn "ExportArn";
            "ImportCompleted" wait_until_import_completed set_import_arn "ImportArn";
            "KinesisStreamingDestinationActive" wait_until_kinesis_streaming_destination_active set_table_name "TableName";
            "TableExists" wait_until_table_exists set_table_name "TableName";
            "TableNotExists" wait_until_table_not_exists set_table_name "TableName";
        }
        "ecs" aws_sdk_ecs {
            "DaemonActive" wait_until_daemon_active set_daemon_arn "daemonArn";
            "DaemonDeploymentStopped" wait_until_daemon_deployment_stopped set_daemon_deployment_arns "daemonDeploymentArns";
            "DaemonDeploymentSuccessful" wait_until_daemon_deployment_successful set_daemon_deployment_arns "daemonDeploymentArns";
            "DaemonTaskDefinitionActive" wait_until_daemon_task_definition_active set_daemon_task_definition "daemonTaskDefinition";
            "DaemonTaskDefinitionDeleted" wait_until_daemon_task_definition_deleted set_daemon_task_definition "daemonTaskDefinition";
            "ServicesInactive" wait_until_services_inactive set_services "services";
            "ServicesStable" wait_until_services_stable set_services "services";
            "TasksRunning" wait_until_tasks_running set_tasks "tasks";
            "TasksStopped" wait_until_tasks_stopped set_tasks "tasks";
        }
        "eks" aws_sdk_eks {
            "AddonActive" wait_until_addon_active set_addon_name "addonName" set_cluster_name "clusterName";
            "AddonDeleted" wait_until_addon_deleted set_addon_name "addonName" set_cluster_name "clusterName";
            "CertificateAuthorityUpdateComplete" wait_until_certificate_authority_update_complete set_name "name" set_update_id "updateId";
            "ClusterActive" wait_until_cluster_active set_name "name";
            "ClusterDeleted" wait_until_cluster_deleted set_name "name";
            "FargateProfileActive" wait_until_fargate_profile_active set_cluster_name "clusterName" set_fargate_profile_name "fargateProfileName";
            "FargateProfileDeleted" wait_until_fargate_profile_deleted set_cluster_name "clusterName" set_fargate_profile_name "fargateProfileName";
            "NodegroupActive" wait_until_nodegroup_active set_cluster_name "clusterName" set_nodegroup_name "nodegroupName";
            "NodegroupDeleted" wait_until_nodegroup_deleted set_cluster_name "clusterName" set_nodegroup_name "nodegroupName";
        }
        "elbv2" aws_sdk_elasticloadbalancingv2 {
            "LoadBalancerAvailable" wait_until_load_balancer_available;
            "LoadBalancerExists" wait_until_load_balancer_exists;
            "LoadBalancersDeleted" wait_until_load_balancers_deleted;
            "TargetDeregistered" wait_until_target_deregistered set_target_group_arn "TargetGroupArn";
            "TargetInService" wait_until_target_in_service set_target_group_arn "TargetGroupArn";
        }
        "s3" aws_sdk_s3 {
            "BucketExists" wait_until_bucket_exists set_bucket "Bucket";
            "BucketNotExists" wait_until_bucket_not_exists set_bucket "Bucket";
            "ObjectExists" wait_until_object_exists set_bucket "Bucket" set_key "Key";
            "ObjectNotExists" wait_until_object_not_exists set_bucket "Bucket" set_key "Key";
        }
    }
}

/// Types of parameters.
trait Parameter: Sized {
    fn from_json(value: &Value) -> Option<Self>;
}

impl Parameter for String {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_str().map(Into::into)
    }
}

impl Parameter for Vec<String> {
    fn from_json(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(String::from_json).collect()
    }
}

fn member<P: Parameter>(params: &Value, name: &str) -> Option<P> {
    P::from_json(&params[name])
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn config(endpoint: &str) -> SdkConfig {
    // S3's client drops the path of the endpoint, so the access key names the case, too.
    let key = endpoint.rsplit('/').next().unwrap_or_default();
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .credentials_provider(SharedCredentialsProvider::new(Credentials::new(key, "secret", None, None, "runner")))
        .endpoint_url(endpoint)
        .http_client(aws_smithy_http_client::Builder::new().build_http())
        .region(Region::new("us-east-1"))
        .retry_config(RetryConfig::disabled())
        .sleep_impl(SharedAsyncSleep::new(NoSleep))
        .stalled_stream_protection(StalledStreamProtectionConfig::disabled())
        // They sleep, too.
        .timeout_config(TimeoutConfig::disabled())
        .build()
}

fn end<T, O: std::fmt::Debug, E: std::error::Error + 'static>(result: Result<T, WaiterError<O, E>>) -> Value {
    let Err(error) = result else {
        return json!({"end": "success", "carries": ["lastOutput"]});
    };
    let message = format!("{error:?}").chars().take(300).collect::<String>();
    match error {
        WaiterError::ExceededMaxWait(_) => json!({"end": "timeout", "message": message}),
        WaiterError::FailureState(state) => {
            let kind = if state.final_poll().as_result().is_ok() { "lastOutput" } else { "lastError" };
            json!({"end": "failure", "message": message, "carries": [kind]})
        }
        WaiterError::OperationFailed(failed) if matches!(failed.error(), SdkError::ServiceError(_)) => {
            json!({"end": "failure", "message": message, "carries": ["lastError"]})
        }
        _ => json!({"end": "error", "message": message}),
    }
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let suites = ["acm", "dynamodb", "ecs", "eks", "elbv2", "s3"];
    let version = aws_sdk_acm::meta::PKG_VERSION;
    println!("{}", json!({"sdk": "AWS SDK for Rust", "version": format!("acm {version}"), "suites": suites, "parallel": PARALLEL}));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut tasks = tokio::task::JoinSet::new();
    while let Some(line) = lines.next_line().await? {
        let task: Value = serde_json::from_str(&line)?;
        tasks.spawn(async move {
            let mut end = play(&task).await;
            end["id"] = task["id"].clone();
            println!("{end}");
        });
    }
    tasks.join_all().await;
    Ok(())
}
