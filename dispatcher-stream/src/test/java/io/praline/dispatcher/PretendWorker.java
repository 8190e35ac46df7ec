package io.praline.dispatcher;

import io.praline.identity.AttemptKey;
import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptEnd;
import io.praline.schema.AttemptPhase;
import io.praline.schema.AttemptProgress;
import io.praline.schema.CacheOrder;
import io.praline.schema.CacheTargets;
import io.praline.schema.ClosedLane;
import io.praline.schema.ConfirmFacts;
import io.praline.schema.ConsumerLane;
import io.praline.schema.ConsumerSequence;
import io.praline.schema.FactsConfirmed;
import io.praline.schema.FenceAttempt;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.OpenedSplit;
import io.praline.schema.PlanSplits;
import io.praline.schema.ServeConsumers;
import io.praline.schema.StartAttempt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.roaringbitmap.RoaringBitmap;

/**
 * A worker as the protocol has it, reading records that are nothing but their tickets: split i holds {@code records(i)}
 * of them.
 */
final class PretendWorker {
    private static final int BATCH = 8;
    private static final long TELL_AGAIN_MILLIS = 5_000;

    private final Rig rig;
    private final String id;
    private final int slots;
    private final int files;
    private final Map<AttemptKey, Attempt> attempts = new TreeMap<>();
    private final List<AttemptKey> started = new ArrayList<>();
    private Guarantee guarantee = Guarantee.EXACTLY_ONCE;
    private boolean singleTask;
    private int given;
    private boolean dead;
    private int process = 1;
    private int crashes;
    private final Set<Long> killers = new TreeSet<>();
    private boolean draining;
    private Optional<String> onlyFor = Optional.empty();
    private double busySecondsEach;
    private Optional<PretendStore> store = Optional.empty();
    private String waitsFor = "";
    private long outboxBytes;
    private boolean remembers = true;
    private boolean keepsItToItself;

    PretendWorker(Rig rig, String id, int slots, int files) {
        this.rig = rig;
        this.id = id;
        this.slots = slots;
        this.files = files;
    }

    /** Records in a split: some splits have none, and none a whole number of batches. */
    static int records(long ordinal) {
        return (int) (ordinal % 5) * 7;
    }

    static long recordsOf(int files) {
        long all = 0;
        for (int i = 0; i < files; i++) {
            all += records(i);
        }
        return all;
    }

    /** A batch that a client may fetch. */
    record Batch(AttemptKey attempt, long sequence, List<Long> tickets) {}

    /** What an attempt has; the dispatcher learns of it by beats. */
    static final class Attempt {
        private final AttemptKey key;
        private final Map<Integer, Lane> lanes = new TreeMap<>();
        private final Deque<List<Long>> homeless = new ArrayDeque<>();
        private final List<ClosedLane> closed = new ArrayList<>();
        private int membership;
        private final Deque<AssignedSplit> queue = new ArrayDeque<>();
        private final List<Long> buffer = new ArrayList<>();
        private final List<OpenedSplit> opened = new ArrayList<>();
        private int assigned;
        private int next;
        private long elements;
        private Optional<FinishAttempt> finish = Optional.empty();
        private boolean ended;
        private boolean fenced;
        private boolean mute;
        private boolean crashed;
        private boolean endNumbered;
        private final Deque<Fact> unconfirmed = new ArrayDeque<>();
        private int numbered;
        private int toldThrough;
        private long quietSince;
        private long[] remainder = {};
        private final Optional<CacheOrder> cache;
        private final Optional<PretendStore> store;
        private long cachedElements;
        private long cachedSplits;
        private long storedSplits;

        Attempt(AttemptKey key, Optional<CacheOrder> cache, Optional<PretendStore> store) {
            this.key = key;
            this.cache = cache;
            this.store = store;
        }

        /** One consumer's batches, in one generation of it. */
        private static final class Lane {
            private final int generation;
            private final Deque<Batch> unsent = new ArrayDeque<>();
            private final List<Long> sent = new ArrayList<>();
            private boolean open = true;
            private long last = -1;

            Lane(int generation) {
                this.generation = generation;
            }
        }

        private void serve(int number, List<ConsumerLane> told) {
            if (number <= membership) {
                return;
            }
            membership = number;
            told.forEach(lane -> serve(lane.getConsumer(), lane.getGeneration(), lane.getOpen()));
            while (!homeless.isEmpty() && lanes.values().stream().anyMatch(lane -> lane.open)) {
                put(homeless.poll());
            }
        }

        private void serve(int consumer, int generation, boolean open) {
            Lane known = lanes.get(consumer);
            if (known != null && known.generation == generation && !open) {
                close(consumer, known);
            } else if (known == null || known.generation < generation) {
                if (known != null) {
                    close(consumer, known);
                }
                Lane next = new Lane(generation);
                next.open = open;
                lanes.put(consumer, next);
            }
        }

