package io.praline.dispatcher.ledger.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.MapRows;
import io.praline.dispatcher.ledger.row.Place;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.policy.splits.SplitOrder;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.roaringbitmap.RoaringBitmap;

/**
 * The protocol's invariants in one place. The model is a map from each element to where it is; the ledger is moved by
 * the same random steps, some of them late, doubled or stale, is written and read back now and then, and must agree:
 *
 * <pre>
 *   a  each element is in exactly one of unassigned, owed(attempt), claimed(consumer), consumed, excluded
 *   b  after a fence what is claimed stays claimed, and the rest goes back only when every consumer has answered
 *   c  what comes from a stale attempt moves nothing
 *   d  what comes twice moves nothing the second time
 *   f  an assignment that is sent again names the same elements
 *   g  the epoch is complete exactly when every element is consumed or excluded
 * </pre>
 */
class EpochLedgerModelTest {
    private static final int SPLITS = 6;
    private static final int CONSUMERS = 2;
    private static final Place PLACE = new Place("w", "i", "h", List.of("tcp://h:1"), false);

    private final MapRows rows = new MapRows();
    private final SplitOrder order = new SplitOrder(SPLITS, 5, 0, false);
    private final SortedMap<Long, String> where = new TreeMap<>();
    private final TreeSet<Integer> live = new TreeSet<>();
    private final TreeSet<Integer> fenced = new TreeSet<>();
    private final SortedMap<Integer, TreeSet<Integer>> unanswered = new TreeMap<>();
    private final TreeSet<Integer> closed = new TreeSet<>();
    private EpochLedger ledger = EpochLedger.open(rows, "job", 0, true);
    private Random random = new Random();

