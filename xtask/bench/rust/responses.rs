//! Two waiters of AWS, and responses like the services'.

use serde_json::{Value, json};
use smithy_waiters::Waiter;

/// A waiter with the responses that it polls.
pub(crate) struct Case {
    pub(crate) size: &'static str,
    pub(crate) waiter: Waiter,
    pub(crate) pending: Value,
    pub(crate) ready: Value,
    /// The same test by hand, in the steps of the SDK's generated matchers.
    pub(crate) matches: fn(&Value) -> bool,
}

/// `TableExists` of DynamoDB.
pub(crate) fn table() -> Case {
    let described = |status| {
        json!({"Table": {
            "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
            "TableName": "orders",
            "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
            "TableStatus": status,
            "CreationDateTime": 1_767_323_045,
            "ProvisionedThroughput": {"NumberOfDecreasesToday": 0, "ReadCapacityUnits": 5, "WriteCapacityUnits": 5},
            "TableSizeBytes": 4096,
            "ItemCount": 12,
            "TableArn": "arn:aws:dynamodb:eu-central-1:123456789012:table/orders",
        }})
    };
    Case {
        size: "small",
        waiter: waiter("Table.TableStatus", "stringEquals", "ACTIVE"),
        pending: described("CREATING"),
        ready: described("ACTIVE"),
        matches: |response| status(response) == Some("ACTIVE"),
    }
}

/// `InstanceRunning` of EC2: 1,000 instances, of which the last one is late.
pub(crate) fn instances() -> Case {
    let instance = |state: &str| {
        json!({
            "InstanceId": "i-0123456789", "ImageId": "ami-0123456789", "State": {"Code": 16, "Name": state},
            "InstanceType": "m7g.large", "LaunchTime": 1_767_323_045,
        })
    };
    let described = |last: &str| {
        let mut reservations: Vec<Value> = (1..500)
            .map(|_| json!({"ReservationId": "r-1", "Instances": [instance("running"), instance("running")]}))
            .collect();
        reservations.push(
            json!({"ReservationId": "r-2", "Instances": [instance("running"), instance(last)]}),
        );
        json!({ "Reservations": reservations })
    };
    Case {
        size: "1,000 elements",
        waiter: waiter(
            "Reservations[].Instances[].State.Name",
            "allStringEquals",
            "running",
        ),
        pending: described("pending"),
        ready: described("running"),
        matches: |response| all_are(&states(response).unwrap_or_default(), "running"),
    }
}

fn waiter(path: &str, comparator: &str, expected: &str) -> Waiter {
    let output = json!({"path": path, "comparator": comparator, "expected": expected});
    let acceptors = json!([
        {"state": "success", "matcher": {"output": output}},
        {"state": "retry", "matcher": {"errorType": "NotFound"}},
    ]);
    Waiter::from_value(&json!({ "acceptors": acceptors }), Some("Ready")).unwrap()
}

fn status(response: &Value) -> Option<&str> {
    response.get("Table")?.get("TableStatus")?.as_str()
}

fn states(response: &Value) -> Option<Vec<&str>> {
    let reservations = response.get("Reservations")?.as_array()?;
    let instances: Vec<&Value> = reservations
        .iter()
        .flat_map(|reservation| reservation.get("Instances")?.as_array())
        .flatten()
        .collect();
    let names = instances
        .into_iter()
        .flat_map(|instance| instance.get("State")?.get("Name")?.as_str());
    Some(names.collect())
}

fn all_are(values: &[&str], expected: &str) -> bool {
    !values.is_empty() && values.iter().all(|value| *value == expected)
}
