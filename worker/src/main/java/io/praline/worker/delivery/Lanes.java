package io.praline.worker.delivery;

import io.praline.identity.AttemptKey;
import io.praline.topics.Agreements;
import io.praline.wire.HelloFrame;
import io.praline.wire.RefusalCode;
import io.praline.wire.RefusedFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The lanes of an outbox, one for the newest generation of each consumer, as {@link Membership}s and HELLOs tell of them:
 *
 * <pre>
 *   older than the lane       nothing; a HELLO is refused
 *   the lane's                not there: it closes; there: one that waited for its consumer opens; a HELLO to a closed one is refused
 *   newer, or no lane yet     the older one closes; a new one, which opens if the consumer is there, as with a HELLO it is
 * </pre>
 *
 * <p>What was never sent on a lane that closes goes on another, and while none is open it waits here. Where the attempt has
 * ended the others have their END, and it is told instead. What was sent is told as that. Batches to be released are given to
 * the caller, who does it outside the outbox's lock, by which all of this is guarded.
 */
final class Lanes {
    private final AttemptKey attempt;
    private final long capacityBytes;
    private final NavigableMap<Integer, Lane> newest = new TreeMap<>();
    private final Deque<HeldBatch> homeless = new ArrayDeque<>();
    private List<LaneClosed> closed = new ArrayList<>();
    private List<Lane> open = List.of();
    private long shareBytes;
    private int leastBatches;
    private int membership;
    private int turn;

    Lanes(AttemptKey attempt, long capacityBytes) {
        this.attempt = attempt;
        this.capacityBytes = capacityBytes;
    }

    /** The newest membership that was taken. */
    int membership() {
        return membership;
    }

    /** Those on which batches go, by consumer. */
    List<Lane> open() {
        return open;
    }

    /** The lane of this connection; empty where another took its place, or it closed. */
    Optional<Lane> of(int consumer, Connection connection) {
        return Optional.ofNullable(newest.get(consumer))
                .filter(lane -> lane.connection().filter(connection::equals).isPresent());
    }

    /**
     * Consumers came or went.
     *
     * @param ended whether no batch may go to another lane any more
     */
    List<HeldBatch> serve(Membership told, boolean ended) {
        List<HeldBatch> released = new ArrayList<>();
        if (told.number() >= membership) {
            membership = told.number();
            told.places().forEach(place -> released.addAll(follow(place, ended)));
            share();
        }
        return released;
    }

    private List<HeldBatch> follow(Membership.Place place, boolean ended) {
        Lane lane = newest.get(place.consumer());
        if (lane != null && place.generation() < lane.generation()) {
            return List.of();
        }
        if (lane != null && place.generation() == lane.generation()) {
            if (place.open()) {
                lane.open();
                return List.of();
            }
            return lane.isOpen() ? close(lane, closedText(lane), ended) : List.of();
        }
        return replace(place, ended);
    }

    /** Begins a lane in place of the older one, which closes. */
    private List<HeldBatch> replace(Membership.Place place, boolean ended) {
        Lane older = newest.get(place.consumer());
        long least = open.stream().mapToLong(Lane::givenBytes).min().orElse(0);
        Lane lane = new Lane(place.consumer(), place.generation(), least);
        newest.put(place.consumer(), lane);
        List<HeldBatch> released = older == null || older.isClosed()
                ? List.of()
                : close(older, newerText(lane, older.generation()), ended);
        if (place.open()) {
            lane.open();
        } else if (older != null) { // a generation behind another was there, or there would be none: it has gone again
            close(lane, closedText(lane), ended);
        }
        return released;
    }

    private List<HeldBatch> close(Lane lane, String why, boolean ended) {
        lane.connection().ifPresent(connection -> connection.refuse(new RefusedFrame(RefusalCode.STALE, why)));
        Lane.Left left = lane.close();
        List<HeldBatch> released = new ArrayList<>(left.sent());
        TicketTrail unsent = new TicketTrail();
        if (ended) {
            left.unsent().forEach(batch -> unsent.add(batch.sequence(), batch.tickets()));
            released.addAll(left.unsent());
        } else {
            homeless.addAll(left.unsent());
        }
        closed.add(
                new LaneClosed(lane.consumer(), lane.generation(), left.trail().all(), unsent.all()));
        return released;
    }

    private String newerText(Lane newer, int older) {
        return "consumer " + newer.consumer() + " of job " + attempt.job() + " is in generation " + newer.generation()
                + ", the client in " + older + ": another process took its place";
    }

    private String closedText(Lane lane) {
        return "generation " + lane.generation() + " of consumer " + lane.consumer() + " of job " + attempt.job()
                + " is over: it left, was given up, or another process takes its place";
    }

    /** Lanes opened or closed: what each may hold follows, and what has no lane goes to those that are open. */
    private void share() {
        open = newest.values().stream().filter(Lane::isOpen).toList();
        shareBytes = open.isEmpty() ? 0 : capacityBytes / open.size();
        leastBatches = open.size() == 1 ? 2 : 1;
        while (!open.isEmpty() && !homeless.isEmpty()) {
            HeldBatch batch = homeless.remove();
            best(open.stream(), batch.weightBytes()).orElseThrow().add(batch);
        }
    }

    /** Whether there never was another than the first process of one consumer. */
    boolean areOfOne() {
        return newest.size() == 1
                && newest.firstEntry().getValue().generation()
                        == newest.firstEntry().getKey();
    }

    /** Whether batches wait for a lane to open. */
    boolean anyHomeless() {
        return !homeless.isEmpty();
    }

