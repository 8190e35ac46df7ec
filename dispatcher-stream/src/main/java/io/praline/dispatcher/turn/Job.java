package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.JobOutline;
import io.praline.dispatcher.convert.StatusWriter;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.turn.progress.JobPolicy;
import io.praline.dispatcher.turn.progress.LastBeat;
import io.praline.dispatcher.turn.progress.Movement;
import io.praline.dispatcher.turn.progress.Unreachable;
import io.praline.identity.AttemptKey;
import io.praline.policy.Target;
import io.praline.policy.splits.SplitOrder;
import io.praline.schema.JobStatus;
import io.praline.schema.PlanCompleted;
import io.praline.schema.Submit;
import io.praline.schema.TransformationMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A job as it is now: its rows, and what need not be remembered. Owned by the stream thread. */
final class Job {
    /** How soon its status must be told. */
    enum Telling {
        NOTHING,
        WITHIN_A_SECOND,
        NOW
    }

    private JobOutline outline;
    private final JobRow row;
    private Policies policies;
    private final SortedMap<Integer, EpochLedger> epochs;
    private final SortedMap<Integer, ConsumerRow> consumers;
    private final List<String> badRecords;
    private final SortedMap<Integer, Instant> consumersHeard = new TreeMap<>();
    private final SortedMap<Integer, Long> consumersBeats = new TreeMap<>();
    private final SortedMap<AttemptKey, LastBeat> seen = new TreeMap<>();
    private final SortedMap<String, TransformationMetrics> finishedMetrics = new TreeMap<>();
    private final List<String> metricOrder = new ArrayList<>();
    private final SortedSet<Integer> changedConsumers = new TreeSet<>();
    private boolean changed;
    private Set<Job> unsaved = new LinkedHashSet<>();
    private Optional<String> doom = Optional.empty();
    private Telling telling = Telling.NOTHING;
    private Instant told = Instant.EPOCH;
    private Instant clocked = Instant.EPOCH;
    private Optional<Instant> unlistedSince = Optional.empty();
    private final Movement movement = new Movement();
    private final Unreachable unreachable = new Unreachable();

    Job(
            JobOutline outline,
            JobRow row,
            Policies policies,
            SortedMap<Integer, ConsumerRow> consumers,
            List<String> badRecords,
            EpochsOf epochs) {
        this.outline = outline;
        this.row = row;
        this.policies = policies;
        this.consumers = consumers;
        this.badRecords = new ArrayList<>(badRecords);
        this.epochs = epochs.tracked(tracked());
    }

    /**
     * Who decides how many workers it has.
     *
     * @param leading what it decides is done
     * @param shadow sees the same, and what it decides is only written down
     */
    record Policies(JobPolicy leading, Optional<JobPolicy> shadow) {}

    /** The epochs that began, once it is known whether elements are tracked. */
    interface EpochsOf {
        SortedMap<Integer, EpochLedger> tracked(boolean tracked);
    }

    /** What it was asked to be, and how its plan turned out. */
    JobOutline outline() {
        return outline;
    }

    String id() {
        return outline.id();
    }

    String pool() {
        return outline.pool();
    }

    Submit submit() {
        return outline.submit();
    }

    /** The graph is not needed any more. */
    void forgetGraph() {
        outline = outline.withoutGraph();
    }

    /** Its header; whoever changes it calls {@link #changed()}. */
    JobRow row() {
        return row;
    }

    void changed() {
        changed = true;
        unsaved.add(this);
    }

    /** Where it notes itself when rows of it must be written, from now on. */
    void unsavedIn(Set<Job> jobs) {
        unsaved = jobs;
    }

    JobPolicy leading() {
        return policies.leading;
    }

    Optional<JobPolicy> shadow() {
        return policies.shadow;
    }

    /** The policy that only looks on is asked no more, whoever takes over. */
    void dropShadow() {
        policies = new Policies(policies.leading, Optional.empty());
        row.dropShadow();
        changed();
    }

    /** Why it must fail, as soon as whatever is going on is over; empty where nothing is wrong. */
    Optional<String> doom() {
        return doom;
    }

    void doom(String reason) {
        doom = Optional.of(reason);
    }

    /** Workers that its policy wants. */
    Target wanted() {
        return policies.leading.state().wanted();
    }

    /** When time that passed was last shown to its policies. */
    Instant clocked() {
        return clocked;
    }

    void clocked(Instant at) {
        clocked = at;
    }

    boolean ended() {
        return row.standing().ended();
    }

    boolean planned() {
        return row.planning().complete();
    }

    void plan(PlanCompleted completed) {
        outline = outline.planned(completed);
    }

    /** Whether its elements carry tickets. */
    boolean tracked() {
        return outline.tracked();
    }

    /** Whether only one task may run at a time. */
    boolean singleTask() {
        return outline.singleTask();
    }

    /** Splits in an epoch; 0 until it is planned. */
    long splits() {
        return outline.splits();
    }

    SortedMap<Integer, EpochLedger> epochs() {
        return epochs;
    }

    /** How many epochs it has. */
    int allEpochs() {
        return outline.epochs();
    }

    /** Whether the epoch is the last one. */
    boolean last(EpochLedger epoch) {
        return epoch.epoch() == allEpochs() - 1;
    }

