package io.praline.deploy.scenario;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.NamedFile;
import io.praline.policy.Terms;
import io.praline.policy.simulation.Change;
import io.praline.policy.simulation.Delays;
import io.praline.policy.simulation.Entry;
import io.praline.policy.simulation.Noise;
import io.praline.policy.simulation.Rates;
import io.praline.policy.simulation.Scenario;
import io.praline.policy.simulation.Training;
import io.praline.policy.simulation.World;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A scenario from a file in YAML, or in JSON where it ends so; or one that is shipped, by its name:
 *
 * <pre>
 * name: resnet50-v2-8
 * clientPricePerHour: 4.96
 * remotePricePerHour: 0.427319
 * elementsPerEpoch: 1281167
 * trainerElementsPerSecond: 3220
 * remoteElementsPerSecond: 170
 * localElementsPerSecond: [390, 676, 934]     # with 1, with 2, with 3 together
 * maxRemote: 20
 * maxLocal: 3
 * changes:
 *   - {atSeconds: 7200, trainerElementsPerSecond: 6440}
 * </pre>
 *
 * <p>Optional, with what holds without: {@code target} (cost), {@code batch} (128), {@code epochs} (20), {@code windowBatches} (500),
 * {@code egressPricePerGb} (0) for 10^9 bytes from remote workers, {@code bytesPerElement} (0: windows tell no bytes),
 * {@code trainerSlowdownPerLocal} (0), {@code noise} with {@code relative, heavyTailShare, garbageShare} (0 each), {@code remoteStartSeconds,
 * remoteDrainSeconds, localStartSeconds} (0), {@code remoteMeanLifetimeSeconds} (no worker dies), {@code untilSeconds} (until all jobs
 * end), {@code changes}, {@code jobs}. With {@code jobs} ({@code name, count, atSeconds, everySeconds, weight} and any of the above), the
 * {@code maxRemote} of the top is the pool that they share.
 */
public final class ScenarioFile {
    private static final List<String> WORLD = List.of(
            "target",
            "clientPricePerHour",
            "remotePricePerHour",
            "egressPricePerGb",
            "elementsPerEpoch",
            "bytesPerElement",
            "batch",
            "epochs",
            "trainerElementsPerSecond",
            "remoteElementsPerSecond",
            "localElementsPerSecond",
            "trainerSlowdownPerLocal",
            "windowBatches",
            "noise",
            "remoteStartSeconds",
            "remoteDrainSeconds",
            "localStartSeconds",
            "remoteMeanLifetimeSeconds",
            "maxRemote",
            "maxLocal");
    private static final List<String> TOP = with("name", "changes", "jobs", "untilSeconds");
    private static final List<String> CHANGE = with("atSeconds");
    private static final List<String> JOB = with("name", "count", "atSeconds", "everySeconds", "weight");
    private static final List<String> NOISE = List.of("relative", "heavyTailShare", "garbageShare");

    private static final List<String> SHIPPED =
            List.of("resnet50-v2-8", "input-light", "remote-only", "drift", "spot", "crowd", "throng");

    private final String file;

    private ScenarioFile(String file) {
        this.file = file;
    }

    private static List<String> with(String... more) {
        return Stream.concat(Stream.of(more), WORLD.stream()).toList();
    }

    /** Names of the scenarios that are shipped. */
    public static List<String> shipped() {
        return SHIPPED;
    }

    /**
     * The scenario of a file, or a shipped one.
     *
     * @throws RefusedScenario if there is none, or it cannot be taken
     */
    public static Scenario read(String fileOrName) {
        if (SHIPPED.contains(fileOrName)) {
            return parse(fileOrName + ".yaml", shippedText(fileOrName));
        }
        Path path = Path.of(fileOrName);
        if (!Files.isRegularFile(path)) {
            throw new RefusedScenario(
                    fileOrName, "no such scenario: give a file, or one of " + String.join(", ", SHIPPED));
        }
        try {
            return parse(fileOrName, NamedFile.text(path));
        } catch (CharacterCodingException e) {
            throw new RefusedScenario(fileOrName, "no text in UTF-8", e);
        } catch (IOException e) {
            throw new RefusedScenario(fileOrName, "cannot be read: " + Failures.why(e), e);
        }
    }