        private void close(int consumer, Lane lane) {
            if (!lane.open) {
                return;
            }
            lane.open = false;
            List<Long> unsent = new ArrayList<>();
            for (Batch batch : lane.unsent) {
                if (ended) {
                    unsent.addAll(batch.tickets());
                } else {
                    homeless.add(batch.tickets());
                }
            }
            lane.unsent.clear();
            if (!mute) {
                closed.add(new ClosedLane(consumer, lane.generation, runs(lane.sent), runs(unsent), true));
            }
        }

        private static ByteBuffer runs(List<Long> tickets) {
            return ByteBuffer.wrap(TicketRuns.encode(
                    tickets.stream().mapToLong(Long::longValue).toArray()));
        }

        /** It makes and delivers nothing any more; what it sent is remembered. */
        private void fence() {
            fenced = true;
            queue.clear();
            buffer.clear();
            homeless.clear();
            opened.clear();
            lanes.values().forEach(lane -> lane.unsent.clear());
            List<Fact> left = unconfirmed.stream()
                    .map(fact -> new Fact(fact.number, List.of(), fact.closed, false))
                    .toList();
            unconfirmed.clear();
            unconfirmed.addAll(left);
            endNumbered = true;
        }

        /** What a process that says that it is this generation gets, which may have heard of it before the worker did. */
        private Optional<Lane> lane(int consumer, int generation) {
            if (fenced) {
                return Optional.empty();
            }
            if (!lanes.containsKey(consumer) || lanes.get(consumer).generation < generation) {
                serve(consumer, generation, true);
                while (!homeless.isEmpty()) {
                    put(homeless.poll());
                }
            }
            return Optional.of(lanes.get(consumer)).filter(lane -> lane.generation == generation && lane.open);
        }

        private void deliver(int count) {
            List<Long> tickets = List.copyOf(buffer.subList(0, count));
            buffer.subList(0, count).clear();
            elements += count;
            put(tickets);
        }

        private void put(List<Long> tickets) {
            List<Lane> open = lanes.values().stream().filter(lane -> lane.open).toList();
            if (open.isEmpty()) {
                homeless.add(tickets);
                return;
            }
            Lane lane = open.get(next++ % open.size());
            lane.unsent.add(new Batch(key, ++lane.last, tickets));
        }

        /** Reads one split, and ends where nothing more can come; whether there was anything to do. */
        private boolean step(Set<Long> killers) {
            if (ended || fenced) {
                return false;
            }
            AssignedSplit split = queue.poll();
            if (split != null) {
                read(split, killers);
                return true;
            }
            if (!homeless.isEmpty()) {
                return false; // its outbox is not empty: nobody reads
            }
            if (finish.filter(told -> told.getAssignment() <= assigned).isPresent()) {
                if (finish.get().getDeliverTail() && !buffer.isEmpty()) {
                    deliver(buffer.size());
                }
                remainder = buffer.stream().mapToLong(Long::longValue).toArray();
                buffer.clear();
                ended = true;
                return true;
            }
            return false;
        }

