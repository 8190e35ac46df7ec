package io.praline.tests.flow;

import io.praline.tests.rig.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * The rights that {@code deploy/ACLS.md} lists: the document's tables, and its commands.
 *
 * @param lines of the document
 */
record ListedRights(List<String> lines) {
    private static final Path DOCUMENT = Path.of("..", "deploy", "ACLS.md");

    /** A stand-in for Kafka's script: one line for each call. */
    private static final String KAFKA_ACLS = "kafka-acls.sh() { printf '%s\\n' \"$*\"; }\nKAFKA=any\n";

    static ListedRights read() throws IOException {
        return new ListedRights(Files.readAllLines(DOCUMENT));
    }

    /** The topics of the first table. */
    List<String> topics() {
        return table("| topic |").stream().skip(1).map(row -> plain(row.get(0))).toList();
    }

    /**
     * What the tables give to the users of a program.
     *
     * @param user who shall have it
     * @param column as the first table's head begins, without backticks
     */
    Set<AclBinding> of(String user, String column) {
        Set<AclBinding> rights = new HashSet<>();
        List<List<String>> topics = table("| topic |");
        int at = column(topics.get(0), column);
        for (List<String> row : topics.subList(1, topics.size())) {
            for (String word : row.get(at).split(" ", -1)) {
                rights.addAll(
                        bindings(user, ResourceType.TOPIC, PatternType.LITERAL, plain(row.get(0)), operations(word)));
            }
        }
        List<List<String>> others = table("| resource |");
        if (others.get(0).contains(column)) {
            for (List<String> row : others.subList(1, others.size())) {
                ResourceType type = ResourceType.fromString(row.get(0)
                        .replaceAll("\\(.*", "")
                        .strip()
                        .replace(' ', '_')
                        .toUpperCase(Locale.ROOT));
                List<AclOperation> operations = Arrays.stream(row.get(2).split(", ", -1))
                        .map(AclOperation::valueOf)
                        .toList();
                rights.addAll(bindings(user, type, PatternType.PREFIXED, plain(row.get(1)), operations));
            }
        }
        return rights;
    }

    /** What the commands grant, to the users that they name. */
    Set<AclBinding> ofTheCommands() throws IOException, InterruptedException {
        int from = lines.indexOf("```bash") + 1;
        String script = KAFKA_ACLS
                + String.join(
                        "\n",
                        lines.subList(
                                from, from + lines.subList(from, lines.size()).indexOf("```")));
        Set<AclBinding> rights = new HashSet<>();
        Command.of("bash", "-c", script).run().out().lines().forEach(call -> rights.addAll(call(call)));
        return rights;
    }

    private static List<AclBinding> call(String call) {
        String user = option(call, "--allow-principal").get(0).substring("User:".length());
        PatternType pattern =
                option(call, "--resource-pattern-type").isEmpty() ? PatternType.LITERAL : PatternType.PREFIXED;
        List<AclOperation> operations = option(call, "--operation").stream()
                .map(name -> AclOperation.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
        List<AclBinding> rights = new ArrayList<>();
        for (ResourceType type : List.of(ResourceType.TOPIC, ResourceType.GROUP, ResourceType.TRANSACTIONAL_ID)) {
            String name = "--" + type.name().toLowerCase(Locale.ROOT).replace('_', '-');
            option(call, name).forEach(resource -> rights.addAll(bindings(user, type, pattern, resource, operations)));
        }
        return rights;
    }

    private static List<String> option(String call, String name) {
        Matcher found = Pattern.compile(name + " (\\S+)").matcher(call);
        return found.results().map(result -> result.group(1)).toList();
    }

    /** The rows of the table whose head begins so, the head first. */
    private List<List<String>> table(String head) {
        List<List<String>> rows = new ArrayList<>();
        int at = 0;
        while (!lines.get(at).startsWith(head)) {
            at++;
        }
        for (; lines.get(at).startsWith("|"); at++) {
            if (!lines.get(at).startsWith("|--")) {
                String line = lines.get(at);
                rows.add(Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                        .map(String::strip)
                        .toList());
            }
        }
        return rows;
    }

    private static int column(List<String> head, String begins) {
        for (int at = 0; at < head.size(); at++) {
            if (plain(head.get(at)).startsWith(begins)) {
                return at;
            }
        }
        throw new IllegalArgumentException("no column begins with " + begins + ": " + head);
    }

    private static String plain(String cell) {
        return cell.replace("`", "");
    }

    private static List<AclOperation> operations(String word) {
        return switch (word) {
            case "-" -> List.of();
            case "R" -> List.of(AclOperation.READ, AclOperation.DESCRIBE);
            case "W" -> List.of(AclOperation.WRITE, AclOperation.DESCRIBE);
            case "describe" -> List.of(AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
            case "create" -> List.of(AclOperation.CREATE, AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
            default -> throw new IllegalArgumentException("no right is called " + word);
        };
    }

    private static List<AclBinding> bindings(
            String user, ResourceType type, PatternType pattern, String name, List<AclOperation> operations) {
        return operations.stream()
                .map(operation -> new AclBinding(
                        new ResourcePattern(type, name, pattern),
                        new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW)))
                .toList();
    }
}
