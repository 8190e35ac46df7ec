package io.praline.deploy.feed;

import com.fasterxml.jackson.databind.JsonNode;
import io.praline.client.CacheMode;
import io.praline.client.JobSpec;
import io.praline.schema.Guarantee;
import io.praline.topics.Agreements;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What Python asks for when it opens a feed. Everything may be left out, and is then as {@link JobSpec#of(byte[])} has it.
 *
 * <pre>
 *   {"cluster": {"bootstrap", "registry", "secret", "config", "page"}, "file", "steps", "name", "names": [], "data": [], "epochs", "seed",
 *    "skip_bad", "guarantee", "target", "policy", "price_client", "price_remote", "price_egress", "price_storage",
 *    "order", "cache", "cap", "max_remote", "max_local", "consumers", "rank", "job", "tenant", "pool", "max_batch_bytes", "graph_dir", "directory"}
 * </pre>
 *
 * {@code file} is a pipeline in named steps, {@code steps} the text of one; without them the GraphDef behind the JSON is the pipeline. Where {@code rank} is above
 * 0, the job of that id is attached to, and its pipeline is what it is.
 *
 * @param said the JSON
 * @param graph a serialised GraphDef; empty where there is none
 */
@SuppressWarnings("ArrayRecordComponent") // the graph is large and nobody compares it
public record FeedSpec(JsonNode said, byte[] graph) {
    private static final Set<String> KNOWN = Set.of(
            "cluster",
            "file",
            "steps",
            "name",
            "names",
            "data",
            "epochs",
            "seed",
            "skip_bad",
            "guarantee",
            "target",
            "policy",
            "price_client",
            "price_remote",
            "price_egress",
            "price_storage",
            "price_fetch",
            "order",
            "cache",
            "cap",
            "max_remote",
            "max_local",
            "consumers",
            "rank",
            "job",
            "tenant",
            "pool",
            "max_batch_bytes",
            "graph_dir",
            "directory");

    /** Arguments of the call that come as parts of others. */
    private static final Set<String> IN_PARTS = Set.of("bootstrap", "registry", "secret_file", "kafka_config");

    /** An option of a command, and what stands for its value. */
    private static final Pattern OPTION = Pattern.compile("--([a-z]+(?:-[a-z]+)*)(?: ([A-Z]+)\\b)?");

    /** A setting of a Java program's of which a rule is told. */
    private static final Pattern SETTING = Pattern.compile("\\b[a-z]+(?:[A-Z][a-z]+)+(?= must )");

    public FeedSpec {
        Set<String> unknown = new TreeSet<>();
        said.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("praline feed does not know " + unknown
                    + "; Python's package and Praline are of different versions");
        }
    }

    /** A line with options of commands or settings of Java's in it, as who called {@code praline.feed} says them: as arguments. */
    static String inTheCall(String line) {
        String options = OPTION.matcher(line).replaceAll(option -> {
            String name = option.group(1).replace('-', '_');
            if (!KNOWN.contains(name) && !IN_PARTS.contains(name)) {
                return Matcher.quoteReplacement(option.group());
            }
            return option.group(2) == null ? name : name + "=" + option.group(2);
        });
        return SETTING.matcher(options).replaceAll(setting -> {
            String name = setting.group().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            return KNOWN.contains(name) ? name : Matcher.quoteReplacement(setting.group());
        });
    }

    /**
     * A cluster that Python names.
     *
     * @param secret the file that workers and clients share
     * @param config properties of Kafka's clients
     * @param page the address of the page that shows it
     */
    public record Place(
            String bootstrap, String registry, Optional<Path> secret, Optional<Path> config, Optional<String> page) {}

    /** Empty where Python names none. */
    public Optional<Place> cluster() {
        JsonNode named = said.path("cluster");
        return named.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Place(
                        named.path("bootstrap").asText(),
                        named.path("registry").asText(),
                        text(named, "secret").map(Path::of),
                        text(named, "config").map(Path::of),
                        text(named, "page")));
    }

    public String pool() {
        return text("pool").orElse(Agreements.USUAL_POOL);
    }

    /** Where graphs go that are too large for a record; empty where Python names no folder. */
    public Optional<Path> graphs() {
        return text("graph_dir").map(Path::of);
    }

    /** How many workers it allows on this host. */
    public int maxLocal() {
        return whole("max_local").orElse(0);
    }

    /** Which of the job's consumers it is. */
    public int rank() {
        return whole("rank").orElse(0);
    }

    /**
     * A cluster for the time of this program is about to start, which no other process finds.
     *
     * @param processes how many a launcher such as torchrun has started, as it says in WORLD_SIZE
     * @throws IllegalArgumentException if they are to share the job: each would wait for the others, in a cluster of its own
     */
    public void requireNoOthers(Optional<String> processes) {
        if (whole("consumers").orElse(1) > 1
                && processes.filter(many -> !many.equals("1")).isPresent()) {
            throw new IllegalArgumentException("the " + processes.get()
                    + " processes of this run (WORLD_SIZE) share a job, and no cluster is named or up that all of them find:"
                    + " start one by 'praline up', or name one by PRALINE_URL");
        }
    }

    /** The job's id; empty where one is to be made, and the job goes with its Python. */
    public Optional<String> id() {
        return text("job");
    }

    /** The id of the job that this rank takes part in, which another one submits. */
    String shared() {
        return id().orElseThrow(
                        () -> new IllegalArgumentException("rank " + rank() + " must say which job it shares: job=ID"));
    }

    /** The job, whose batches the loop acknowledges itself. */
    JobSpec job(Connections connections) {
        JobSpec job = text("file")
                .map(file -> connections.read(Path.of(file)))
                .or(() -> text("steps").map(connections::steps))
                .orElseGet(() -> JobSpec.of(graph));
        job = with(job, id(), JobSpec::id);
        job = with(job, text("directory").map(Path::of), JobSpec::directory);
        job = with(job, text("name"), JobSpec::named);
        job = with(job, texts("names"), JobSpec::components);
        job = with(job, texts("data").map(globs -> globs.toArray(String[]::new)), JobSpec::data);
        job = with(job, whole("epochs"), JobSpec::epochs);
        job = with(job, wholeLong("seed"), JobSpec::seed);
        job = with(job, whole("skip_bad"), JobSpec::skipBad);
        job = with(job, text("guarantee").map(FeedSpec::guarantee), (spec, least) -> spec.guarantee(least, true));
        job = with(job, whole("consumers"), JobSpec::consumers);
        job = with(job, text("tenant"), JobSpec::tenant);
        job = with(job, text("policy"), JobSpec::policy);
        job = with(job, text("target").map(name -> one("target", JobSpec.Goal.values(), name)), JobSpec::goal);
        job = with(job, text("order").map(name -> one("order", JobSpec.Order.values(), name)), JobSpec::order);
        job = with(job, text("cache").map(name -> one("cache", CacheMode.values(), name)), JobSpec::cache);
        job = with(job, number("price_storage"), JobSpec::priceStorage);
        job = with(job, number("price_fetch"), JobSpec::priceFetch);
        job = with(job, number("cap"), JobSpec::cap);
        job = with(job, wholeLong("max_batch_bytes"), JobSpec::batchLimitBytes);
        return job.prices(new JobSpec.Prices(price("price_client"), price("price_remote"), price("price_egress")))
                .limits(new JobSpec.Limits(
                        whole("max_remote").map(OptionalInt::of).orElse(OptionalInt.empty()), maxLocal()))
                .manualAcknowledge();
    }

    private static <T> JobSpec with(JobSpec job, Optional<T> value, BiFunction<JobSpec, T, JobSpec> set) {
        return value.isPresent() ? set.apply(job, value.get()) : job;
    }

    private static Guarantee guarantee(String name) {
        return switch (name) {
            case "exactly-once" -> Guarantee.EXACTLY_ONCE;
            case "at-least-once" -> Guarantee.AT_LEAST_ONCE;
            default ->
                throw new IllegalArgumentException(
                        "guarantee must be 'exactly-once' or 'at-least-once', is '" + name + "'");
        };
    }

    /** The value that is called so, in small letters. */
    private static <E extends Enum<E>> E one(String what, E[] values, String name) {
        return Arrays.stream(values)
                .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(what + " must be "
                        + Arrays.stream(values)
                                .map(value -> "'" + value.name().toLowerCase(Locale.ROOT) + "'")
                                .collect(Collectors.joining(" or "))
                        + ", is '" + name + "'"));
    }

    private Optional<String> text(String name) {
        return text(said, name);
    }

    private static Optional<String> text(JsonNode of, String name) {
        return said(of, name, JsonNode::isTextual, "a string").map(JsonNode::asText);
    }

    private Optional<List<String>> texts(String name) {
        List<String> all = new ArrayList<>();
        said(said, name, JsonNode::isArray, "a list").ifPresent(list -> list.forEach(one -> all.add(one.asText())));
        return Optional.of(all).filter(given -> !given.isEmpty());
    }

    private Optional<Integer> whole(String name) {
        return said(said, name, node -> node.isIntegralNumber() && node.canConvertToInt(), "a whole number of 32 bits")
                .map(JsonNode::asInt);
    }

    private Optional<Long> wholeLong(String name) {
        return said(said, name, node -> node.isIntegralNumber() && node.canConvertToLong(), "a whole number of 64 bits")
                .map(JsonNode::asLong);
    }

    private Optional<Double> number(String name) {
        return said(said, name, JsonNode::isNumber, "a number").map(JsonNode::asDouble);
    }

    /** What is said of it: Jackson would make 0 of a word, and cut a number that is too large. */
    private static Optional<JsonNode> said(JsonNode of, String name, Predicate<JsonNode> is, String what) {
        Optional<JsonNode> node = Optional.ofNullable(of.get(name));
        node.filter(is.negate()).ifPresent(other -> {
            throw new IllegalArgumentException(name + " must be " + what + ", is " + other);
        });
        return node;
    }

    private OptionalDouble price(String name) {
        return number(name).map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }
}
