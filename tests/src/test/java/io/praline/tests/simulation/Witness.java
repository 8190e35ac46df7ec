package io.praline.tests.simulation;

import io.praline.identity.Ticket;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Knows which loop was given which element when, and what the ledger says of it; finds what must not be. */
final class Witness {
    /** How long a loop may be given batches while it cannot know that another has its place: the lease, and what is told late. */
    private static final long FORMER_NANOS = 45_000_000_000L;

    /** What a status says is known everywhere after so long. */
    private static final long KNOWN_NANOS = 5_000_000_000L;

    /** Seconds by which a job's patience may be over before all of them are told of: clocks of brokers are set. */
    private static final int A_WHILE = 8;

    /** So many attempts that break fail a job. */
    private static final int BROKEN = 4;

    private final World world;
    private final Setting.Data data;
    private final PretendedGraph.Shape shape;
    private final String job;
    private final String pool;
    private final int untolerated;
    private final int patience;
    private final Map<Element, List<TrainerProcess>> handOuts = new HashMap<>();
    private final Map<Integer, Long> twice = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    /** By consumer: when its place was known to be held last. */
    private final Map<Integer, Long> here = new HashMap<>();
    /** By consumer: which process has its place, and since when, as the statuses say. */
    private final Map<Integer, Holder> holders = new HashMap<>();
    /** Processes whose stream's end was decided while others had places, and may give something back behind it. */
    private final Set<String> finishedBesideOthers = new HashSet<>();

    /** Processes that somebody says are dead, or will not be waited for: what they have may be given again at once. */
    private final Set<String> writtenOff = new HashSet<>();

    private Optional<JobStatus> status = Optional.empty();
    private Optional<Long> aloneSince = Optional.empty();
    private boolean cancelled;
    private boolean abandoned;
    private long endedAt;

    private record Element(int epoch, long ticket) {}

    private record Holder(String incarnation, long sinceNanos) {}

    /**
     * @param untolerated how many of its bad records are more than it tolerates
     * @param patience seconds for which it waits for a consumer
     */
    Witness(
            World world,
            Setting.Data data,
            PretendedGraph.Shape shape,
            String job,
            String pool,
            int untolerated,
            int patience) {
        this.patience = patience;
        this.pool = pool;
        this.untolerated = untolerated;
        this.world = world;
        this.data = data;
        this.shape = shape;
        this.job = job;
    }

    List<String> violations() {
        return violations;
    }

    void violated(String what) {
        violations.add("at %.3f s: %s: %s".formatted(world.nanos() / 1e9 - 1_000, job, what));
    }

    Optional<JobStatus> status() {
        return status;
    }

    boolean isFinal() {
        return status.filter(known -> known.getState() == JobState.COMPLETED
                        || known.getState() == JobState.FAILED
                        || known.getState() == JobState.CANCELLED)
                .isPresent();
    }

    /** The dispatcher committed this status of it. */
    void told(JobStatus newest) {
        status.ifPresent(before -> {
            for (int i = 0; i < before.getProgress().size(); i++) {
                EpochProgress was = before.getProgress().get(i);
                EpochProgress is = newest.getProgress().get(i);
                if (was.getConsumed() > is.getConsumed() || (was.getComplete() && !is.getComplete())) {
                    violated("the ledger takes back what was consumed: " + was + ", then " + is);
                }
            }
        });
        boolean wasFinal = isFinal();
        status = Optional.of(newest);
        if (!wasFinal) {
            // who is finished is given nothing that others give back
            boolean alone = newest.getSlots().stream()
                    .noneMatch(slot -> slot.getState() == ConsumerState.HERE
                            && !slot.getFinished().orElse(false));
            aloneSince = alone ? aloneSince.or(() -> Optional.of(world.nanos())) : Optional.empty();
            endedAt = world.nanos();
        }
        for (ConsumerSlot slot : newest.getSlots()) {
            if (slot.getState() == ConsumerState.HERE) {
                here.put(slot.getConsumer(), world.nanos());
            }
            if (slot.getFinished().orElse(false) && isShared(slot.getConsumer())) {
                finishedBesideOthers.add(slot.getIncarnation());
            }
            if (!slot.getIncarnation().isEmpty()) {
                holders.compute(
                        slot.getConsumer(),
                        (consumer, was) -> was != null && was.incarnation().equals(slot.getIncarnation())
                                ? was
                                : new Holder(slot.getIncarnation(), world.nanos()));
            }
        }
    }

