package io.praline.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobRequest;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanSplits;
import io.praline.schema.StartAttempt;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** Who writes and reads a topic, as the Javadoc of its constant says, the code does and {@code deploy/ACLS.md} grants. */
class TopicsTest {
    private static final Path ROOT = Path.of("..");
    private static final Path LIST = ROOT.resolve("topics/src/main/java/io/praline/topics/Topics.java");
    private static final Path RIGHTS = ROOT.resolve("deploy/ACLS.md");

    /** Where each program's own code lies. */
    private static final Map<String, List<String>> PROGRAMS = Map.of(
            "client", List.of("client-consumer/src/main/java/io/praline/client"),
            "dispatcher", List.of("dispatcher-stream/src/main/java/io/praline/dispatcher"),
            "worker", List.of("worker/src/main/java/io/praline/worker"),
            "actuator", List.of("deploy/src/main/java/io/praline/deploy/actuator"),
            "commands",
                    List.of(
                            "deploy/src/main/java/io/praline/deploy/cli",
                            "deploy/src/main/java/io/praline/deploy/cluster",
                            "deploy/src/main/java/io/praline/deploy/terminal",
                            "deploy/src/main/java/io/praline/deploy/local",
                            "deploy/src/main/java/io/praline/deploy/page"));

    /** Those that run clusters of their own: benchmarks, which play all programs, and chaos, which reads what they said. */
    private static final List<String> NONE =
            List.of("deploy/src/main/java/io/praline/deploy/bench", "deploy/src/main/java/io/praline/deploy/chaos");

    private static final Pattern CONSTANT = Pattern.compile("\\bTopics\\.([A-Z_]+)\\b");
    private static final Pattern DECLARED =
            Pattern.compile("public static final Topic<\\w+> ([A-Z_]+) =\\s*\\w+\\(\\s*\"([a-z-]+)\"");
    private static final Pattern SAID = Pattern.compile(
            "<p>Writers: ([^.]+)\\. Readers: ([^.]+)\\.\\s+\\*/\\s+public static final Topic<\\w+> ([A-Z_]+)\\b");

    /** A program that does it only with workers on its own host: the document says so below its table. */
    private static final Pattern CONDITION = Pattern.compile(" \\(its own workers\\)$");

    /** What is said of a topic. */
    private record Use(Set<String> writers, Set<String> readers) {}

    private static Map<String, Use> said() throws IOException {
        Map<String, Use> said = new TreeMap<>();
        Matcher found = SAID.matcher(Files.readString(LIST));
        while (found.find()) {
            said.put(found.group(3), new Use(programs(found.group(1)), programs(found.group(2))));
        }
        return said;
    }

    private static Set<String> programs(String text) {
        return text.equals("nobody") ? Set.of() : new TreeSet<>(Arrays.asList(text.split(", ", -1)));
    }

    /** The name on the cluster of each constant. */
    private static Map<String, String> names() throws IOException {
        return DECLARED.matcher(Files.readString(LIST))
                .results()
                .collect(Collectors.toMap((MatchResult found) -> found.group(1), found -> found.group(2)));
    }

    @Test
    void everyTopicNamesItsWritersAndReaders() throws IOException {
        assertThat(names().values())
                .containsExactlyInAnyOrderElementsOf(
                        Topics.all().stream().map(Topic::name).toList());
        assertThat(said()).containsOnlyKeys(names().keySet());
    }

    @Test
    void programsTouchTheTopicsWhoseWritersOrReadersTheyAre() throws IOException {
        Map<String, Set<String>> touched = new TreeMap<>();
        Map<String, Set<String>> named = new TreeMap<>();
        for (Map.Entry<String, List<String>> program : PROGRAMS.entrySet()) {
            touched.put(program.getKey(), touched(program.getValue()));
            Set<String> of = new TreeSet<>();
            said().forEach((topic, use) -> {
                if (Stream.concat(use.writers().stream(), use.readers().stream())
                        .anyMatch(who -> plain(who).equals(program.getKey()))) {
                    of.add(topic);
                }
            });
            named.put(program.getKey(), of);
        }

        assertThat(touched).isEqualTo(named);
    }

