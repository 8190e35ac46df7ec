package io.praline.deploy.terminal;

import io.praline.policy.Counted;
import io.praline.schema.AttemptPlace;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.TransformationMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A job's status as lines for people and as an object for programs. */
public record JobView(JobStatus status) {

    public static String header() {
        return String.format(
                Locale.ROOT, "%-28s %-18s %7s %12s %8s  %s", "JOB", "STATE", "EPOCH", "ELEMENTS", "WORKERS", "REASON");
    }

    public String row() {
        return String.format(
                Locale.ROOT,
                "%-28s %-18s %7s %12d %8d  %s",
                status.getJob(),
                state(),
                epochsComplete() + "/" + status.getEpochs(),
                consumed(),
                workers(),
                Failures.oneLine(status.getReason().isEmpty() ? "-" : status.getReason()));
    }

    /** Where it is, and in a word what it waits for. */
    private String state() {
        return status.getState() + (status.getWaitingFor().isEmpty() ? "" : "(" + status.getWaitingFor() + ")");
    }

    /** Whether it will never change again. */
    public boolean ended() {
        return switch (status.getState()) {
            case COMPLETED, FAILED, CANCELLED -> true;
            case PLANNING, WAITING, RUNNING -> false;
        };
    }

    /**
     * The place of a consumer that may be given up.
     *
     * @throws CommandFailed if the job has ended, has no such consumer, or nothing of that one is in doubt
     */
    public ConsumerSlot lost(int consumer) {
        if (ended()) {
            throw new CommandFailed(
                    ExitCode.REFUSED, "job " + status.getJob() + " has ended already: " + status.getState());
        }
        ConsumerSlot slot = status.getSlots().stream()
                .filter(each -> each.getConsumer() == consumer)
                .findFirst()
                .orElseThrow(() -> new CommandFailed(
                        ExitCode.REFUSED,
                        "job " + status.getJob() + " has no consumer " + consumer + "; it has " + status.getConsumers()
                                + ", counted from 0"));
        if (slot.getState() != ConsumerState.IN_DOUBT && !isInDoubt(slot)) {
            throw new CommandFailed(
                    ExitCode.REFUSED,
                    "consumer " + consumer + " of job " + status.getJob() + " is " + slot.getState()
                            + ", and nothing of it is in doubt; only what is lost can be given up");
        }
        return slot;
    }

    long consumed() {
        return status.getProgress().stream()
                .mapToLong(EpochProgress::getConsumed)
                .sum();
    }

    private long workers() {
        return workers(true) + workers(false);
    }

    private long workers(boolean local) {
        return status.getState() == JobState.RUNNING
                ? status.getAttempts().stream()
                        .filter(place -> !place.getFenced() && place.getLocal() == local)
                        .map(AttemptPlace::getWorker)
                        .distinct()
                        .count()
                : 0;
    }

    private long epochsComplete() {
        return status.getProgress().stream().filter(EpochProgress::getComplete).count();
    }