    private static String shippedText(String name) {
        try (InputStream text = ScenarioFile.class.getResourceAsStream(name + ".yaml")) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The scenario in a text; complaints call it {@code file}. */
    public static Scenario parse(String file, String text) {
        return new ScenarioFile(file).scenario(tree(file, text));
    }

    private static JsonNode tree(String file, String text) {
        ObjectMapper mapper = file.endsWith(".json")
                ? JsonMapper.builder()
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                        .build()
                : YAMLMapper.builder()
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build();
        try {
            return mapper.readTree(text);
        } catch (JsonProcessingException e) {
            String line =
                    e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
            throw new RefusedScenario(
                    file, line + e.getOriginalMessage().lines().findFirst().orElse("cannot be read"), e);
        }
    }

    private Scenario scenario(JsonNode root) {
        Fields top = Fields.of(file, "", root, TOP);
        String name = top.text("name").orElse(file.replaceAll("^.*/|\\.(ya?ml|json)$", ""));
        World world = world(top);
        List<Change> changes = new ArrayList<>();
        Fields before = top;
        for (Fields change : list(top, "changes", CHANGE)) {
            before = change.within(before);
            double at = change.above0("atSeconds");
            World becomes = world(before);
            changes.add(checked(change.where(), () -> new Change(at, becomes)));
        }
        List<Entry> jobs = new ArrayList<>();
        for (Fields job : list(top, "jobs", JOB)) {
            jobs.add(entry(job, top, jobs.size()));
        }
        return checked(
                "",
                () -> new Scenario(name, world, changes, jobs, top.above0Or("untilSeconds", Double.POSITIVE_INFINITY)));
    }

    private Entry entry(Fields job, Fields top, int number) {
        World world = world(job.within(top));
        return checked(
                job.where(),
                () -> new Entry(
                        job.text("name").orElse("job" + number),
                        job.countOr("count", 1, 1),
                        job.notNegativeOr("atSeconds", 0),
                        job.notNegativeOr("everySeconds", 0),
                        job.above0Or("weight", 1),
                        world));
    }

    private List<Fields> list(Fields top, String field, List<String> allowed) {
        List<Fields> list = new ArrayList<>();
        top.node(field).ifPresent(nodes -> {
            if (!nodes.isArray()) {
                throw new RefusedScenario(file, field + " must be a list");
            }
            for (JsonNode node : nodes) {
                list.add(Fields.of(file, field + "[" + list.size() + "].", node, allowed));
            }
        });
        return list;
    }

    private World world(Fields of) {
        List<Double> local = of.ratesOrNone("localElementsPerSecond");
        Noise noise = of.node("noise")
                .map(node -> noise(Fields.of(file, of.where() + "noise.", node, NOISE)))
                .orElse(Noise.NONE);
        return checked(
                of.where(),
                () -> new World(
                        new Terms(
                                of.oneOf("target", Terms.Goal.class, Terms.Goal.COST),
                                new Terms.Prices(
                                        of.notNegative("clientPricePerHour"),
                                        of.notNegative("remotePricePerHour"),
                                        of.notNegativeOr("egressPricePerGb", 0)),
                                new Terms.Limits(of.count("maxRemote", 0), of.countOr("maxLocal", 0, local.size())),
                                Double.POSITIVE_INFINITY),
                        new Rates(
                                of.above0("trainerElementsPerSecond"),
                                of.above0("remoteElementsPerSecond"),
                                local,
                                of.notNegativeOr("trainerSlowdownPerLocal", 0)),
                        new Delays(
                                of.notNegativeOr("remoteStartSeconds", 0),
                                of.notNegativeOr("remoteDrainSeconds", 0),
                                of.notNegativeOr("localStartSeconds", 0)),
                        noise,
                        new Training(
                                of.whole("elementsPerEpoch", 1),
                                of.wholeOr("batch", 1, 128),
                                of.wholeOr("epochs", 1, 20),
                                of.wholeOr("windowBatches", 1, 500),
                                of.notNegativeOr("bytesPerElement", 0)),
                        of.above0Or("remoteMeanLifetimeSeconds", Double.POSITIVE_INFINITY)));
    }

    private static Noise noise(Fields of) {
        return new Noise(of.shareOr("relative", 0), of.shareOr("heavyTailShare", 0), of.shareOr("garbageShare", 0));
    }

    /** What a record says against it, said of this place. */
    private <T> T checked(String where, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new RefusedScenario(
                    file, (where.isEmpty() ? "" : where.replaceAll("\\.$", ": ")) + e.getMessage(), e);
        }
    }
}