    /** The list itself, and what is done to all topics alike, is nobody's. */
    @Test
    void whoTouchesATopicIsAProgramOrKnownToBeNone() throws IOException {
        List<Path> known = Stream.concat(
                        Stream.of("topics"),
                        Stream.concat(PROGRAMS.values().stream().flatMap(List::stream), NONE.stream()))
                .map(ROOT::resolve)
                .toList();
        Set<Path> others = new TreeSet<>();
        for (Path sources : shipped()) {
            for (Path file : sources(sources)) {
                if (known.stream().noneMatch(file::startsWith) && !touches(file).isEmpty()) {
                    others.add(file);
                }
            }
        }
        assertThat(others).isEmpty();
    }

    private static String plain(String program) {
        return CONDITION.matcher(program).replaceAll("");
    }

    private static Set<String> touched(List<String> folders) throws IOException {
        Set<String> touched = new TreeSet<>();
        for (String folder : folders) {
            for (Path file : sources(ROOT.resolve(folder))) {
                touched.addAll(touches(file));
            }
        }
        return touched;
    }

    private static List<Path> shipped() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
        }
    }

    private static List<Path> sources(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> each.toString().endsWith(".java")).toList();
        }
    }

    private static Set<String> touches(Path file) throws IOException {
        String source = Files.readString(file);
        Set<String> touched = new TreeSet<>();
        CONSTANT.matcher(source).results().forEach(found -> touched.add(found.group(1)));
        if (source.contains("new Quarantine(")) {
            touched.add("QUARANTINE");
        }
        return touched;
    }

    @Test
    void programsAreGrantedWhatTheyWriteAndReadAndNoMore() throws IOException {
        Map<String, String> names = names();
        Map<String, Use> granted = granted();
        said().forEach((constant, use) -> {
            Use unconditional = new Use(unconditional(use.writers()), unconditional(use.readers()));
            assertThat(granted.get(names.get(constant))).as(constant).isEqualTo(unconditional);
        });
        assertThat(granted).hasSameSizeAs(names.keySet());
    }

    private static Set<String> unconditional(Set<String> programs) {
        return programs.stream()
                .filter(program -> !CONDITION.matcher(program).find())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The document's table of topics; a column that is no program's is one of commands. */
    private static Map<String, Use> granted() throws IOException {
        List<List<String>> rows = Files.readAllLines(RIGHTS).stream()
                .dropWhile(line -> !line.startsWith("| topic |"))
                .takeWhile(line -> line.startsWith("|"))
                .filter(line -> !line.startsWith("|--"))
                .map(line -> Arrays.stream(line.substring(1, line.length() - 1).split("\\|", -1))
                        .map(cell -> cell.strip().replace("`", ""))
                        .toList())
                .toList();
        List<String> columns = rows.get(0).stream()
                .map(head -> head.replaceAll(" .*", ""))
                .map(head -> PROGRAMS.containsKey(head) ? head : "commands")
                .toList();
        Map<String, Use> granted = new TreeMap<>();
        for (List<String> row : rows.subList(1, rows.size())) {
            Use use = new Use(new TreeSet<>(), new TreeSet<>());
            for (int at = 1; at < row.size(); at++) {
                List<String> words = List.of(row.get(at).split(" ", -1));
                if (words.contains("W")) {
                    use.writers().add(columns.get(at));
                }
                if (words.contains("R")) {
                    use.readers().add(columns.get(at));
                }
            }
            granted.put(row.get(0), use);
        }
        return granted;
    }

    // the package says why each of them stays: what is served, or gone, is to go from its list
    @Test
    void whatIsNotYetServedIsThereAndStandsInOnePlace() throws IOException {
        assertThat(Files.readString(LIST.resolveSibling("package-info.java")))
                .contains(
                        "Not yet served",
                        "order",
                        "MeasuredFactors",
                        "Resume",
                        "marks",
                        "PipelineDescription",
                        "pipelineName",
                        "memoryBytes");
        assertThat(fields(StartAttempt.getClassSchema())).contains("order");
        assertThat(fields(ConsumptionReport.getClassSchema())).contains("marks");
        assertThat(fields(PlanSplits.getClassSchema())).contains("pipelineName");
        assertThat(fields(WorkerHeartbeat.getClassSchema())).contains("memoryBytes");
        assertThat(bodies(PipelineEntry.getClassSchema())).contains("MeasuredFactors", "PipelineDescription");
        assertThat(bodies(JobRequest.getClassSchema())).contains("Resume");
    }

    private static List<String> fields(Schema schema) {
        return schema.getFields().stream().map(Schema.Field::name).toList();
    }

    private static List<String> bodies(Schema envelope) {
        return envelope.getField("body").schema().getTypes().stream()
                .map(Schema::getName)
                .toList();
    }
}