    private static int records(long ordinal) {
        return (int) (ordinal * 3) % 7;
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void eachElementIsInExactlyOnePlaceWhateverHappens(@ForAll long seed) {
        // the tries of a property share one instance of its class
        new EpochLedgerModelTest().run(new Random(seed));
    }

    private void run(Random seeded) {
        random = seeded;
        for (long split = 0; split < SPLITS; split++) {
            for (int record = 0; record < records(split); record++) {
                where.put(Ticket.of(split, record), "unassigned");
            }
        }
        for (int step = 0; step < 200; step++) {
            step();
            if (random.nextInt(4) == 0) {
                ledger.save();
                ledger = EpochLedger.open(rows, "job", 0, true);
            }
            agree();
        }
    }

    private void step() {
        switch (random.nextInt(10)) {
            case 0 -> start();
            case 1 -> assign();
            case 2, 3 -> claim();
            case 4, 5 -> consume();
            case 6 -> exclude();
            case 7 -> end();
            case 8 -> fence();
            default -> answer();
        }
    }

    private void start() {
        if (live.size() < 3) {
            live.add(ledger.start(PLACE));
        }
    }

    private void assign() {
        if (live.isEmpty()) {
            return;
        }
        int attempt = any(live);
        List<Long> ordinals = new ArrayList<>(ledger.returned(1));
        if (ordinals.isEmpty() && ledger.row().assigned() < SPLITS) {
            ordinals.add(ledger.takeNext(order, ordinal -> 0));
        }
        if (ordinals.isEmpty()) {
            return;
        }
        long ordinal = ordinals.get(0);
        TreeSet<Long> expected = new TreeSet<>(elements("unassigned"));
        expected.removeIf(ticket -> Ticket.ordinal(ticket) != ordinal);
        int number = ledger.assign(attempt, ordinals, split -> OptionalLong.empty());
        expected.forEach(ticket -> where.put(ticket, "owed " + attempt));
        // f: now and when it is sent again, after writing and reading
        assertThat(wanted(attempt, number, ordinal)).isEqualTo(expected);
        ledger.save();
        ledger = EpochLedger.open(rows, "job", 0, true);
        assertThat(wanted(attempt, number, ordinal)).isEqualTo(expected);
        ledger.taken(attempt, number);
        assertThat(ledger.count(attempt, ordinal, records(ordinal))).isTrue();
    }

    private Set<Long> wanted(int attempt, int number, long ordinal) {
        RoaringBitmap skip = ledger.skip(attempt, number, ordinal);
        TreeSet<Long> wanted = new TreeSet<>();
        for (int record = 0; record < records(ordinal); record++) {
            if (!skip.contains(record)) {
                wanted.add(Ticket.of(ordinal, record));
            }
        }
        return wanted;
    }

    private void claim() {
        int attempt = anyEver();
        int consumer = random.nextInt(CONSUMERS);
        Collection<Long> some = some(List.of("owed " + attempt), 2);
        long moved = ledger.claims().claim(attempt, consumer, tickets(some));
        assertThat(moved).isEqualTo(move(some, List.of("owed " + attempt), "claimed " + consumer));
        assertThat(ledger.claims().claim(attempt, consumer, tickets(some))).isZero();
    }

    private void consume() {
        int attempt = anyEver();
        int consumer = random.nextInt(CONSUMERS);
        List<String> from = List.of("owed " + attempt, "claimed " + consumer);
        Collection<Long> some = some(from, 2);
        long moved = ledger.claims().consume(attempt, consumer, tickets(some));
        assertThat(moved).isEqualTo(move(some, from, "consumed"));
        assertThat(ledger.claims().consume(attempt, consumer, tickets(some))).isZero();
    }

    private void exclude() {
        int attempt = anyEver();
        Collection<Long> some = some(List.of("owed " + attempt), 3);
        long moved = ledger.exclude(attempt, "filter", tickets(some));
        assertThat(moved).isEqualTo(move(some, List.of("owed " + attempt), "excluded"));
    }

    /** Ends with a remainder; what it made and did not hand over by then is still owed until it is closed. */
    private void end() {
        if (live.isEmpty()) {
            return;
        }
        int attempt = any(live);
        Collection<Long> remainder = some(List.of("owed " + attempt), 2);
        SortedMap<Integer, Long> last = new TreeMap<>();
        for (int consumer = 0; consumer < CONSUMERS; consumer++) {
            last.put(consumer, 3L);
        }
        assertThat(ledger.end(attempt, new AttemptRow.End(last, 0), tickets(remainder)))
                .isTrue();
        move(remainder, List.of("owed " + attempt), "unassigned");
        live.remove(attempt);
        if (elements("owed " + attempt).isEmpty()) {
            assertThat(ledger.done(attempt)).isTrue();
            assertThat(ledger.close(attempt)).isZero();
            closed.add(attempt);
        } else {
            assertThat(ledger.done(attempt)).isFalse();
            // lost with what it had, as where its channel breaks
            fenceNow(attempt);
        }
    }

    private void fence() {
        if (!live.isEmpty()) {
            int attempt = any(live);
            live.remove(attempt);
            fenceNow(attempt);
        }
    }

    private void fenceNow(int attempt) {
        ledger.fence(attempt, "lost", Instant.EPOCH);
        fenced.add(attempt);
        unanswered.put(attempt, new TreeSet<>(List.of(0, 1)));
    }

    private void answer() {
        if (fenced.isEmpty()) {
            return;
        }
        int attempt = any(fenced);
        int consumer = any(unanswered.get(attempt));
        ledger.claims().answer(attempt, consumer);
        unanswered.get(attempt).remove(consumer);
        assertThat(ledger.attempts().get(attempt).answered()).contains(consumer);
        if (unanswered.get(attempt).isEmpty()) {
            ledger.settle(attempt);
            move(elements("owed " + attempt), List.of("owed " + attempt), "unassigned");
            fenced.remove(attempt);
            closed.add(attempt);
        }
    }

    /** The ledger's sets are the model's. */
    private void agree() {
        for (long ordinal = 0; ordinal < SPLITS; ordinal++) {
            SplitRow split = ledger.split(ordinal);
            if (split == null || split.records().isEmpty()) {
                continue;
            }
            for (int record = 0; record < records(ordinal); record++) {
                List<String> places = new ArrayList<>();
                if (split.unassigned().contains(record)) {
                    places.add("unassigned");
                }
                for (int attempt : ledger.attempts().keySet()) {
                    if (split.owed(attempt).contains(record)) {
                        places.add("owed " + attempt);
                    }
                }
                for (int consumer = 0; consumer < CONSUMERS; consumer++) {
                    if (split.claimed(consumer).contains(record)) {
                        places.add("claimed " + consumer);
                    }
                }
                if (split.consumed().contains(record)) {
                    places.add("consumed");
                }
                if (split.excluded().contains(record)) {
                    places.add("excluded");
                }
                assertThat(places).containsExactly(where.get(Ticket.of(ordinal, record)));
            }
        }
        if (random.nextInt(3) == 0) {
            ledger.claims().forgetHeld();
        }
        for (int consumer = 0; consumer < CONSUMERS && random.nextInt(3) > 0; consumer++) {
            List<Long> claimed = elements("claimed " + consumer);
            assertThat(ledger.claims().holds(consumer)).isEqualTo(!claimed.isEmpty());
            assertThat(ledger.claims().inDoubt(List.of(consumer), List.of()).elements())
                    .isEqualTo(claimed.size());
        }
        long consumed = elements("consumed").size();
        long excluded = elements("excluded").size();
        assertThat(ledger.row().consumed()).isEqualTo(consumed);
        assertThat(ledger.row().excluded().getOrDefault("filter", 0L)).isEqualTo(excluded);
        // g: a split without records is closed when it is counted
        boolean allAssigned = ledger.row().assigned() == SPLITS;
        assertThat(ledger.row().closedSplits() == SPLITS).isEqualTo(allAssigned && consumed + excluded == where.size());
        for (Map.Entry<Integer, AttemptRow> attempt : ledger.attempts().entrySet()) {
            long splits = elements("owed " + attempt.getKey()).stream()
                    .map(Ticket::ordinal)
                    .distinct()
                    .count();
            assertThat(attempt.getValue().openSplits()).isEqualTo((int) splits);
        }
    }

    private List<Long> elements(String place) {
        return where.entrySet().stream()
                .filter(element -> element.getValue().equals(place))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Some of the elements that are there, and one that may be anywhere. */
    private Collection<Long> some(List<String> places, int oneIn) {
        TreeSet<Long> some = new TreeSet<>();
        for (String place : places) {
            for (long ticket : elements(place)) {
                if (random.nextInt(oneIn) == 0) {
                    some.add(ticket);
                }
            }
        }
        List<Long> all = List.copyOf(where.keySet());
        if (random.nextInt(5) == 0) {
            some.add(all.get(random.nextInt(all.size())));
        }
        return some;
    }

    private long move(Collection<Long> some, List<String> from, String to) {
        long moved = 0;
        for (long ticket : some) {
            if (from.contains(where.get(ticket))) {
                where.put(ticket, to);
                moved++;
            }
        }
        return moved;
    }

    private static Elements tickets(Collection<Long> some) {
        return Elements.of(ByteBuffer.wrap(
                TicketRuns.encode(some.stream().mapToLong(Long::longValue).toArray())));
    }

    private int any(Collection<Integer> some) {
        return List.copyOf(some).get(random.nextInt(some.size()));
    }

    /** An attempt that is live, fenced, closed, or was never minted. */
    private int anyEver() {
        TreeSet<Integer> ever = new TreeSet<>(live);
        ever.addAll(fenced);
        ever.addAll(closed);
        ever.add(99);
        if (!live.isEmpty() && random.nextInt(3) > 0) {
            return any(live);
        }
        return any(ever);
    }
}