    /** The lane that has room for a batch and is the first to have it sent. */
    Optional<Lane> choose(long weightBytes) {
        Predicate<Lane> hasRoom =
                lane -> lane.heldBytes() + weightBytes <= shareBytes || lane.heldBatches() < leastBatches;
        return best(open.stream().filter(hasRoom), weightBytes);
    }

    /** The lane that a batch would go to that is only made: the one that has room, or is to have it first. */
    Optional<Lane> likely(long bytes) {
        return choose(bytes).or(() -> best(open.stream(), bytes));
    }

    private Optional<Lane> best(Stream<Lane> among, long weightBytes) {
        int numbers = newest.lastKey() + 1;
        Comparator<Lane> byTurn = Comparator.comparingInt(lane -> Math.floorMod(lane.consumer() - turn, numbers));
        // who has not come to this worker yet has no credit to go by, and is to find its part when it does
        boolean allCame = open.stream().allMatch(Lane::wasAttached);
        Comparator<Lane> first = allCame ? byCredit(weightBytes) : byPart();
        return among.min(first.thenComparingLong(Lane::waitingBytes).thenComparing(byTurn));
    }

    private static Comparator<Lane> byCredit(long weightBytes) {
        Comparator<Lane> byConnection = Comparator.comparingInt(
                lane -> lane.connection().isEmpty() ? 2 : lane.creditLeftBytes() >= weightBytes ? 0 : 1);
        return byConnection.thenComparingLong(
                lane -> -Math.max(lane.connection().isEmpty() ? 0 : lane.creditLeftBytes() - weightBytes, 0));
    }

    private static Comparator<Lane> byPart() {
        Comparator<Lane> lostLast = Comparator.comparing(
                lane -> lane.wasAttached() && lane.connection().isEmpty());
        return lostLast.thenComparingLong(Lane::givenBytes);
    }

    /** Puts a batch into the lane that was chosen for it. */
    Placed add(Lane lane, HeldBatch batch) {
        lane.add(batch);
        turn = lane.consumer() + 1;
        return new Placed(lane.consumer(), batch.sequence());
    }

    /** Why a HELLO gets no lane; empty where it does. */
    Optional<RefusedFrame> refusal(HelloFrame hello) {
        if (hello.consumer() >= Agreements.MOST_CONSUMERS) {
            return Optional.of(new RefusedFrame(
                    RefusalCode.UNKNOWN_CONSUMER,
                    "a job has at most " + Agreements.MOST_CONSUMERS + " consumers, not one numbered "
                            + hello.consumer()));
        }
        Optional<Lane> lane = Optional.ofNullable(newest.get(hello.consumer()));
        if (lane.filter(newer -> newer.generation() > hello.generation()).isPresent()) {
            return Optional.of(new RefusedFrame(RefusalCode.STALE, newerText(lane.orElseThrow(), hello.generation())));
        }
        Optional<Lane> its = lane.filter(same -> same.generation() == hello.generation());
        if (its.filter(Lane::isClosed).isPresent()) {
            return Optional.of(new RefusedFrame(RefusalCode.STALE, closedText(its.orElseThrow())));
        }
        long received = hello.receivedThrough();
        if (!its.map(resumed -> resumed.canResumeAfter(received)).orElse(received == -1)) {
            return Optional.of(new RefusedFrame(
                    RefusalCode.OUT_OF_STEP,
                    "attempt " + attempt + " cannot go on behind batch " + received + " for consumer "
                            + hello.consumer()));
        }
        return Optional.empty();
    }

    /**
     * Gives the lane to who says a HELLO that is not refused.
     *
     * @param ended whether no batch may go to another lane any more
     */
    List<HeldBatch> attach(HelloFrame hello, Connection connection, boolean ended) {
        List<HeldBatch> released =
                new ArrayList<>(follow(new Membership.Place(hello.consumer(), hello.generation(), true), ended));
        share();
        Lane lane = newest.get(hello.consumer());
        lane.connection()
                .ifPresent(older -> older.refuse(new RefusedFrame(
                        RefusalCode.REPLACED, "a newer channel took the place of consumer " + hello.consumer())));
        released.addAll(lane.attach(
                connection, hello.receivedThrough(), hello.windowBytes(), hello.heldBytes(), hello.heldBatches()));
        return released;
    }

    /** Bytes that are held: waiting, or sent and not yet known to be received. */
    long heldBytes() {
        return open.stream().mapToLong(Lane::heldBytes).sum()
                + homeless.stream().mapToLong(HeldBatch::weightBytes).sum();
    }

    /** Lanes that closed since this was asked last. */
    List<LaneClosed> takeClosed() {
        List<LaneClosed> taken = closed;
        closed = new ArrayList<>();
        return taken;
    }

    /** Bytes that it takes to remember what was sent, about. */
    long trailBytes() {
        return newest.values().stream().mapToLong(Lane::trailBytes).sum()
                + closed.stream()
                        .mapToLong(lane ->
                                lane.sent().getLongSizeInBytes() + lane.unsent().getLongSizeInBytes())
                        .sum();
    }

    /** Nobody will ask any more what was sent. */
    void forgetSent() {
        closed = new ArrayList<>();
        newest.values().forEach(Lane::forgetSent);
    }

    /** Empties all; the connections are told why. */
    List<HeldBatch> clear(RefusedFrame reason) {
        List<HeldBatch> released = new ArrayList<>(homeless);
        homeless.clear();
        for (Lane lane : newest.values()) {
            released.addAll(lane.clear());
            lane.connection().ifPresent(connection -> connection.refuse(reason));
        }
        return released;
    }
}