    /** Everything, a fact a line. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("job         " + status.getJob()
                + (status.getPipelineName().isEmpty() ? "" : " (" + status.getPipelineName() + ")"));
        lines.add("state       " + state()
                + (status.getReason().isEmpty() ? "" : ": " + Failures.oneLine(status.getReason())));
        lines.add("guarantee   " + guarantee(status));
        lines.add("submitted   " + Instant.ofEpochMilli(status.getSubmittedAtMillis()) + ", changed "
                + Instant.ofEpochMilli(status.getChangedAtMillis()));
        lines.add("plan        " + Counted.of(status.getSplits(), "split") + ", "
                + Counted.of(status.getEpochs(), "epoch") + ", seed " + status.getSeed() + ", "
                + Counted.of(status.getConsumers(), "consumer"));
        status.getOrder().map(OrderStateView::new).ifPresent(order -> lines.add("order       " + order.line()));
        if (!status.getCache().isEmpty()) {
            lines.add("cache       " + Counted.of(status.getCacheHits(), "element") + " came from entries: "
                    + Failures.oneLine(status.getCache()));
        }
        for (EpochProgress epoch : status.getProgress()) {
            StringBuilder line = new StringBuilder("epoch " + epoch.getEpoch() + "     " + epoch.getConsumed() + " of "
                    + Counted.of(epoch.getElements(), "element") + " consumed");
            for (Exclusion exclusion : epoch.getExcluded()) {
                line.append(", ")
                        .append(exclusion.getElements())
                        .append(" excluded: ")
                        .append(exclusion.getReason());
            }
            if (epoch.getPossiblyTwice() > 0 || epoch.getPossiblyTwiceSplits() > 0) {
                line.append(", ")
                        .append(known(epoch.getPossiblyTwice(), "", epoch.getPossiblyTwiceSplits()))
                        .append(" possibly trained twice");
            }
            lines.add(line.append(epoch.getComplete() ? ", complete" : "").toString());
        }
        for (ConsumerSlot slot : status.getSlots()) {
            lines.add(line(slot));
        }
        for (AttemptPlace place : status.getAttempts()) {
            lines.add("attempt     epoch " + place.getEpoch() + " attempt " + place.getAttempt() + " at worker "
                    + place.getWorker() + (place.getFenced() ? ", fenced" : ""));
        }
        lines.addAll(transformations(status.getTransformations()));
        status.getNotes().forEach(note -> lines.add("note        " + Failures.oneLine(note)));
        for (String bad : status.getBadRecords()) {
            lines.add("bad record  " + Failures.oneLine(bad));
        }
        return lines;
    }

    private static String line(ConsumerSlot slot) {
        String line = "consumer " + slot.getConsumer() + "  " + slot.getState() + " since "
                + Instant.ofEpochMilli(slot.getSinceMillis()) + ", generation " + slot.getGeneration();
        return line
                + (slot.getHost().isEmpty() ? "" : ", host " + slot.getHost())
                + (isInDoubt(slot) ? ", " + inDoubt(slot) + " in doubt" : "");
    }

    /** Whether something is that was sent to it. */
    public static boolean isInDoubt(ConsumerSlot slot) {
        return slot.getInDoubt() > 0 || slot.getInDoubtSplits() > 0;
    }

    /** What was sent to it and is in doubt. */
    public static String inDoubt(ConsumerSlot slot) {
        return known(
                slot.getInDoubt(), Counted.word(slot.getInDoubt(), " element", " elements"), slot.getInDoubtSplits());
    }

