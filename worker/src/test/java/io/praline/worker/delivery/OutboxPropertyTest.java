package io.praline.worker.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import io.praline.wire.RefusedFrame;
import io.praline.worker.delivery.Membership.Place;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.roaringbitmap.longlong.Roaring64NavigableMap;

/** Whatever consumers do, and in whatever order the worker hears of it: every element is in one place, and known to be. */
class OutboxPropertyTest {
    private static final int CONSUMERS = 3;
    private static final long ALL = 1L << 30;

    private enum Kind {
        PUT,
        COME,
        GO,
        SERVE,
        SERVE_AGAIN,
        HELLO,
        LATE_HELLO,
        CREDIT,
        LOSE,
        END
    }

    /** @param which, how many, or how much, as the kind has it */
    record Step(Kind kind, int which, int much) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Kind> kinds = Arbitraries.frequency(
                Tuple.of(8, Kind.PUT),
                Tuple.of(2, Kind.COME),
                Tuple.of(2, Kind.GO),
                Tuple.of(3, Kind.SERVE),
                Tuple.of(1, Kind.SERVE_AGAIN),
                Tuple.of(6, Kind.HELLO),
                Tuple.of(1, Kind.LATE_HELLO),
                Tuple.of(4, Kind.CREDIT),
                Tuple.of(2, Kind.LOSE),
                Tuple.of(1, Kind.END));
        return Combinators.combine(
                        kinds,
                        Arbitraries.integers().between(0, 7),
                        Arbitraries.integers().between(0, 700))
                .as(Step::new)
                .list()
                .ofMaxSize(80);
    }

    @Property(tries = 1_000)
    void everyElementIsSentOnOneLaneOrWaitsOrIsToldToBeUnsent(@ForAll("steps") List<Step> steps)
            throws InterruptedException {
        World world = new World();
        for (Step step : steps) {
            world.take(step);
            world.look();
        }
        world.finish();
    }

    /** One generation of a consumer, as its client knows it. */
    private static final class Reader {
        private final List<List<Long>> batches = new ArrayList<>();
        private long acknowledged = -1;
        private long confirmed = -1;
        private Optional<ChannelClient> client = Optional.empty();

        Set<Long> tickets() {
            return ticketsBehind(-1);
        }

        Set<Long> ticketsBehind(long sequence) {
            Set<Long> all = new TreeSet<>();
            batches.subList((int) sequence + 1, batches.size()).forEach(all::addAll);
            return all;
        }
    }

    /** What the job's turn knows, what the worker was told of it, and what came of that. */
    private static final class World {
        private final AttemptKey attempt = new AttemptKey("job", 0, 3);
        private final CountedBatches made = new CountedBatches();
        private final Outboxes attempts = new Outboxes();
        private final TreeMap<Integer, Place> places = new TreeMap<>();
        private final List<Membership> told = new ArrayList<>();
        private final Outbox outbox;
        private final Map<Integer, Reader> readers = new LinkedHashMap<>(); // by generation
        private final Map<Integer, Integer> consumerOf = new TreeMap<>(); // of a generation
        private final Map<Integer, Place> heard = new HashMap<>(); // what the worker should know
        private final Set<Integer> over = new TreeSet<>(); // generations that it should know to be no more
        private final Map<Long, Integer> sentOn = new HashMap<>(); // ticket by generation
        private final Map<Integer, LaneClosed> closed = new TreeMap<>(); // by generation
        private final Set<Long> all = new TreeSet<>();
        private long put;
        private int highest;
        private boolean ended;

        World() {
            for (int consumer = 0; consumer < CONSUMERS; consumer++) {
                places.put(consumer, new Place(consumer, consumer, consumer == 0));
                mint(consumer, consumer);
            }
            outbox = new Outbox(attempt, snapshot(), ALL);
            hear(told.get(0));
            attempts.open(attempt, outbox);
        }

        private void mint(int generation, int consumer) {
            readers.put(generation, new Reader());
            consumerOf.put(generation, consumer);
        }

        private Membership snapshot() {
            told.add(new Membership(told.size(), List.copyOf(places.values())));
            return told.get(told.size() - 1);
        }

        void take(Step step) throws InterruptedException {
            int consumer = step.which() % CONSUMERS;
            switch (step.kind()) {
                case PUT -> put(step);
                case COME -> {
                    int generation = readers.size();
                    mint(generation, consumer);
                    places.put(consumer, new Place(consumer, generation, true));
                }
                case GO ->
                    places.computeIfPresent(consumer, (number, place) -> new Place(number, place.generation(), false));
                case SERVE -> serve(snapshot());
                case SERVE_AGAIN -> serve(told.get(step.much() % told.size()));
                case HELLO -> hello(places.get(consumer).generation(), step.much());
                case LATE_HELLO -> hello(step.much() % readers.size(), 1 + step.much());
                case CREDIT -> credit(step);
                case LOSE -> reader(step).client.ifPresent(ChannelClient::lose);
                case END -> {
                    if (!outbox.lastSequences().isEmpty()) {
                        outbox.end(EndOf.EPOCH);
                        ended = true;
                    }
                }
            }
        }

        private void put(Step step) throws InterruptedException {
            if (ended || outbox.lastSequences().isEmpty()) {
                return; // it would be refused, or wait
            }
            long[] tickets = new long[1 + step.which() % 3];
            for (int i = 0; i < tickets.length; i++) {
                tickets[i] = put++ * (step.which() == 7 ? 2 : 1) + ((long) step.which() << 40);
                all.add(tickets[i]);
            }
            outbox.put(made.make(step.much(), tickets));
        }

        private void serve(Membership membership) {
            outbox.serve(membership);
            if (membership.number() >= highest) {
                hear(membership);
            }
        }

        private void hear(Membership membership) {
            highest = membership.number();
            membership.places().forEach(this::hear);
            assertThat(outbox.membership()).isEqualTo(highest);
        }

        /** A newer generation counts, and of the same one that it is over; that it is there only where it was not yet. */
        private void hear(Place place) {
            Place known = heard.get(place.consumer());
            if (known == null || place.generation() > known.generation()) {
                heard.put(place.consumer(), place);
                if (known != null && !place.open()) {
                    over.add(place.generation());
                }
            } else if (place.generation() == known.generation() && !over.contains(place.generation())) {
                heard.put(place.consumer(), place.open() || known.open() ? place : known);
                if (known.open() && !place.open()) {
                    over.add(place.generation());
                }
            }
        }

        private void hello(int generation, int much) {
            int consumer = consumerOf.get(generation);
            Reader reader = readers.get(generation);
            reader.client.ifPresent(ChannelClient::lose);
            look();
            long last = reader.batches.size() - 1L;
            long through = Math.max(reader.acknowledged, last - much % 6);
            ChannelClient client = new ChannelClient(attempts, attempt, consumer, generation).hello(through, 1 + much);
            reader.client = Optional.of(client);
            boolean stale = heard.containsKey(consumer)
                    && (heard.get(consumer).generation() > generation || over.contains(generation));
            assertThat(client.read().refused().map(RefusedFrame::code))
                    .isEqualTo(stale ? Optional.of(RefusalCode.STALE) : Optional.empty());
            if (!stale) {
                reader.acknowledged = through;
                hear(new Place(consumer, generation, true));
            }
        }

        private Reader reader(Step step) {
            List<Reader> connected = readers.values().stream()
                    .filter(reader ->
                            reader.client.filter(ChannelClient::isOpen).isPresent())
                    .toList();
            return connected.isEmpty() ? readers.get(0) : connected.get(step.which() % connected.size());
        }

        private void credit(Step step) {
            Reader reader = reader(step);
            look();
            reader.client.filter(ChannelClient::isOpen).ifPresent(client -> {
                reader.acknowledged = Math.max(reader.acknowledged, client.through() - step.much() % 2);
                reader.confirmed = Math.max(reader.confirmed, reader.acknowledged - step.much() % 5);
                client.credit(reader.acknowledged, reader.confirmed);
            });
        }

        /** Takes what came: numbered without gaps, the same when it comes again, and nothing that another lane sent. */
        void look() {
            readers.forEach((generation, reader) -> reader.client.ifPresent(client -> {
                for (ChannelClient.Received batch : client.read().takeBatches()) {
                    if (batch.sequence() < reader.batches.size()) {
                        assertThat(batch.tickets()).isEqualTo(reader.batches.get((int) batch.sequence()));
                        continue;
                    }
                    assertThat(batch.sequence()).isEqualTo(reader.batches.size());
                    reader.batches.add(batch.tickets());
                    for (long ticket : batch.tickets()) {
                        assertThat(sentOn.put(ticket, generation)).isNull();
                    }
                }
            }));
            for (LaneClosed lane : outbox.takeClosed()) {
                assertThat(closed.put(lane.generation(), lane)).isNull();
                assertThat(lane.consumer()).isEqualTo(consumerOf.get(lane.generation()));
                Reader reader = readers.get(lane.generation());
                assertThat(reader.tickets()).containsAll(tickets(lane.sent()));
                assertThat(tickets(lane.sent())).containsAll(reader.ticketsBehind(reader.confirmed));
            }
        }

        private static Set<Long> tickets(Roaring64NavigableMap set) {
            Set<Long> all = new TreeSet<>();
            set.forEach((long ticket) -> all.add(ticket));
            return all;
        }

        /** Somebody comes for what waits, and all take all that is theirs. */
        void finish() throws InterruptedException {
            int newest = readers.size();
            mint(newest, CONSUMERS);
            hello(newest, (int) ALL);
            for (LastSequence lane : outbox.lastSequences()) {
                hello(lane.generation(), (int) ALL);
            }
            if (!ended) {
                outbox.end(EndOf.EPOCH);
            }
            look();
            for (LastSequence lane : outbox.lastSequences()) {
                Reader reader = readers.get(lane.generation());
                assertThat((long) reader.batches.size()).isEqualTo(lane.sequence() + 1);
                assertThat(reader.client.orElseThrow().end().orElseThrow().lastSequence())
                        .isEqualTo(lane.sequence());
                reader.client.orElseThrow().credit(lane.sequence());
            }
            Set<Long> unsent = new TreeSet<>();
            closed.values().forEach(lane -> tickets(lane.unsent())
                    .forEach(ticket -> assertThat(unsent.add(ticket)).isTrue()));
            assertThat(Collections.disjoint(unsent, sentOn.keySet())).isTrue();
            unsent.addAll(sentOn.keySet());
            assertThat(unsent).isEqualTo(all);
            assertThat(closed.keySet()).containsAll(over);
            assertThat(outbox.delivered()).isTrue();
            assertThat(outbox.bytes()).isZero();
            assertThat(made.released()).allMatch(times -> times == 1);
            assertThat(made.held()).isZero();
        }
    }
}