    private boolean mayTrain(TrainerProcess other) {
        return other.mayStillTrain() && other.holdsPlace() && !writtenOff.contains(other.incarnation());
    }

    /** Nobody waits for this process any more, on somebody's word. */
    void writtenOff(TrainerProcess process) {
        writtenOff.add(process.incarnation());
    }

    /** Somebody has cancelled it. */
    void cancelled() {
        cancelled = true;
    }

    /** Nobody trains on it any more, and nobody will. */
    void abandoned() {
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    /** Whether it failed since nobody trained on it for so long, which is so. */
    private boolean waitedInVain(JobStatus last) {
        return last.getState() == JobState.FAILED
                && last.getReason().contains("o consumer")
                && last.getReason().contains(" came within " + patience + " s")
                && aloneSince
                        .filter(since -> endedAt - since > (patience - A_WHILE) * 1_000_000_000L)
                        .isPresent();
    }

    /** A loop is given these elements. */
    void handedOut(TrainerProcess loop, int epoch, long[] tickets) {
        for (long ticket : tickets) {
            if (ticket < 0
                    || Ticket.ordinal(ticket) >= data.splits()
                    || Ticket.record(ticket) >= data.records((int) Ticket.ordinal(ticket))
                    || !shape.keeps(ticket)
                    || epoch >= data.epochs()) {
                violated(loop + " is given what is none of the job's elements: " + epoch + ":" + words(ticket));
            }
            List<TrainerProcess> its = handOuts.computeIfAbsent(new Element(epoch, ticket), none -> new ArrayList<>());
            if (!its.isEmpty()) {
                twice.merge(epoch, 1L, Long::sum);
            }
            if (its.contains(loop) && shape.tracked()) {
                violated(loop + " is given " + epoch + ":" + words(ticket) + " twice");
            }
            its.stream()
                    .filter(other -> shape.tracked() && other != loop && mayTrain(other))
                    .forEach(other -> violated(loop + " is given " + epoch + ":" + words(ticket) + ", which " + other
                            + " has, and may hand out batches still"));
            its.add(loop);
        }
        Optional.ofNullable(holders.get(loop.consumer()))
                .filter(holder -> !holder.incarnation().equals(loop.incarnation()))
                .filter(holder -> world.nanos() - holder.sinceNanos() > FORMER_NANOS)
                .ifPresent(holder ->
                        violated(loop + " is given batches " + (world.nanos() - holder.sinceNanos()) / 1_000_000_000L
                                + " s after another came into its place"));
    }

    /** A loop that leaves in order did not train on what it holds. */
    void unfinished(TrainerProcess loop, int epoch, long[] tickets) {
        for (long ticket : tickets) {
            List<TrainerProcess> its = handOuts.getOrDefault(new Element(epoch, ticket), List.of());
            if (its.removeIf(one -> one == loop) && !its.isEmpty()) {
                twice.merge(epoch, -1L, Long::sum);
            }
        }
    }

    /** A loop is told that nothing follows: then what it was not given is with others, as far as anybody can know. */
    void toldOver(TrainerProcess loop) {
        if (cancelled || isShared(loop.consumer()) || finishedBesideOthers.contains(loop.incarnation())) {
            return;
        }
        long missing = missing().size();
        if (missing > bad()) {
            violated(loop + " is told that nothing follows, and " + missing + " elements were given to nobody: "
                    + some(missing()));
        }
    }

    /** Whether others hold places too, or did just now. */
    private boolean isShared(int consumer) {
        return here.entrySet().stream()
                .anyMatch(other -> other.getKey() != consumer && world.nanos() - other.getValue() < KNOWN_NANOS);
    }

    private Set<Element> missing() {
        Set<Element> missing = new HashSet<>();
        for (int epoch = 0; epoch < data.epochs(); epoch++) {
            for (int split = 0; split < data.splits(); split++) {
                for (int record = 0; record < data.records(split); record++) {
                    long ticket = Ticket.of(split, record);
                    Element element = new Element(epoch, ticket);
                    if (shape.keeps(ticket)
                            && handOuts.getOrDefault(element, List.of()).isEmpty()) {
                        missing.add(element);
                    }
                }
            }
        }
        return missing;
    }

    /** Elements that the accounts have as bad. */
    private long bad() {
        return status.stream()
                .flatMap(known -> known.getProgress().stream())
                .mapToLong(Witness::bad)
                .sum();
    }

    private static long bad(EpochProgress epoch) {
        return epoch.getExcluded().stream()
                .filter(one -> one.getReason().equals("bad"))
                .mapToLong(Exclusion::getElements)
                .sum();
    }

    /**
     * The job has ended, and no fault is left.
     *
     * @param tolerated how many elements may be left out as bad beside those that are
     * @param stuck how many attempts were told to be stuck, and were
     */
    void ended(int tolerated, int stuck) {
        JobStatus last = status.orElseThrow();
        boolean broke = last.getState() == JobState.FAILED
                && stuck >= BROKEN
                && last.getReason().contains("it is stuck");
        if (broke || waitedInVain(last)) {
            return;
        }
        if (cancelled && last.getState() == JobState.CANCELLED) {
            return;
        }
        if (untolerated > 0
                && last.getState() == JobState.FAILED
                && last.getReason().contains("cannot be processed")) {
            return;
        }
        if (last.getState() != JobState.COMPLETED || untolerated > 0) {
            violated("the job is " + last.getState() + ": " + last.getReason());
            return;
        }
        Set<Element> missing = missing();
        long taken = bad() - (long) shape.bad().size() * data.epochs();
        if (missing.size() > taken || taken > tolerated) {
            violated(missing.size() + " elements were given to no loop, and " + bad() + " are told to be bad: "
                    + some(missing));
        }
        for (EpochProgress epoch : last.getProgress()) {
            long real = twice.getOrDefault(epoch.getEpoch(), 0L);
            if (!shape.tracked()) {
                continue; // elements may come again, and are not counted
            }
            if (real > epoch.getPossiblyTwice()) {
                violated(real + " elements of epoch " + epoch.getEpoch() + " were given twice, and "
                        + epoch.getPossiblyTwice() + " are on record");
            }
            long excluded = epoch.getExcluded().stream()
                    .mapToLong(one -> one.getElements())
                    .sum();
            if (bad(epoch) < shape.bad().size()) {
                violated("of epoch " + epoch.getEpoch() + " " + bad(epoch) + " elements are told to be bad, and "
                        + shape.bad().size() + " are");
            }
            if (epoch.getConsumed() + excluded != epoch.getElements() || epoch.getElements() != data.elements()) {
                violated("the accounts of epoch " + epoch.getEpoch() + " do not add up: " + epoch);
            }
        }
    }

    long twice() {
        return twice.values().stream().mapToLong(Long::longValue).sum();
    }

    long onRecord() {
        return status.stream()
                .flatMap(last -> last.getProgress().stream())
                .mapToLong(EpochProgress::getPossiblyTwice)
                .sum();
    }

    private static String some(Set<Element> elements) {
        return elements.stream()
                .map(element -> element.epoch() + ":" + words(element.ticket()))
                .sorted()
                .limit(8)
                .collect(Collectors.joining(" "));
    }

    private static String words(long ticket) {
        return Ticket.ordinal(ticket) + "/" + Ticket.record(ticket);
    }

    String job() {
        return job;
    }

    /** Where it is. */
    String pool() {
        return pool;
    }
}
