package io.praline.deploy.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What came of a run, or of several together.
 *
 * @param seed the schedule's
 * @param wrong elements that were not what their numbers and tickets say
 * @param cacheHits elements that trainers are done with and that came from entries
 * @param kills how many processes of each role were killed
 * @param entriesHarmed files of the workers' store that were deleted, cut short or changed
 * @param longestGapMs the longest that a job stood still that could move
 * @param restarts processes that ended by themselves and were started again
 * @param failures what was wrong, a line each; empty where all was well
 */
public record RunResult(
        long seed,
        String options,
        long elements,
        long missing,
        long duplicates,
        long possiblyTwice,
        long wrong,
        long cacheHits,
        int hangs,
        Kills kills,
        int stops,
        int cuts,
        int comings,
        int entriesHarmed,
        long longestGapMs,
        int restarts,
        double seconds,
        List<String> failures) {

    private static final ObjectMapper JSON = new ObjectMapper();

    public RunResult {
        failures = List.copyOf(failures);
    }

    /** How many of each were killed. */
    public record Kills(int worker, int dispatcher, int broker, int client) {
        static final Kills NONE = new Kills(0, 0, 0, 0);

        Kills and(Target target) {
            return switch (target.role()) {
                case WORKER -> new Kills(worker + 1, dispatcher, broker, client);
                case DISPATCHER -> new Kills(worker, dispatcher + 1, broker, client);
                case BROKER -> new Kills(worker, dispatcher, broker + 1, client);
                case CLIENT -> new Kills(worker, dispatcher, broker, client + 1);
            };
        }

        Kills plus(Kills other) {
            return new Kills(
                    worker + other.worker, dispatcher + other.dispatcher, broker + other.broker, client + other.client);
        }

        public int sum() {
            return worker + dispatcher + broker + client;
        }
    }

    public boolean well() {
        return failures.isEmpty();
    }

    /** A line of a file of results. */
    String json() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + this, e);
        }
    }

    /** @throws IllegalArgumentException if the line is no result */
    static RunResult of(String json) {
        try {
            return JSON.readValue(json, RunResult.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "a line is no result of a run: " + e.getOriginalMessage() + "; give another file", e);
        }
    }

    /** One run, with what was wrong. */
    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("seed", seed);
        object.putAll(counts());
        object.put("restarts", restarts);
        object.put("seconds", seconds);
        object.put("failures", failures);
        return object;
    }

    /** All runs in one. */
    public static Map<String, Object> sum(Collection<RunResult> all) {
        RunResult sum = new RunResult(0, "", 0, 0, 0, 0, 0, 0, 0, Kills.NONE, 0, 0, 0, 0, 0, 0, 0, List.of());
        int failed = 0;
        for (RunResult one : all) {
            sum = sum.plus(one);
            failed += one.well() ? 0 : 1;
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("runs", all.size());
        object.putAll(sum.counts());
        object.put("restarts", sum.restarts);
        object.put("seconds", sum.seconds);
        object.put("failures", failed);
        return object;
    }

    private RunResult plus(RunResult other) {
        return new RunResult(
                seed,
                options,
                elements + other.elements,
                missing + other.missing,
                duplicates + other.duplicates,
                possiblyTwice + other.possiblyTwice,
                wrong + other.wrong,
                cacheHits + other.cacheHits,
                hangs + other.hangs,
                kills.plus(other.kills),
                stops + other.stops,
                cuts + other.cuts,
                comings + other.comings,
                entriesHarmed + other.entriesHarmed,
                Math.max(longestGapMs, other.longestGapMs),
                restarts + other.restarts,
                seconds + other.seconds,
                List.of());
    }

    private Map<String, Object> counts() {
        Map<String, Object> counts = new LinkedHashMap<>();
        counts.put("elements", elements);
        counts.put("missing", missing);
        counts.put("duplicates", duplicates);
        counts.put("possiblyTwice", possiblyTwice);
        counts.put("wrong", wrong);
        counts.put("cacheHits", cacheHits);
        counts.put("hangs", hangs);
        Map<String, Object> killed = new LinkedHashMap<>();
        killed.put("worker", kills.worker());
        killed.put("dispatcher", kills.dispatcher());
        killed.put("broker", kills.broker());
        killed.put("client", kills.client());
        counts.put("kills", killed);
        counts.put("stops", stops);
        counts.put("cuts", cuts);
        counts.put("comings", comings);
        counts.put("entriesHarmed", entriesHarmed);
        counts.put("longestGapMs", longestGapMs);
        return counts;
    }
}
