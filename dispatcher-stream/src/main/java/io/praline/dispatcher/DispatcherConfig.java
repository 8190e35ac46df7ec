package io.praline.dispatcher;

import io.praline.dispatcher.turn.Limits;
import io.praline.dispatcher.turn.Rules;
import io.praline.policy.placement.FairShare;
import io.praline.policy.placement.PoolSize;
import io.praline.policy.scaling.Policies;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The dispatcher's settings.
 *
 * @param kafka how to reach Kafka and the registry
 * @param applicationId name of the consumer group and of the changelog: all instances of one installation share it
 * @param instanceId this instance among them, the same after a restart: its partitions wait for it that long
 * @param stateDir where Kafka Streams keeps its lock; the state itself is in Kafka
 * @param httpHost where {@code /metrics} and {@code /ready} listen
 * @param httpPort their port; 0 any that is free, -1 none
 * @param standbys warm copies of the state on other instances
 * @param rules what it decides by
 */
public record DispatcherConfig(
        KafkaSettings kafka,
        String applicationId,
        String instanceId,
        Path stateDir,
        String httpHost,
        int httpPort,
        int standbys,
        Rules rules) {
    private static final Duration USUAL_SLICE = Duration.ofSeconds(30);

    /** As they are where nobody says. */
    public static final Rules USUAL_RULES =
            new Rules(Policies.USUAL, new FairShare(USUAL_SLICE), PoolSize.USUAL, Limits.USUAL);

    private static final Set<String> KNOWN = Set.of(
            "dispatcher.kafka.bootstrap",
            "dispatcher.kafka.registry",
            "dispatcher.kafka.config",
            "dispatcher.application.id",
            "dispatcher.instance.id",
            "dispatcher.state.dir",
            "dispatcher.http.host",
            "dispatcher.http.port",
            "dispatcher.standbys",
            "dispatcher.slice",
            "dispatcher.policy",
            "dispatcher.pool.minimum",
            "dispatcher.pool.maximum",
            "dispatcher.pool.grace");

    public DispatcherConfig {
        requireId("dispatcher.application.id", applicationId);
        requireId("dispatcher.instance.id", instanceId);
        if (httpPort < -1 || httpPort > 65535) {
            throw new IllegalArgumentException("dispatcher.http.port must be in -1..65535, is " + httpPort);
        }
        if (httpHost.isBlank()) {
            throw new IllegalArgumentException("dispatcher.http.host must not be empty");
        }
        if (standbys < 0) {
            throw new IllegalArgumentException("dispatcher.standbys must not be negative, is " + standbys);
        }
    }

    /** The usual settings for one instance that listens on loopback. */
    public DispatcherConfig(KafkaSettings kafka, String instanceId, Path stateDir, int httpPort) {
        this(kafka, "praline-dispatcher", instanceId, stateDir, "127.0.0.1", httpPort, 0, USUAL_RULES);
    }

    /**
     * Settings from properties; what is not there has its default.
     *
     * @throws IllegalArgumentException if one is wrong or not known, naming it
     */
    public static DispatcherConfig from(Map<String, String> properties) {
        Set<String> unknown = new TreeSet<>(properties.keySet());
        unknown.removeAll(KNOWN);
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("unknown setting "
                    + unknown.iterator().next() + "; known are " + String.join(", ", new TreeSet<>(KNOWN)));
        }
        KafkaSettings kafka = KafkaSettings.load(
                properties.getOrDefault("dispatcher.kafka.bootstrap", "127.0.0.1:9092"),
                properties.getOrDefault("dispatcher.kafka.registry", "http://127.0.0.1:8081"),
                Optional.ofNullable(properties.get("dispatcher.kafka.config")).map(Path::of));
        return new DispatcherConfig(
                kafka,
                properties.getOrDefault("dispatcher.application.id", "praline-dispatcher"),
                properties.getOrDefault("dispatcher.instance.id", "dispatcher-0"),
                Path.of(properties.getOrDefault(
                        "dispatcher.state.dir",
                        Path.of(System.getProperty("java.io.tmpdir"), "praline-dispatcher")
                                .toString())),
                properties.getOrDefault("dispatcher.http.host", "127.0.0.1"),
                number(properties, "dispatcher.http.port", 0),
                number(properties, "dispatcher.standbys", 0),
                rules(properties));
    }

    private static Rules rules(Map<String, String> properties) {
        FairShare division =
                named("dispatcher.slice", () -> new FairShare(duration(properties, "dispatcher.slice", USUAL_SLICE)));
        PoolSize usual = PoolSize.USUAL;
        int minimum = number(properties, "dispatcher.pool.minimum", usual.minimum());
        int maximum = number(properties, "dispatcher.pool.maximum", usual.maximum());
        Duration grace = duration(properties, "dispatcher.pool.grace", usual.grace());
        PoolSize size = named("dispatcher.pool", () -> new PoolSize(minimum, maximum, grace));
        String policy = properties.getOrDefault("dispatcher.policy", Policies.USUAL);
        return named("dispatcher.policy", () -> new Rules(policy, division, size, Limits.USUAL));
    }

    /** With the setting's name before what is wrong with it. */
    private static <T> T named(String setting, Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException wrong) {
            String why = wrong.getMessage();
            throw new IllegalArgumentException(why.startsWith("dispatcher.") ? why : setting + ": " + why, wrong);
        }
    }

    private static int number(Map<String, String> properties, String name, int usual) {
        String given = properties.get(name);
        try {
            return given == null ? usual : Integer.parseInt(given.strip());
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(name + " must be a whole number, is '" + given + "'", wrong);
        }
    }

    private static Duration duration(Map<String, String> properties, String name, Duration usual) {
        String given = properties.get(name);
        try {
            return given == null ? usual : Duration.parse(given.strip());
        } catch (java.time.format.DateTimeParseException wrong) {
            throw new IllegalArgumentException(name + " must be a duration such as PT30S, is '" + given + "'", wrong);
        }
    }

    private static void requireId(String name, String id) {
        if (!id.matches("[a-zA-Z0-9._-]{1,200}")) {
            throw new IllegalArgumentException(
                    name + " must be letters, digits, dots, dashes and underscores, is '" + id + "'");
        }
    }
}