        private void read(AssignedSplit split, Set<Long> killers) {
            int records = records(split.getOrdinal());
            opened.add(OpenedSplit.newBuilder()
                    .setOrdinal(split.getOrdinal())
                    .setRecords(records)
                    .build());
            RoaringBitmap skip = new RoaringBitmap();
            try {
                if (split.getSkip().hasRemaining()) {
                    skip.deserialize(split.getSkip().duplicate());
                }
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
            boolean cached = cache.isPresent()
                    && store.filter(its -> its.has(cache.get(), split.getOrdinal()))
                            .isPresent();
            if (cached) {
                cachedSplits++;
                cachedElements += records - skip.getCardinality();
            } else if (cache.filter(CacheOrder::getPut).isPresent()
                    && skip.isEmpty()
                    && store.filter(its -> its.put(cache.get(), split.getOrdinal(), 100L * records))
                            .isPresent()) {
                storedSplits++;
            }
            for (int record = 0; record < records; record++) {
                if (!skip.contains(record) && killers.contains(Ticket.of(split.getOrdinal(), record))) {
                    crashed = true;
                    return;
                }
                if (!skip.contains(record)) {
                    buffer.add(Ticket.of(split.getOrdinal(), record));
                }
                if (buffer.size() == BATCH) {
                    deliver(BATCH);
                }
            }
        }

        /** What an entry of a beat tells, until it is confirmed. */
        private record Fact(int number, List<OpenedSplit> opened, List<ClosedLane> closed, boolean end) {}

        private Optional<Fact> fact(long now) {
            if (unconfirmed.isEmpty()) {
                quietSince = now;
            } else if (now - quietSince >= TELL_AGAIN_MILLIS) {
                toldThrough = unconfirmed.peek().number - 1;
                quietSince = now;
            }
            if (!opened.isEmpty() || !closed.isEmpty() || (ended && !endNumbered)) {
                boolean end = ended && !endNumbered;
                unconfirmed.add(new Fact(++numbered, List.copyOf(opened), List.copyOf(closed), end));
                opened.clear();
                closed.clear();
                endNumbered = ended;
            }
            Optional<Fact> next = unconfirmed.stream()
                    .filter(fact -> fact.number == toldThrough + 1)
                    .findFirst();
            next.ifPresent(fact -> toldThrough = fact.number);
            return next;
        }

        private void confirmed(int through, long now) {
            if (unconfirmed.removeIf(fact -> fact.number <= through)) {
                toldThrough = Math.max(toldThrough, through);
                quietSince = now;
            }
        }

        private AttemptProgress progress(double busySecondsEach, String waitsFor, long outboxBytes, long now) {
            Optional<Fact> fact = fact(now);
            AttemptPhase phase = ended || fenced
                    ? AttemptPhase.ENDED
                    : finish.isPresent() ? AttemptPhase.DRAINING : AttemptPhase.RUNNING;
            AttemptProgress.Builder progress = AttemptProgress.newBuilder()
                    .setJob(key.job())
                    .setEpoch(key.epoch())
                    .setAttempt(key.attempt())
                    .setPhase(phase)
                    .setAssignedThrough(assigned)
                    .setUnopened(queue.size())
                    .setSplitSeconds(5)
                    .setOpened(fact.map(Fact::opened).orElse(List.of()))
                    .setFacts(fact.map(Fact::number).orElse(0))
                    .setClosedLanes(fact.map(Fact::closed).orElse(List.of()))
                    .setMembership(membership)
                    .setFenced(fenced)
                    .setFinishing(finish.isPresent())
                    .setExcluded(List.of())
                    .setBatches(elements / BATCH)
                    .setElements(elements)
                    .setBusySeconds((elements - Math.min(elements, cachedElements) * 0.9) * busySecondsEach)
                    .setCachedElements(Math.min(elements, cachedElements))
                    .setCachedSplits(cachedSplits)
                    .setStoredSplits(storedSplits)
                    .setWaitsFor(waitsFor)
                    .setBytes(0)
                    .setOutboxBytes(outboxBytes);
            if (fact.filter(Fact::end).isPresent()) {
                List<ConsumerSequence> sequences = new ArrayList<>();
                lanes.forEach((consumer, lane) -> {
                    if (lane.open) {
                        sequences.add(new ConsumerSequence(consumer, lane.last, lane.generation));
                    }
                });
                progress.setEnd(AttemptEnd.newBuilder()
                        .setLastSequences(sequences)
                        .setRemainder(ByteBuffer.wrap(TicketRuns.encode(remainder)))
                        .build());
            }
            return progress.build();
        }
    }

    String id() {
        return id;
    }

    /** What its plans will say. */
    void plans(Guarantee keeps, boolean onlyOneTask) {
        guarantee = keeps;
        singleTask = onlyOneTask;
    }

    boolean dead() {
        return dead;
    }

    /** No beat and no batch comes from it any more. */
    void kill() {
        dead = true;
        attempts.clear();
    }

    /** It is an older one, which knows nothing any more of what is fenced. */
    void forgetsWhatIsFenced() {
        remembers = false;
    }

    /** It never tells what it sent of what is fenced, though it says that it knows. */
    void keepsToItselfWhatIsFenced() {
        keepsItToItself = true;
    }

    /** It runs on the host of this job's trainer. */
    PretendWorker onlyFor(String job) {
        onlyFor = Optional.of(job);
        return this;
    }

    /** The store that its next split lies in gives nothing, for this reason; none: it does. */
    void waitsFor(String why) {
        waitsFor = why;
    }

    /** So many bytes of batches of each of its attempts wait to be taken. */
    void hasReady(long bytes) {
        outboxBytes = bytes;
    }

    /** It keeps entries in this store. */
    void keeps(PretendStore where) {
        store = Optional.of(where);
    }

    /** Its attempts say that they take so long for an element where nothing holds them back, and a tenth of it from entries. */
    void busy(double secondsEach) {
        busySecondsEach = secondsEach;
    }

    void drain() {
        draining = true;
    }

    /** How many splits it was told to read, those of other workers' short batches included. */
    int given() {
        return given;
    }

    /** The attempts it was told to start, in order. */
    List<AttemptKey> started() {
        return started;
    }

    /** Attempts that did not end. */
    long running() {
        return attempts.values().stream()
                .filter(attempt -> !attempt.ended && !attempt.fenced)
                .count();
    }

    /** Attempts that its beats list. */
    int listed() {
        return attempts.size();
    }

