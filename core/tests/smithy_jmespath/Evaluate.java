import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.smithy.jmespath.JmespathExpression;
import software.amazon.smithy.jmespath.LiteralExpressionJmespathRuntime;
import software.amazon.smithy.jmespath.ast.LiteralExpression;

/**
 * Evaluates JMESPath with Smithy's own evaluator: reads lines of a JSON array of an expression and a value, prints a line for each,
 * the result as JSON, or "error: " and a message.
 */
final class Evaluate {
    private static final LiteralExpressionJmespathRuntime RUNTIME = LiteralExpressionJmespathRuntime.INSTANCE;

    public static void main(String[] arguments) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var results = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            results.println(result(line));
        }
        results.flush();
    }

    private static String result(String line) {
        try {
            var pair = JmespathExpression.parseJson(line, RUNTIME);
            var expression = JmespathExpression.parse(pair.getArrayIndex(0).expectStringValue());
            return json(expression.evaluate(pair.getArrayIndex(1), RUNTIME).getValue());
        } catch (RuntimeException error) {
            return "error: " + String.valueOf(error.getMessage()).replace('\n', ' ');
        }
    }

    private static String json(Object value) {
        if (value instanceof LiteralExpression literal) {
            return json(literal.getValue());
        }
        if (value instanceof List<?> items) {
            return items.stream().map(Evaluate::json).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(member -> json(member.getKey()) + ":" + json(member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof String text) {
            return quoted(text);
        }
        return String.valueOf(value);
    }

    private static String quoted(String text) {
        return text.chars()
                .mapToObj(unit -> unit < ' ' || unit == '"' || unit == '\\' ? String.format("\\u%04x", unit) : Character.toString(unit))
                .collect(Collectors.joining("", "\"", "\""));
    }
}
