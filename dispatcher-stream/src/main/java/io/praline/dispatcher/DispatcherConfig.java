package io.praline.dispatcher;

import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.dispatcher.turn.rules.Rules;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolSize;
import io.praline.policy.scaling.Policies;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;

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
    /** The group of an installation that does not say. */
    public static final String USUAL_APPLICATION = "praline-dispatcher";

    private static final Duration USUAL_SLICE = Duration.ofSeconds(30);

    /** As they are where nobody says. */
    public static final Rules USUAL_RULES =
            new Rules(Policies.USUAL, new FairShare(USUAL_SLICE), PoolSize.USUAL, ProtocolLimits.USUAL);

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
        this(kafka, USUAL_APPLICATION, instanceId, stateDir, "127.0.0.1", httpPort, 0, USUAL_RULES);
    }

    /** The topic of its state, as Kafka Streams calls it. */
    public String changelog() {
        return changelog(applicationId);
    }

    /** The topic of the state of an installation. */
    public static String changelog(String applicationId) {
        return applicationId + "-" + DispatchTopology.LEDGER + "-changelog";
    }

    /**
     * Rules that differ from the usual ones in this.
     *
     * @param policy the name of the policy of jobs that name none
     * @param leastWorkers of a pool, also while no job is open
     * @param mostWorkers of a pool
     * @param grace how long workers that nobody needs are kept
     * @throws IllegalArgumentException if there is no such policy, naming those that there are, or the bounds contradict
     */
    public static Rules rules(String policy, int leastWorkers, int mostWorkers, Duration grace) {
        PoolSize size = new PoolSize(leastWorkers, mostWorkers, grace);
        return new Rules(policy, new FairShare(USUAL_SLICE), size, ProtocolLimits.USUAL);
    }

    private static void requireId(String name, String id) {
        if (!id.matches("[a-zA-Z0-9._-]{1,200}")) {
            throw new IllegalArgumentException(
                    name + " must be letters, digits, dots, dashes and underscores, is '" + id + "'");
        }
    }
}
