package io.praline.dispatcher.turn;

import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.EpochLedger;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.identity.AttemptKey;
import io.praline.policy.Target;
import io.praline.policy.splits.SplitOrder;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.PlanCompleted;
import io.praline.schema.Submit;
import io.praline.schema.TransformationMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A job as it is now: its rows, and what need not be remembered. Owned by the stream thread. */
final class Job {
    /** How soon its status must be told. */
    enum Telling {
        NOTHING,
        WITHIN_A_SECOND,
        NOW
    }

    private final String id;
    private final String pool;
    private final String requester;
    private Submit submit;
    private final JobRow row;
    private Policies policies;
    private Optional<PlanCompleted> plan;
    private final SortedMap<Integer, EpochLedger> epochs;
    private final SortedMap<Integer, ConsumerRow> consumers;
    private final List<String> badRecords;
    private final SortedMap<Integer, Instant> consumersHeard = new TreeMap<>();
    private final SortedMap<AttemptKey, LastBeat> seen = new TreeMap<>();
    private final SortedMap<String, TransformationMetrics> finishedMetrics = new TreeMap<>();
    private final List<String> metricOrder = new ArrayList<>();
    private final SortedSet<Integer> changedConsumers = new TreeSet<>();
    private boolean changed;
    private Optional<String> doom = Optional.empty();
    private Telling telling = Telling.NOTHING;
    private Instant told = Instant.EPOCH;
    private Instant clocked = Instant.EPOCH;
    private Optional<Instant> unlistedSince = Optional.empty();

    Job(
            JobRequest request,
            JobRow row,
            Policies policies,
            Optional<PlanCompleted> plan,
            SortedMap<Integer, ConsumerRow> consumers,
            List<String> badRecords,
            EpochsOf epochs) {
        this.id = request.getJob();
        this.pool = request.getPool();
        this.requester = request.getRequester();
        this.submit = (Submit) request.getBody();
        this.row = row;
        this.policies = policies;
        this.plan = plan;
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

    String id() {
        return id;
    }

    String pool() {
        return pool;
    }

    String requester() {
        return requester;
    }

    Submit submit() {
        return submit;
    }

    /** The graph is not needed any more. */
    void submit(Submit withoutGraph) {
        submit = withoutGraph;
    }

    /** Its header; whoever changes it calls {@link #changed()}. */
    JobRow row() {
        return row;
    }

    void changed() {
        changed = true;
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

    Optional<PlanCompleted> plan() {
        return plan;
    }

    void plan(PlanCompleted completed) {
        plan = Optional.of(completed);
    }

    /** What it promises: what its pipeline can keep, once that is known. */
    Guarantee guarantee() {
        return plan.map(PlanCompleted::getGuarantee).orElse(submit.getGuarantee());
    }

    /** Whether its elements carry tickets. */
    boolean tracked() {
        return guarantee() == Guarantee.EXACTLY_ONCE;
    }

    /** Whether only one task may run at a time. */
    boolean singleTask() {
        return plan.filter(PlanCompleted::getSingleTask).isPresent();
    }

    /** Splits in an epoch; 0 until it is planned. */
    long splits() {
        return plan.map(PlanCompleted::getSplits).orElse(0L);
    }

    SortedMap<Integer, EpochLedger> epochs() {
        return epochs;
    }

    /** How many epochs it has: those it asked for, each as often as its pipeline repeats itself. */
    int allEpochs() {
        long all =
                (long) submit.getEpochs() * plan.map(PlanCompleted::getEpochs).orElse(1);
        return (int) Math.min(Integer.MAX_VALUE, all);
    }

    /** Whether the epoch is the last one. */
    boolean last(EpochLedger epoch) {
        return epoch.epoch() == allEpochs() - 1;
    }

    SplitOrder order(int epoch) {
        return new SplitOrder(splits(), submit.getSeed(), epoch, singleTask());
    }

    SortedMap<Integer, ConsumerRow> consumers() {
        return consumers;
    }

    void consumer(int consumer, ConsumerRow changedTo) {
        consumers.put(consumer, changedTo);
        changedConsumers.add(consumer);
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
        return seen.computeIfAbsent(new AttemptKey(id, epoch, attempt), none -> new LastBeat(now));
    }

    /** An attempt is closed: its times are added to those of the ones before. */
    void forget(int epoch, int attempt) {
        LastBeat last = seen.remove(new AttemptKey(id, epoch, attempt));
        if (last != null) {
            for (TransformationMetrics one : last.metrics()) {
                noteOrder(one);
                finishedMetrics.merge(one.getName(), one, Job::sum);
            }
        }
    }

    /** Where the time went, over all attempts, in the order in which transformations were first reported. */
    List<TransformationMetrics> metrics() {
        Map<String, TransformationMetrics> sums = new TreeMap<>(finishedMetrics);
        for (LastBeat one : seen.values()) {
            for (TransformationMetrics metrics : one.metrics()) {
                noteOrder(metrics);
                sums.merge(metrics.getName(), metrics, Job::sum);
            }
        }
        return metricOrder.stream().filter(sums::containsKey).map(sums::get).toList();
    }

    private void noteOrder(TransformationMetrics metrics) {
        if (!metricOrder.contains(metrics.getName())) {
            metricOrder.add(metrics.getName());
        }
    }

    private static TransformationMetrics sum(TransformationMetrics one, TransformationMetrics two) {
        return TransformationMetrics.newBuilder()
                .setName(one.getName())
                .setKind(one.getKind())
                .setElements(one.getElements() + two.getElements())
                .setBytes(one.getBytes() + two.getBytes())
                .setNanos(one.getNanos() + two.getNanos())
                .build();
    }

    /** Since when its planner's beats do not list it any more; empty where they do. */
    Optional<Instant> unlistedSince() {
        return unlistedSince;
    }

    void unlistedSince(Optional<Instant> since) {
        unlistedSince = since;
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
        changedConsumers.forEach(consumer -> ledger.saveConsumer(id, consumer, consumers.get(consumer)));
        changedConsumers.clear();
        if (changed) {
            ledger.save(id, row);
            changed = false;
        }
        boolean learned = policies.leading.changed();
        if (learned && !ended()) {
            ledger.saveKnown(id, policies.leading.state());
        }
        policies.shadow
                .filter(shadow -> shadow.changed() && !ended())
                .ifPresent(shadow -> ledger.saveShadow(id, shadow.state()));
    }
}
