"""The operations of AWS that answer for many resources, for the fleets of clients.

Each entry says where the request has the identifiers, and where the answer has the resources and their identifiers. See
`smithy_waiters.boto3.ClientWaiter.fleet`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FILTER_VALUES", "RESOURCE_LISTS", "ResourceList", "find"]

FILTER_VALUES = 200
"""The most values of a filter of EC2."""


class ResourceList(NamedTuple):
    """How one call of an operation answers for many resources."""

    parameter: str
    """The list of identifiers in the request."""
    items: str
    """The path of the resources in the answer."""
    key: str | tuple[str, ...]
    """The member of a resource that is its identifier, or several."""
    batch: int | None = None
    """The most identifiers that the service allows in a call."""
    also: Mapping[str, str] | None = None
    """Further lists whose entries belong to resources, with the member that has the identifier."""
    filter: tuple[str, str] | None = None
    """The parameter and the name of a filter by identifiers. The answer omits unknown ones; a list of them is an error.

    It is used by the waiters for which an error of the service is a success: those of deletions.
    """
    fixed: Mapping[str, Any] | None = None
    """Other parameters, without which the answer may lack a resource that exists."""


# By default, the status of an instance that does not run is omitted.
_ALL_STATES = {"IncludeAllInstances": True}

# Operations by service. The name of a waiter comes before that of its operation.
RESOURCE_LISTS: dict[str, dict[str, ResourceList]] = {
    "appstream": {"DescribeFleets": ResourceList("Names", "Fleets[]", "Name")},
    "cloudwatch": {
        "DescribeAlarms": ResourceList("AlarmNames", "MetricAlarms[]", "AlarmName", 100),
        "CompositeAlarmExists": ResourceList(
            "AlarmNames", "CompositeAlarms[]", "AlarmName", 100, fixed={"AlarmTypes": ["CompositeAlarm"]}
        ),
        "LogAlarmExists": ResourceList(
            "AlarmNames", "LogAlarms[]", "AlarmName", 100, fixed={"AlarmTypes": ["LogAlarm"]}
        ),
    },
    "ec2": {
        "DescribeBundleTasks": ResourceList("BundleIds", "BundleTasks[]", "BundleId"),
        "DescribeConversionTasks": ResourceList("ConversionTaskIds", "ConversionTasks[]", "ConversionTaskId"),
        "DescribeCustomerGateways": ResourceList("CustomerGatewayIds", "CustomerGateways[]", "CustomerGatewayId"),
        "DescribeExportTasks": ResourceList("ExportTaskIds", "ExportTasks[]", "ExportTaskId"),
        "DescribeImageUsageReports": ResourceList("ReportIds", "ImageUsageReports[]", "ReportId", 200),
        "DescribeImages": ResourceList("ImageIds", "Images[]", "ImageId"),
        "DescribeImportSnapshotTasks": ResourceList("ImportTaskIds", "ImportSnapshotTasks[]", "ImportTaskId"),
        "DescribeInstanceStatus": ResourceList(
            "InstanceIds", "InstanceStatuses[]", "InstanceId", 100, fixed=_ALL_STATES
        ),
        "DescribeInstances": ResourceList("InstanceIds", "Reservations[].Instances[]", "InstanceId"),
        "DescribeInternetGateways": ResourceList("InternetGatewayIds", "InternetGateways[]", "InternetGatewayId"),
        "DescribeKeyPairs": ResourceList("KeyNames", "KeyPairs[]", "KeyName"),
        "DescribeNatGateways": ResourceList(
            "NatGatewayIds", "NatGateways[]", "NatGatewayId", filter=("Filter", "nat-gateway-id")
        ),
        "DescribeNetworkInterfaces": ResourceList("NetworkInterfaceIds", "NetworkInterfaces[]", "NetworkInterfaceId"),
        "DescribeSecondaryNetworks": ResourceList("SecondaryNetworkIds", "SecondaryNetworks[]", "SecondaryNetworkId"),
        "DescribeSecondarySubnets": ResourceList("SecondarySubnetIds", "SecondarySubnets[]", "SecondarySubnetId"),
        "DescribeSecurityGroups": ResourceList("GroupIds", "SecurityGroups[]", "GroupId"),
        "DescribeSnapshots": ResourceList("SnapshotIds", "Snapshots[]", "SnapshotId"),
        "DescribeSpotInstanceRequests": ResourceList(
            "SpotInstanceRequestIds", "SpotInstanceRequests[]", "SpotInstanceRequestId"
        ),
        "DescribeSubnets": ResourceList("SubnetIds", "Subnets[]", "SubnetId"),
        "DescribeVolumes": ResourceList("VolumeIds", "Volumes[]", "VolumeId", filter=("Filters", "volume-id")),
        "DescribeVpcPeeringConnections": ResourceList(
            "VpcPeeringConnectionIds",
            "VpcPeeringConnections[]",
            "VpcPeeringConnectionId",
            filter=("Filters", "vpc-peering-connection-id"),
        ),
        "DescribeVpcs": ResourceList("VpcIds", "Vpcs[]", "VpcId"),
        "DescribeVpnConnections": ResourceList("VpnConnectionIds", "VpnConnections[]", "VpnConnectionId"),
    },
    "ecs": {
        "DescribeDaemonDeployments": ResourceList(
            "daemonDeploymentArns", "daemonDeployments[]", "daemonDeploymentArn", 20, {"failures[]": "arn"}
        ),
        "DescribeServices": ResourceList(
            "services", "services[]", ("serviceArn", "serviceName"), 10, {"failures[]": "arn"}
        ),
        "DescribeTasks": ResourceList("tasks", "tasks[]", "taskArn", 100, {"failures[]": "arn"}),
    },
    "elasticbeanstalk": {
        "DescribeEnvironments": ResourceList("EnvironmentIds", "Environments[]", "EnvironmentId"),
    },
    "elbv2": {
        "DescribeLoadBalancers": ResourceList("LoadBalancerArns", "LoadBalancers[]", "LoadBalancerArn", 20),
    },
}


def find(service: str, operation: str, waiter: str) -> ResourceList | None:
    """Return how an operation answers for many resources, or `None` if it does not."""
    operations = RESOURCE_LISTS.get(service, {})
    return operations.get(waiter) or operations.get(operation)
