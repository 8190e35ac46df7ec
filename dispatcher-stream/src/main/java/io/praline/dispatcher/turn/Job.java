package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.JobOutline;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.JobRow;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.ledger.epoch.AttemptRow;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.epoch.JobEpochs;
import io.praline.dispatcher.turn.progress.Attention;
import io.praline.dispatcher.turn.progress.Beats;
import io.praline.dispatcher.turn.progress.Blame;
import io.praline.dispatcher.turn.progress.HeardConsumers;
import io.praline.dispatcher.turn.progress.JobPolicies;
import io.praline.dispatcher.turn.progress.JobPolicy;
import io.praline.dispatcher.turn.progress.LastBeat;
import io.praline.dispatcher.turn.progress.Movement;
import io.praline.dispatcher.turn.progress.Unreachable;
import io.praline.dispatcher.turn.progress.course.Courses;
import io.praline.dispatcher.turn.progress.course.JobCache;
import io.praline.dispatcher.turn.progress.course.JobOrder;
import io.praline.policy.Target;
import io.praline.schema.PlanCompleted;
import io.praline.schema.Submit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

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
    private final Courses courses;
    private JobPolicies policies;
    private final JobEpochs epochs;

    private final Attention attention = new Attention();
    private final Blame blame = new Blame();
    private boolean consumersChanged;
    private final SortedMap<Integer, ConsumerRow> consumers;
    private final List<String> badRecords;
    private final HeardConsumers heard = new HeardConsumers();
    private final Beats beats = new Beats();
    private final SortedSet<Integer> changedConsumers = new TreeSet<>();
    private boolean changed;
    private Set<Job> unsaved = new LinkedHashSet<>();
    private Set<Job> tellers = new LinkedHashSet<>();
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
            Courses courses,
            JobPolicies policies,
            SortedMap<Integer, ConsumerRow> consumers,
            List<String> badRecords,
            EpochsOf epochs) {
        this.outline = outline;
        this.row = row;
        this.courses = courses;
        this.policies = policies;
        this.consumers = consumers;
        this.badRecords = new ArrayList<>(badRecords);
        this.epochs = new JobEpochs(epochs.tracked(tracked()));
        open().forEach(epoch -> epoch.attempts().keySet().forEach(attempt -> {
            attention.watch(epoch.epoch(), attempt);
            attention.hunger(epoch.epoch(), attempt);
        }));
    }

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

    /** What its attempts run; whoever changes it calls {@link #changed()}. */
    Courses courses() {
        return courses;
    }

    JobOrder order() {
        return courses.order();
    }

    JobCache cache() {
        return courses.cache();
    }

    void changed() {
        changed = true;
        unsaved.add(this);
    }

    /** Where it notes itself, from now on, when rows of it must be written, and when there is something to tell. */
    void notedIn(Set<Job> toSave, Set<Job> toTell) {
        unsaved = toSave;
        tellers = toTell;
        if (telling != Telling.NOTHING) {
            tellers.add(this);
        }
    }

    JobPolicy leading() {
        return policies.leading();
    }

    Optional<JobPolicy> shadow() {
        return policies.shadow();
    }

    /** The policy that only looks on is asked no more, whoever takes over. */
    void dropShadow() {
        policies = new JobPolicies(policies.leading(), Optional.empty());
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
        return policies.leading().state().wanted();
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

    /** The epochs that began, by number; changed by the methods below only. */
    SortedMap<Integer, EpochLedger> epochs() {
        return epochs.all();
    }

    /** Those of them that are not complete, or have attempts that are not closed. */
    List<EpochLedger> open() {
        return epochs.open();
    }

    /** Another one begins. */
    void begin(EpochLedger epoch) {
        epochs.begin(epoch);
    }

    /** It has ended: of its epochs only the counts are left. */
    void forgetEpochs(IntFunction<EpochLedger> counts) {
        open().forEach(epoch -> attention.forget(epoch.epoch()));
        epochs.end(counts);
    }

    /** What workers had open that consumers could not reach. */
    Blame blame() {
        return blame;
    }

    /** Whether a split of it is read alone. */
    boolean readsAlone() {
        return open().stream().anyMatch(epoch -> epoch.loneSplits().any());
    }

    /** Attempts that are not closed. */
    int attempts() {
        return open().stream().mapToInt(epoch -> epoch.attempts().size()).sum();
    }

    /** Which of its attempts must be looked at. */
    Attention attention() {
        return attention;
    }

    /** What a fenced attempt owes can go to others, though nothing happened but that time passed. */
    void fenceWaitsNoMore() {
        consumersChanged = true;
        tell(Telling.NOW);
    }

    /** Whether a consumer came, went or was settled since this was last asked. */
    boolean takeConsumersChanged() {
        boolean was = consumersChanged;
        consumersChanged = false;
        return was;
    }

    /** How many epochs it has. */
    int allEpochs() {
        return outline.epochs();
    }

    /** Whether the epoch is the last one. */
    boolean last(EpochLedger epoch) {
        return epoch.epoch() == allEpochs() - 1;
    }

    SortedMap<Integer, ConsumerRow> consumers() {
        return consumers;
    }

    /** A consumer's place; null where there is none. */
    ConsumerRow place(int consumer) {
        boolean expected = !consumers.containsKey(consumer) && consumer >= 0 && consumer < submit().getConsumers();
        return expected ? ConsumerRow.expected(consumer, row.submittedAt()) : consumers.get(consumer);
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

    void consumer(int consumer, ConsumerRow changedTo) {
        ConsumerRow before = consumers.put(consumer, changedTo);
        consumersChanged |= before == null || !before.standsLike(changedTo);
        changedConsumers.add(consumer);
        unsaved.add(this);
    }

    /** When its consumers were last heard, and which of them are known to have nothing. */
    HeardConsumers heard() {
        return heard;
    }

    List<String> badRecords() {
        return badRecords;
    }

    /** What beats said of an attempt. */
    LastBeat seen(int epoch, int attempt, Instant now) {
        return beats.of(epoch, attempt, now);
    }

    /** An attempt is closed. */
    void forget(int epoch, int attempt) {
        attention.forget(epoch, attempt);
        AttemptRow closed = epochs().get(epoch).attempts().get(attempt);
        cache().closed(beats.fromEntries(epoch, attempt, closed.taken()));
        beats.forget(epoch, attempt);
    }

    /** What beats said of its attempts. */
    Beats beats() {
        return beats;
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
            tellers.add(this);
        }
    }

    Instant told() {
        return told;
    }

    void told(Instant at) {
        told = at;
        telling = Telling.NOTHING;
        tellers.remove(this);
    }

    /** Writes what changed. */
    void save(Ledger ledger) {
        epochs.save();
        changedConsumers.forEach(consumer -> ledger.saveConsumer(id(), consumer, consumers.get(consumer)));
        changedConsumers.clear();
        courses.save(ledger, id());
        if (changed) {
            ledger.save(id(), row);
            changed = false;
        }
        if (policies.leading().changed() && !ended()) {
            ledger.saveKnown(id(), policies.leading().state());
        }
        policies.shadow()
                .filter(shadow -> shadow.changed() && !ended())
                .ifPresent(shadow -> ledger.saveShadow(id(), shadow.state()));
    }
}
