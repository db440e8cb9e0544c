// Plays conformance tests with the AWS SDK for Java 2.x and its own waiters. See ../../RUNNERS.md.

import java.io.*;
import java.lang.reflect.*;
import java.net.URI;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import software.amazon.awssdk.auth.credentials.*;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.core.*;
import software.amazon.awssdk.core.retry.RetryPolicy;
import software.amazon.awssdk.core.retry.backoff.FixedDelayBackoffStrategy;
import software.amazon.awssdk.core.traits.ListTrait;
import software.amazon.awssdk.core.util.VersionInfo;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.waiters.*;
import software.amazon.awssdk.protocols.jsoncore.JsonNode;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.utils.builder.Buildable;

public final class AwsSdkJava {
    private static final int PARALLEL = 16;
    private static final String PACKAGE = "software.amazon.awssdk.services.";
    /** The classes of clients, by the names of suites. */
    private static final Map<String, String> CLIENTS = Map.ofEntries(Map.entry("acm", "acm.Acm"), Map.entry("autoscaling",
            "autoscaling.AutoScaling"), Map.entry("cloudformation", "cloudformation.CloudFormation"), Map.entry("cloudfront",
            "cloudfront.CloudFront"), Map.entry("dynamodb", "dynamodb.DynamoDb"), Map.entry("ec2", "ec2.Ec2"), Map.entry("ecs", "ecs.Ecs"),
            Map.entry("eks", "eks.Eks"), Map.entry("elbv2", "elasticloadbalancingv2.ElasticLoadBalancingV2"), Map.entry("iam", "iam.Iam"),
            Map.entry("lambda", "lambda.Lambda"), Map.entry("rds", "rds.Rds"), Map.entry("s3", "s3.S3"));

    private static final String WARM_UP = "{\"suite\": \"acm\", \"waiter\": \"CertificateValidated\", \"endpoint\": \"http://127.0.0.1:1/0\", "
            + "\"params\": {\"CertificateArn\": \"a\"}, \"options\": {\"maxWait\": 1, \"minDelay\": 1, \"maxDelay\": 1}}";

