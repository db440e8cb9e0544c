package main

import (
	"github.com/aws/aws-sdk-go-v2/service/acm"
	"github.com/aws/aws-sdk-go-v2/service/autoscaling"
	"github.com/aws/aws-sdk-go-v2/service/cloudformation"
	"github.com/aws/aws-sdk-go-v2/service/cloudfront"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ecs"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/rds"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// The constructors of clients, and those of their waiters.
var constructors = map[string][]any{
	"acm": {
		acm.NewFromConfig, acm.NewAcmeDomainValidationDeletedWaiter, acm.NewAcmeDomainValidationValidatedWaiter, acm.NewAcmeEndpointActiveWaiter,
		acm.NewAcmeEndpointDeletedWaiter, acm.NewCertificateValidatedWaiter,
	},
	"autoscaling": {
		autoscaling.NewFromConfig, autoscaling.NewGroupExistsWaiter, autoscaling.NewGroupInServiceWaiter, autoscaling.NewGroupNotExistsWaiter,
	},
	"cloudformation": {
		cloudformation.NewFromConfig, cloudformation.NewChangeSetCreateCompleteWaiter, cloudformation.NewStackCreateCompleteWaiter,
		cloudformation.NewStackDeleteCompleteWaiter, cloudformation.NewStackExistsWaiter, cloudformation.NewStackImportCompleteWaiter,
		cloudformation.NewStackRefactorCreateCompleteWaiter, cloudformation.NewStackRefactorExecuteCompleteWaiter,
		cloudformation.NewStackRollbackCompleteWaiter, cloudformation.NewStackUpdateCompleteWaiter, cloudformation.NewTypeRegistrationCompleteWaiter,
	},
	"cloudfront": {
		cloudfront.NewFromConfig, cloudfront.NewDistributionDeployedWaiter, cloudfront.NewInvalidationCompletedWaiter,
		cloudfront.NewInvalidationForDistributionTenantCompletedWaiter, cloudfront.NewStreamingDistributionDeployedWaiter,
	},
	"dynamodb": {
		dynamodb.NewFromConfig, dynamodb.NewBulkOperationCompletedWaiter, dynamodb.NewContributorInsightsEnabledWaiter, dynamodb.NewExportCompletedWaiter,
		dynamodb.NewImportCompletedWaiter, dynamodb.NewKinesisStreamingDestinationActiveWaiter, dynamodb.NewTableExistsWaiter,
		dynamodb.NewTableNotExistsWaiter,
	},
	"ec2": {
		ec2.NewFromConfig, ec2.NewImageAvailableWaiter, ec2.NewImageExistsWaiter, ec2.NewImageUsageReportAvailableWaiter, ec2.NewInstanceExistsWaiter,
		ec2.NewInstanceRunningWaiter, ec2.NewInstanceStatusOkWaiter, ec2.NewInstanceStoppedWaiter, ec2.NewInstanceTerminatedWaiter,
		ec2.NewKeyPairExistsWaiter, ec2.NewNatGatewayAvailableWaiter, ec2.NewNatGatewayDeletedWaiter, ec2.NewSecurityGroupExistsWaiter,
		ec2.NewSecurityGroupVpcAssociationAssociatedWaiter, ec2.NewSecurityGroupVpcAssociationDisassociatedWaiter, ec2.NewSnapshotCompletedWaiter,
		ec2.NewSnapshotImportedWaiter, ec2.NewSpotInstanceRequestFulfilledWaiter, ec2.NewStoreImageTaskCompleteWaiter, ec2.NewSystemStatusOkWaiter,
		ec2.NewVolumeAvailableWaiter, ec2.NewVolumeDeletedWaiter, ec2.NewVolumeInUseWaiter, ec2.NewVpcPeeringConnectionDeletedWaiter,
		ec2.NewVpcPeeringConnectionExistsWaiter,
	},
	"ecs": {
		ecs.NewFromConfig, ecs.NewDaemonActiveWaiter, ecs.NewDaemonDeploymentStoppedWaiter, ecs.NewDaemonDeploymentSuccessfulWaiter,
		ecs.NewDaemonTaskDefinitionActiveWaiter, ecs.NewDaemonTaskDefinitionDeletedWaiter, ecs.NewServicesInactiveWaiter, ecs.NewServicesStableWaiter,
		ecs.NewTasksRunningWaiter, ecs.NewTasksStoppedWaiter,
	},
	"eks": {
		eks.NewFromConfig, eks.NewAddonActiveWaiter, eks.NewAddonDeletedWaiter, eks.NewCertificateAuthorityUpdateCompleteWaiter, eks.NewClusterActiveWaiter,
		eks.NewClusterDeletedWaiter, eks.NewFargateProfileActiveWaiter, eks.NewFargateProfileDeletedWaiter, eks.NewNodegroupActiveWaiter,
		eks.NewNodegroupDeletedWaiter,
	},
	"elbv2": {
		elasticloadbalancingv2.NewFromConfig, elasticloadbalancingv2.NewLoadBalancerAvailableWaiter, elasticloadbalancingv2.NewLoadBalancerExistsWaiter,
		elasticloadbalancingv2.NewLoadBalancersDeletedWaiter, elasticloadbalancingv2.NewTargetDeregisteredWaiter,
		elasticloadbalancingv2.NewTargetInServiceWaiter,
	},
	"iam": {
		iam.NewFromConfig, iam.NewInstanceProfileExistsWaiter, iam.NewPolicyExistsWaiter, iam.NewRoleExistsWaiter, iam.NewUserExistsWaiter,
	},
	"lambda": {
		lambda.NewFromConfig, lambda.NewFunctionActiveV2Waiter, lambda.NewFunctionActiveWaiter, lambda.NewFunctionExistsWaiter,
		lambda.NewFunctionUpdatedV2Waiter, lambda.NewFunctionUpdatedWaiter, lambda.NewPublishedVersionActiveWaiter,
	},
	"rds": {
		rds.NewFromConfig, rds.NewDBClusterAvailableWaiter, rds.NewDBClusterDeletedWaiter, rds.NewDBClusterSnapshotAvailableWaiter,
		rds.NewDBClusterSnapshotDeletedWaiter, rds.NewDBInstanceAvailableWaiter, rds.NewDBInstanceDeletedWaiter, rds.NewDBSnapshotAvailableWaiter,
		rds.NewDBSnapshotDeletedWaiter, rds.NewTenantDatabaseAvailableWaiter, rds.NewTenantDatabaseDeletedWaiter,
	},
	"s3": {
		s3.NewFromConfig, s3.NewBucketExistsWaiter, s3.NewBucketNotExistsWaiter, s3.NewObjectExistsWaiter, s3.NewObjectNotExistsWaiter,
	},
}