    private static String known(long elements, String unit, long uncountedSplits) {
        return String.format(Locale.ROOT, "%,d%s", elements, unit)
                + (uncountedSplits == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                " and those of %,d uncounted %s",
                                uncountedSplits,
                                Counted.word(uncountedSplits, "split", "splits")));
    }

    /** What became of the elements of each epoch that has begun, an epoch a line. */
    public List<String> ledger() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%5s  %15s  %12s  %12s  %12s  %s",
                "EPOCH",
                "SPLITS CLOSED",
                "ELEMENTS",
                "CONSUMED",
                "OWED",
                "EXCLUDED"));
        for (EpochProgress epoch : status.getProgress()) {
            Map<String, Long> excluded = excluded(epoch);
            lines.add(String.format(
                            Locale.ROOT,
                            "%5d  %15s  %12d  %12d  %12d  %s",
                            epoch.getEpoch(),
                            epoch.getSplitsClosed() + "/" + status.getSplits(),
                            epoch.getElements(),
                            epoch.getConsumed(),
                            owed(epoch),
                            excluded.entrySet().stream()
                                            .map(reason -> reason.getValue() + " " + reason.getKey())
                                            .collect(Collectors.joining(", "))
                                    + (epoch.getComplete() ? "" : " (open: splits not read yet are not counted)"))
                    .stripTrailing());
        }
        return lines;
    }

    private static long owed(EpochProgress epoch) {
        return epoch.getElements()
                - epoch.getConsumed()
                - excluded(epoch).values().stream().mapToLong(Long::longValue).sum();
    }

    private static Map<String, Long> excluded(EpochProgress epoch) {
        Map<String, Long> excluded = new LinkedHashMap<>();
        epoch.getExcluded()
                .forEach(exclusion -> excluded.merge(exclusion.getReason(), exclusion.getElements(), Long::sum));
        return excluded;
    }

    static String guarantee(JobStatus status) {
        return status.getGuarantee().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (status.getGuaranteeReasons().isEmpty()
                        ? ""
                        : ": " + String.join("; ", status.getGuaranteeReasons()));
    }

    /** Where the time went: a line per transformation, with its share of all processing time. */
    public static List<String> transformations(List<TransformationMetrics> metrics) {
        double allNanos =
                metrics.stream().mapToDouble(TransformationMetrics::getNanos).sum();
        List<String> lines = new ArrayList<>();
        for (TransformationMetrics one : metrics) {
            long elements = Math.max(1, one.getElements());
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-16s %-22s %5.1f %%  %10.1f us each  %10d elements  %10d bytes each",
                    one.getName(),
                    one.getKind(),
                    allNanos == 0 ? 0 : 100 * one.getNanos() / allNanos,
                    one.getNanos() / 1e3 / elements,
                    one.getElements(),
                    one.getBytes() / elements));
        }
        return lines;
    }

    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", status.getJob());
        object.put("state", status.getState().name());
        object.put("waitingFor", status.getWaitingFor());
        object.put("reason", status.getReason());
        object.put("guarantee", status.getGuarantee().name());
        object.put("guaranteeReasons", List.copyOf(status.getGuaranteeReasons()));
        object.put("notes", List.copyOf(status.getNotes()));
        object.put("pool", status.getPool());
        object.put("tenant", status.getTenant());
        object.put("pipeline", status.getPipelineName());
        object.put("digest", status.getPipelineDigest());
        object.put("splits", status.getSplits());
        object.put("epochs", status.getEpochs());
        object.put("consumers", status.getConsumers());
        object.put("slots", status.getSlots().stream().map(JobView::slot).toList());
        object.put(
                "inDoubt",
                status.getSlots().stream().mapToLong(ConsumerSlot::getInDoubt).sum());
        object.put(
                "attempts", status.getAttempts().stream().map(JobView::attempt).toList());
        object.put("seed", status.getSeed());
        object.put("elements", consumed());
        object.put("workers", workers());
        object.put("workersLocal", workers(true));
        object.put("workersRemote", workers(false));
        object.put("spent", status.getSpent().orElse(null));
        object.put("progress", status.getProgress().stream().map(JobView::epoch).toList());
        object.put(
                "transformations",
                status.getTransformations().stream()
                        .map(JobView::transformation)
                        .toList());
        object.put(
                "order",
                status.getOrder()
                        .map(OrderStateView::new)
                        .map(OrderStateView::object)
                        .orElse(null));
        object.put("cacheHits", status.getCacheHits());
        object.put("cache", status.getCache());
        object.put("badRecords", List.copyOf(status.getBadRecords()));
        object.put("submittedAtMillis", status.getSubmittedAtMillis());
        object.put("changedAtMillis", status.getChangedAtMillis());
        return object;
    }

    private static Map<String, Object> slot(ConsumerSlot slot) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("consumer", slot.getConsumer());
        object.put("state", slot.getState().name());
        object.put("generation", slot.getGeneration());
        object.put("host", slot.getHost());
        object.put("inDoubt", slot.getInDoubt());
        object.put("inDoubtSplits", slot.getInDoubtSplits());
        object.put("sinceMillis", slot.getSinceMillis());
        return object;
    }

    private static Map<String, Object> attempt(AttemptPlace place) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("epoch", place.getEpoch());
        object.put("attempt", place.getAttempt());
        object.put("worker", place.getWorker());
        object.put("host", place.getHost());
        object.put("local", place.getLocal());
        object.put("fenced", place.getFenced());
        return object;
    }

    private static Map<String, Object> epoch(EpochProgress epoch) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("epoch", epoch.getEpoch());
        object.put("elements", epoch.getElements());
        object.put("consumed", epoch.getConsumed());
        object.put("excluded", excluded(epoch));
        object.put("owed", owed(epoch));
        object.put("splitsClosed", epoch.getSplitsClosed());
        object.put("complete", epoch.getComplete());
        object.put("delivered", epoch.getDelivered());
        object.put("possiblyTwice", epoch.getPossiblyTwice());
        object.put("possiblyTwiceSplits", epoch.getPossiblyTwiceSplits());
        return object;
    }

    public static Map<String, Object> transformation(TransformationMetrics one) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", one.getName());
        object.put("kind", one.getKind());
        object.put("elements", one.getElements());
        object.put("bytes", one.getBytes());
        object.put("nanos", one.getNanos());
        return object;
    }
}
