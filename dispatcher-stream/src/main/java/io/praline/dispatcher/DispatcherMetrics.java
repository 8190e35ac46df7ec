package io.praline.dispatcher;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.schema.JobState;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What the dispatcher counts. Written by the stream thread, read by whoever scrapes. */
final class DispatcherMetrics {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Map<Ignored, Counter> ignored = new EnumMap<>(Ignored.class);
    private final Counter quarantined;
    private final Counter commands;
    private final Counter decisions;
    private final Counter broken;
    private final Counter setAside;
    private final Map<String, Counter> records = new ConcurrentHashMap<>();

    /** By partition, since each is counted by its own task. */
    private final Map<Integer, Counts> counts = new ConcurrentHashMap<>();

    /** What one partition holds. */
    record Counts(int workers, int stuck, int stepsLeftOut, Map<JobState, Integer> jobs) {}

    DispatcherMetrics() {
        for (Ignored why : Ignored.values()) {
            ignored.put(
                    why,
                    Counter.builder("praline_dispatcher_ignored")
                            .description("Messages that were late, repeated or from a process that is gone")
                            .tag("why", why.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        quarantined = Counter.builder("praline_dispatcher_quarantined")
                .description("Records that could not be taken")
                .register(registry);
        commands = Counter.builder("praline_dispatcher_commands")
                .description("Commands sent to workers")
                .register(registry);
        decisions = Counter.builder("praline_dispatcher_decisions")
                .description("Entries written to the journal")
                .register(registry);
        broken = Counter.builder("praline_dispatcher_policies_broken")
                .description("Jobs whose policy threw: see the dispatcher's log")
                .register(registry);
        setAside = Counter.builder("praline_dispatcher_set_aside")
                .description(
                        "Jobs that failed, rows that were dropped, and steps that are left out, since they could not be gone on with: see the dispatcher's log")
                .register(registry);
        Gauge.builder("praline_dispatcher_workers", counts, all -> all.values().stream()
                        .mapToInt(Counts::workers)
                        .sum())
                .description("Live workers")
                .register(registry);
        Gauge.builder("praline_dispatcher_stuck_jobs", counts, all -> all.values().stream()
                        .mapToInt(Counts::stuck)
                        .sum())
                .description("Jobs of which nothing has moved for a minute though it should: their statuses say why")
                .register(registry);
        Gauge.builder("praline_dispatcher_steps_left_out", counts, all -> all.values().stream()
                        .mapToInt(Counts::stepsLeftOut)
                        .sum())
                .description(
                        "Steps of pools that throw and are left out until they are tried again: see the pools' journals")
                .register(registry);
        for (JobState state : JobState.values()) {
            Gauge.builder("praline_dispatcher_jobs", counts, all -> all.values().stream()
                            .mapToInt(count -> count.jobs().getOrDefault(state, 0))
                            .sum())
                    .description("Jobs by where they are")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
    }

    void record(String topic) {
        records.computeIfAbsent(topic, name -> Counter.builder("praline_dispatcher_records")
                        .description("Records read")
                        .tag("topic", name)
                        .register(registry))
                .increment();
    }

    void ignored(Ignored why) {
        ignored.get(why).increment();
    }

    void quarantined() {
        quarantined.increment();
    }

    void command() {
        commands.increment();
    }

    void decision() {
        decisions.increment();
    }

    void policyBroke() {
        broken.increment();
    }

    void setAside() {
        setAside.increment();
    }

    void counts(int partition, Counts now) {
        counts.put(partition, now);
    }

    /** The partition is another instance's. */
    void forget(int partition) {
        counts.remove(partition);
    }

    /** All of it in the text format of Prometheus. */
    String scrape() {
        return registry.scrape();
    }
}