    SplitOrder order(int epoch) {
        return new SplitOrder(splits(), submit().getSeed(), epoch, singleTask());
    }

    SortedMap<Integer, ConsumerRow> consumers() {
        return consumers;
    }

    /** A consumer's place; null where there is none. */
    ConsumerRow place(int consumer) {
        ConsumerRow known = consumers.get(consumer);
        boolean expected = known == null && consumer >= 0 && consumer < submit().getConsumers();
        return expected ? ConsumerRow.expected(consumer, row.submittedAt()) : known;
    }

    /** The consumers' places, by number, those too that nobody has taken. */
    SortedMap<Integer, ConsumerRow> places() {
        SortedMap<Integer, ConsumerRow> places = new TreeMap<>(consumers);
        for (int consumer = 0; consumer < submit().getConsumers(); consumer++) {
            places.computeIfAbsent(consumer, this::place);
        }
        return places;
    }

    /** A generation for one of its consumers. */
    int mintGeneration() {
        changed();
        return row.mintGeneration(submit().getConsumers());
    }

    /** The newest beat of each consumer's process. In memory only: the next beat says it again. */
    SortedMap<Integer, Long> consumersBeats() {
        return consumersBeats;
    }

    void consumer(int consumer, ConsumerRow changedTo) {
        consumers.put(consumer, changedTo);
        changedConsumers.add(consumer);
        unsaved.add(this);
    }

    /** Log time at which each consumer was last heard of, since this dispatcher took over. */
    SortedMap<Integer, Instant> consumersHeard() {
        return consumersHeard;
    }

    List<String> badRecords() {
        return badRecords;
    }

    /** What beats said of an attempt. */
    LastBeat seen(int epoch, int attempt, Instant now) {
        return seen.computeIfAbsent(new AttemptKey(id(), epoch, attempt), none -> new LastBeat(now));
    }

    /** An attempt is closed: its times are added to those of the ones before. */
    void forget(int epoch, int attempt) {
        LastBeat last = seen.remove(new AttemptKey(id(), epoch, attempt));
        if (last != null) {
            for (TransformationMetrics one : last.metrics()) {
                noteOrder(one);
                finishedMetrics.merge(one.getName(), one, StatusWriter::sum);
            }
        }
    }

    /** Where the time went, over all attempts, in the order in which transformations were first reported. */
    List<TransformationMetrics> metrics() {
        Map<String, TransformationMetrics> sums = new TreeMap<>(finishedMetrics);
        for (LastBeat one : seen.values()) {
            for (TransformationMetrics metrics : one.metrics()) {
                noteOrder(metrics);
                sums.merge(metrics.getName(), metrics, StatusWriter::sum);
            }
        }
        return metricOrder.stream().filter(sums::containsKey).map(sums::get).toList();
    }

    private void noteOrder(TransformationMetrics metrics) {
        if (!metricOrder.contains(metrics.getName())) {
            metricOrder.add(metrics.getName());
        }
    }

    /** All that is public about it. */
    JobStatus status(Duration lease, Instant at) {
        Set<Integer> delivered = epochs.values().stream()
                .filter(epoch -> Epochs.delivered(this, epoch))
                .map(EpochLedger::epoch)
                .collect(Collectors.toSet());
        SortedMap<Integer, Long> doubts = new TreeMap<>();
        consumers.forEach((consumer, place) -> {
            if (!place.doubtful().isEmpty() && tracked() && !ended()) {
                doubts.put(consumer, Consumers.inDoubt(this, place));
            }
        });
        return StatusWriter.status(
                outline,
                new StatusWriter.Accounts(
                        row,
                        epochs,
                        new StatusWriter.Places(places(), consumersBeats, doubts, lease),
                        delivered,
                        badRecords,
                        metrics()),
                at);
    }

    /** Since when its planner's beats do not list it any more; empty where they do. */
    Optional<Instant> unlistedSince() {
        return unlistedSince;
    }

    void unlistedSince(Optional<Instant> since) {
        unlistedSince = since;
    }

    /** Whether anything of it moves. */
    Movement movement() {
        return movement;
    }

    /** Workers that its consumers cannot reach. */
    Unreachable unreachable() {
        return unreachable;
    }

    Telling telling() {
        return telling;
    }

    void tell(Telling soon) {
        if (soon.compareTo(telling) > 0) {
            telling = soon;
        }
    }

    Instant told() {
        return told;
    }

    void told(Instant at) {
        told = at;
        telling = Telling.NOTHING;
    }

    /** Writes what changed. */
    void save(Ledger ledger) {
        epochs.values().forEach(EpochLedger::save);
        changedConsumers.forEach(consumer -> ledger.saveConsumer(id(), consumer, consumers.get(consumer)));
        changedConsumers.clear();
        if (changed) {
            ledger.save(id(), row);
            changed = false;
        }
        boolean learned = policies.leading.changed();
        if (learned && !ended()) {
            ledger.saveKnown(id(), policies.leading.state());
        }
        policies.shadow
                .filter(shadow -> shadow.changed() && !ended())
                .ifPresent(shadow -> ledger.saveShadow(id(), shadow.state()));
    }
}