    public static void main(String[] arguments) throws Exception {
        // The first wait loads the classes, which takes longer than until some waits are cancelled. Nothing listens there.
        play(JsonNode.parser().parse(WARM_UP));
        write("{\"sdk\": \"AWS SDK for Java 2.x\", \"version\": " + quote(VersionInfo.SDK_VERSION) + ", \"contract\": \"java\", \"suites\": ["
                + String.join(", ", CLIENTS.keySet().stream().map(AwsSdkJava::quote).toList()) + "], \"behaviours\": \"acm.CertificateValidated\", "
                + "\"parallel\": " + PARALLEL + "}");
        ExecutorService threads = Executors.newFixedThreadPool(PARALLEL);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            JsonNode task = JsonNode.parser().parse(line);
            threads.submit(() -> write("{\"id\": " + quote(text(task, "id")) + ", " + play(task) + "}"));
        }
        threads.shutdown();
        threads.awaitTermination(1, TimeUnit.MINUTES);
    }

    private static String play(JsonNode task) {
        ExecutorService caller = Executors.newSingleThreadExecutor();
        try {
            Future<String> waiting = caller.submit(() -> waitFor(task));
            JsonNode cancelAt = member(member(task, "options"), "cancelAt");
            if (cancelAt != null) {
                Thread.sleep((long) (1000 * Double.parseDouble(cancelAt.asNumber())));
                waiting.cancel(true);
                return "\"end\": \"cancelled\"";
            }
            return waiting.get();
        } catch (Throwable problem) {
            return end("error", problem, null);
        } finally {
            caller.shutdownNow();
        }
    }

    private static String waitFor(JsonNode task) throws Exception {
        String name = PACKAGE + CLIENTS.get(text(task, "suite"));
        AwsClientBuilder<?, ?> builder = (AwsClientBuilder<?, ?>) Class.forName(name + "Client").getMethod("builder").invoke(null);
        builder.region(Region.US_EAST_1).endpointOverride(URI.create(text(task, "endpoint")));
        // The query protocols drop the path of the endpoint, so the access key names the case, too.
        String key = text(task, "endpoint").substring(text(task, "endpoint").lastIndexOf('/') + 1);
        builder.credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create(key, "secret")));
        builder.overrideConfiguration(configuration -> configuration.retryPolicy(RetryPolicy.none()));
        try (AutoCloseable client = (AutoCloseable) builder.build()) {
            Object waiter = Class.forName(name + "Client").getMethod("waiter").invoke(client);
            Method method = null;
            for (Method one : waiter.getClass().getMethods()) {
                boolean hasConfiguration = one.getParameterCount() == 2 && SdkPojo.class.isAssignableFrom(one.getParameterTypes()[0])
                        && one.getParameterTypes()[1] == WaiterOverrideConfiguration.class;
                method = one.getName().equals("waitUntil" + text(task, "waiter")) && hasConfiguration ? one : method;
            }
            if (method == null) {
                return "\"end\": \"unsupported\", \"message\": \"no such waiter\"";
            }
            Class<?> request = method.getParameterTypes()[0];
            Object params = ((Buildable) fill((SdkPojo) request.getMethod("builder").invoke(null), member(task, "params"))).build();
            method.setAccessible(true);
            WaiterResponse<?> response = (WaiterResponse<?>) method.invoke(waiter, params, configuration(member(task, "options")));
            boolean isOutput = response.matched().response().isPresent();
            return "\"end\": \"success\", \"carries\": [" + quote(isOutput ? "lastOutput" : "lastError") + "]";
        } catch (InvocationTargetException thrown) {
            return classify(thrown.getCause());
        }
    }

    private static WaiterOverrideConfiguration configuration(JsonNode options) {
        double maxWait = Double.parseDouble(member(options, "maxWait").asNumber());
        double delay = Double.parseDouble(member(options, "minDelay").asNumber());
        // Attempts are unlimited, so that only the time ends a wait.
        return WaiterOverrideConfiguration.builder().maxAttempts(Integer.MAX_VALUE).waitTimeout(Duration.ofMillis((long) (1000 * maxWait)))
                .backoffStrategy(FixedDelayBackoffStrategy.create(Duration.ofMillis((long) (1000 * delay)))).build();
    }

    /** Sets the members of a builder. */
    private static SdkPojo fill(SdkPojo builder, JsonNode values) {
        Map<String, JsonNode> members = values.asObject();
        for (SdkField<?> field : builder.sdkFields()) {
            JsonNode value = members.get(field.memberName());
            if (value != null) {
                field.set(builder, convert(field, value));
            }
        }
        return builder;
    }

    private static Object convert(SdkField<?> field, JsonNode value) {
        return switch (field.marshallingType().getTargetClass().getSimpleName()) {
            case "Integer" -> Integer.valueOf(value.asNumber());
            case "Long" -> Long.valueOf(value.asNumber());
            case "Boolean" -> value.asBoolean();
            case "List" -> value.asArray().stream().map(item -> convert(field.getTrait(ListTrait.class).memberFieldInfo(), item)).toList();
            case "SdkPojo" -> ((Buildable) fill(field.constructor().get(), value)).build();
            default -> value.asString();
        };
    }

    private static String classify(Throwable error) {
        String message = String.valueOf(error.getMessage());
        if (message.contains("has exceeded the max wait time") || message.contains("max retry attempts")) {
            return end("timeout", error, null);
        }
        if (error instanceof SdkServiceException || error.getCause() instanceof SdkServiceException) {
            return end("failure", error, "lastError");
        }
        return end(message.contains("transitioned the waiter to failure") ? "failure" : "error", error, null);
    }

    private static String end(String end, Throwable error, String carries) {
        String text = quote(error.getClass().getSimpleName() + ": " + error.getMessage() + (error.getCause() == null ? "" : ": " + error.getCause()));
        return "\"end\": " + quote(end) + ", \"message\": " + text + (carries == null ? "" : ", \"carries\": [" + quote(carries) + "]");
    }

    private static JsonNode member(JsonNode value, String name) {
        return value.asObject().get(name);
    }

    private static String text(JsonNode value, String name) {
        return member(value, name).asString();
    }

    private static String quote(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ") + "\"";
    }

    private static synchronized void write(String line) {
        System.out.println(line);
    }
}