    Optional<Attempt> attempt(AttemptKey key) {
        return Optional.ofNullable(attempts.get(key));
    }

    /** Does what it was told since. */
    void obey() {
        if (dead) {
            return;
        }
        for (Object command : rig.commands(id, incarnation())) {
            if (command instanceof PlanSplits plan) {
                rig.plan(plan.getJob(), plan, id, files, guarantee, singleTask);
            } else if (command instanceof StartAttempt start) {
                AttemptKey key = new AttemptKey(start.getJob(), start.getEpoch(), start.getAttempt());
                if (!attempts.containsKey(key)) {
                    attempts.put(key, new Attempt(key, start.getCache(), store));
                    attempts.get(key).serve(start.getMembership(), start.getLanes());
                    started.add(key);
                }
            } else if (command instanceof ServeConsumers serve) {
                attempt(new AttemptKey(serve.getJob(), serve.getEpoch(), serve.getAttempt()))
                        .ifPresent(attempt -> attempt.serve(serve.getMembership(), serve.getLanes()));
            } else if (command instanceof AssignSplits assign) {
                attempt(new AttemptKey(assign.getJob(), assign.getEpoch(), assign.getAttempt()))
                        .filter(attempt -> assign.getAssignment() == attempt.assigned + 1)
                        .ifPresent(attempt -> {
                            attempt.assigned++;
                            given += assign.getSplits().size();
                            attempt.queue.addAll(assign.getSplits());
                        });
            } else if (command instanceof FinishAttempt finish) {
                attempt(new AttemptKey(finish.getJob(), finish.getEpoch(), finish.getAttempt()))
                        .ifPresent(attempt -> attempt.finish = Optional.of(finish));
            } else if (command instanceof FenceAttempt fence) {
                AttemptKey key = new AttemptKey(fence.getJob(), fence.getEpoch(), fence.getAttempt());
                if (fence.getKeepSent() && remembers) {
                    attempt(key).ifPresent(attempt -> {
                        attempt.fence();
                        attempt.mute = keepsItToItself;
                    });
                } else {
                    attempts.remove(key);
                }
            } else if (command instanceof CacheTargets targets) {
                store.ifPresent(its -> its.obey(targets));
            } else if (command instanceof ConfirmFacts confirm) {
                for (FactsConfirmed each : confirm.getConfirmed()) {
                    attempt(new AttemptKey(each.getJob(), each.getEpoch(), each.getAttempt()))
                            .ifPresent(attempt -> attempt.confirmed(each.getThrough(), rig.now()));
                }
            }
        }
    }

    /** Reads one split for each of its attempts; whether there was anything to do. */
    boolean read() {
        boolean any = false;
        for (Attempt attempt : List.copyOf(attempts.values())) {
            any |= attempt.step(killers);
            if (attempt.crashed) {
                crashes++;
                kill();
            }
        }
        return any;
    }

    /** Whoever reads this record ceases. */
    void diesOf(long ticket) {
        killers.add(ticket);
    }

    /** How often it ceased. */
    int crashes() {
        return crashes;
    }

    /** Another process of it comes. */
    void restart() {
        process++;
        dead = false;
    }

    private String incarnation() {
        return id + "-" + process;
    }

    void beat() {
        if (dead) {
            return;
        }
        rig.beat(Rig.worker(id, slots)
                .setIncarnation(incarnation())
                .setDraining(draining)
                .setLocal(onlyFor.isPresent())
                .setServesJob(onlyFor.orElse(""))
                .setCache(store.map(PretendStore::report).orElse(null))
                .setAttempts(attempts.values().stream()
                        .map(attempt -> attempt.progress(busySecondsEach, waitsFor, outboxBytes, rig.now()))
                        .toList())
                .build());
    }

    /** The next batch of an attempt for a generation of a consumer, which has it from then on. */
    Optional<Batch> fetch(AttemptKey key, int consumer, int generation) {
        Optional<Attempt.Lane> lane = attempt(key).flatMap(attempt -> attempt.lane(consumer, generation));
        Optional<Batch> next = lane.map(its -> its.unsent.poll());
        next.ifPresent(batch -> lane.orElseThrow().sent.addAll(batch.tickets()));
        return next;
    }

    /** Whether the channel of an attempt has come to its end for a generation of a consumer. */
    boolean endReached(AttemptKey key, int consumer, int generation) {
        return attempt(key)
                .filter(attempt -> attempt.ended
                        && attempt.lane(consumer, generation)
                                .filter(lane -> lane.unsent.isEmpty())
                                .isPresent())
                .isPresent();
    }

    /** Whether that end is the end of the stream. */
    boolean saidLast(AttemptKey key) {
        return attempt(key)
                .filter(attempt -> attempt.ended
                        && attempt.finish.filter(FinishAttempt::getLast).isPresent())
                .isPresent();
    }
}
