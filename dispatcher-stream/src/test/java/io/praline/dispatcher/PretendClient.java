package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.AttemptKey;
import io.praline.identity.TicketRuns;
import io.praline.schema.AttemptPlace;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.ChannelDown;
import io.praline.schema.Confirmation;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobStatus;
import io.praline.schema.Use;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A consumer as the protocol has it; writes down every element that its loop was given, by epoch. */
final class PretendClient {
    private static final long RESEND_MILLIS = 3_000;

    private final Rig rig;
    private final String job;
    private final int consumer;
    private final String incarnation;
    private final Map<String, PretendWorker> workers;
    private final Deque<Taken> inbox = new ArrayDeque<>();
    private final Set<AttemptKey> answered = new HashSet<>();
    private final Set<AttemptKey> endTold = new HashSet<>();
    private final Map<Integer, Map<Long, Integer>> given = new HashMap<>();
    private final List<ConsumptionReport> sent = new ArrayList<>();
    private final List<BatchUse> uses = new ArrayList<>();
    private final List<AttemptRef> fencesAnswered = new ArrayList<>();
    private final List<AttemptRef> ended = new ArrayList<>();
    private final List<ChannelDown> down = new ArrayList<>();
    private final List<Integer> discarded = new ArrayList<>();
    private Optional<Taken> claimed = Optional.empty();
    private Optional<Integer> generation = Optional.empty();
    private boolean superseded;
    private boolean leaving;
    private boolean unsure;
    private int lastEpoch = Integer.MAX_VALUE;
    private boolean leftTold;
    private boolean streamOver;
    private int shortBatches;
    private long sequence;
    private long confirmed = -1;
    private long quietSince;

    PretendClient(Rig rig, String job, int consumer, Map<String, PretendWorker> workers) {
        this(rig, job, consumer, workers, "consumer-" + consumer);
    }

    PretendClient(Rig rig, String job, int consumer, Map<String, PretendWorker> workers, String incarnation) {
        this.incarnation = incarnation;
        this.rig = rig;
        this.job = job;
        this.consumer = consumer;
        this.workers = workers;
    }

    String incarnation() {
        return incarnation;
    }

    int consumer() {
        return consumer;
    }

    /** How often each ticket was given to the loop. */
    Map<Long, Integer> given(int epoch) {
        return given.getOrDefault(epoch, Map.of());
    }

    /** How often each ticket of the first epoch was given to these loops. */
    static Map<Long, Integer> given(PretendClient... clients) {
        Map<Long, Integer> all = new HashMap<>();
        for (PretendClient client : clients) {
            client.given(0).forEach((ticket, times) -> all.merge(ticket, times, Integer::sum));
        }
        return all;
    }

    /** It has a batch in its hands, and others of this worker's that it did not ask for yet. */
    void hold(PretendWorker worker) {
        for (int i = 0; i < 20 && ready() < 2; i++) {
            worker.obey();
            worker.read();
            worker.beat();
            fetch(4);
        }
        next();
        report();
        assertThat(ready()).isPositive();
    }

    /** Whether a channel said that the stream is over. */
    boolean streamOver() {
        return streamOver;
    }

    int shortBatches() {
        return shortBatches;
    }

    /** A batch, in the generation for which it came. */
    private record Taken(PretendWorker.Batch batch, int generation) {
        AttemptKey attempt() {
            return batch.attempt();
        }
    }

    /** What its place in the status says of it. */
    private void follow(JobStatus status) {
        for (ConsumerSlot slot : status == null ? List.<ConsumerSlot>of() : status.getSlots()) {
            if (slot.getConsumer() != consumer || slot.getIncarnation().isEmpty()) {
                continue;
            }
            if (!slot.getIncarnation().equals(incarnation)) {
                if (generation.filter(its -> its < slot.getGeneration()).isPresent() && !superseded) {
                    superseded = true;
                    leave();
                }
            } else if (slot.getState() == ConsumerState.HERE && !leaving) {
                generation.filter(its -> its < slot.getGeneration()).ifPresent(older -> {
                    inbox.clear();
                    discarded.add(slot.getGeneration() - 1);
                });
                generation = Optional.of(slot.getGeneration());
            }
        }
    }

    /** Batches that lie ready for the loop. */
    int ready() {
        return inbox.size();
    }

    /** It takes nothing of later epochs than this one. */
    void upTo(int epoch) {
        lastEpoch = epoch;
    }

    /** It learns of its place, and takes nothing. */
    void follow() {
        follow(rig.status(job));
    }

    /** Whether another process took its place, as far as it knows. */
    boolean superseded() {
        return superseded;
    }

    /** It wants nothing more; the batch in its hands is not done. */
    void leave() {
        leave(false);
    }

    /** It wants nothing more; nobody knows whether the batch in its hands is done. */
    void leaveUnsure() {
        leave(true);
    }

    private void leave(boolean unsure) {
        leaving = true;
        this.unsure = unsure;
        inbox.clear();
        claimed = Optional.empty();
        report();
    }

    /** Takes what lies ready at the workers it knows of. */
    void fetch(int most) {
        JobStatus status = rig.status(job);
        follow(status);
        if (generation.isEmpty() || leaving) {
            return;
        }
        int its = generation.get();
        for (AttemptPlace place : status == null ? List.<AttemptPlace>of() : status.getAttempts()) {
            AttemptKey key = new AttemptKey(job, place.getEpoch(), place.getAttempt());
            PretendWorker worker = workers.get(place.getWorker());
            if (place.getFenced()) {
                discard(key);
            } else if (worker != null && place.getEpoch() <= lastEpoch) {
                for (int i = 0; i < most; i++) {
                    worker.fetch(key, consumer, its).ifPresent(batch -> inbox.add(new Taken(batch, its)));
                }
            }
        }
        noteEnds();
    }

    /** Attempts whose channels have come to their end, all of whose batches the loop was given. */
    private void noteEnds() {
        JobStatus status = rig.status(job);
        for (AttemptPlace place : status == null ? List.<AttemptPlace>of() : status.getAttempts()) {
            AttemptKey key = new AttemptKey(job, place.getEpoch(), place.getAttempt());
            PretendWorker worker = workers.get(place.getWorker());
            if (!place.getFenced()
                    && worker != null
                    && !leaving
                    && generation
                            .filter(its -> worker.endReached(key, consumer, its))
                            .isPresent()
                    && inbox.stream().noneMatch(batch -> batch.attempt().equals(key))
                    && endTold.add(key)) {
                ended.add(reference(key, generation.orElseThrow()));
                streamOver |= worker.saidLast(key);
            }
        }
    }

    /** Its channel to the attempt broke. */
    void lose(AttemptKey key, String incarnation) {
        down.add(ChannelDown.newBuilder()
                .setEpoch(key.epoch())
                .setAttempt(key.attempt())
                .setWorkerIncarnation(incarnation)
                .setReason("connection reset")
                .build());
    }

    private void discard(AttemptKey key) {
        inbox.removeIf(batch -> batch.attempt().equals(key));
        if (answered.add(key)) {
            generation.ifPresent(its -> fencesAnswered.add(reference(key, its)));
        }
    }

    private static AttemptRef reference(AttemptKey key, int generation) {
        return new AttemptRef(key.epoch(), key.attempt(), generation);
    }

    /** The loop asks for a batch: the one before is done with. */
    void next() {
        follow(rig.status(job));
        if (leaving) {
            return;
        }
        claimed.ifPresent(taken -> uses.add(use(taken, Use.ACKED)));
        claimed = Optional.ofNullable(inbox.poll());
        noteEnds();
        claimed.ifPresent(taken -> {
            PretendWorker.Batch batch = taken.batch();
            shortBatches += batch.tickets().size() % 8 == 0 ? 0 : 1;
            for (long ticket : batch.tickets()) {
                given.computeIfAbsent(batch.attempt().epoch(), none -> new HashMap<>())
                        .merge(ticket, 1, Integer::sum);
            }
            uses.add(use(taken, Use.CLAIMED));
        });
    }

    private static BatchUse use(Taken taken, Use use) {
        PretendWorker.Batch batch = taken.batch();
        return BatchUse.newBuilder()
                .setEpoch(batch.attempt().epoch())
                .setAttempt(batch.attempt().attempt())
                .setSequence(batch.sequence())
                .setElements(batch.tickets().size())
                .setTickets(ByteBuffer.wrap(TicketRuns.encode(
                        batch.tickets().stream().mapToLong(Long::longValue).toArray())))
                .setUse(use)
                .setGeneration(taken.generation())
                .build();
    }

    private long confirmed() {
        JobStatus status = rig.status(job);
        return status == null
                ? -1
                : status.getConfirmed().stream()
                        .filter(one -> one.getConsumer() == consumer
                                && one.getIncarnation().equals(incarnation))
                        .mapToLong(Confirmation::getReportSequence)
                        .findFirst()
                        .orElse(-1);
    }

    /** Sends again what was not confirmed for three seconds. */
    private void resend() {
        long now = confirmed();
        if (now > confirmed || now + 1 == sequence) {
            confirmed = now;
            quietSince = rig.now();
        } else if (rig.now() - quietSince >= RESEND_MILLIS) {
            quietSince = rig.now();
            List.copyOf(sent).stream()
                    .filter(report -> report.getReportSequence() > now)
                    .forEach(rig::report);
        }
    }

    /** Tells what it did since the last report; nothing where it did nothing. */
    void report() {
        resend();
        if (uses.isEmpty()
                && fencesAnswered.isEmpty()
                && ended.isEmpty()
                && down.isEmpty()
                && discarded.isEmpty()
                && (leftTold || !leaving)) {
            return;
        }
        ConsumptionReport report = ConsumptionReport.newBuilder()
                .setPool(Rig.POOL)
                .setJob(job)
                .setConsumer(consumer)
                .setIncarnation(incarnation())
                .setReportSequence(sequence++)
                .setBatches(List.copyOf(uses))
                .setEnded(List.copyOf(ended))
                .setFencesAnswered(List.copyOf(fencesAnswered))
                .setChannelsDown(List.copyOf(down))
                .setMarks(List.of())
                .setDiscarded(List.copyOf(discarded))
                .setLeft(leaving)
                .setUnsure(leaving && unsure)
                .build();
        uses.clear();
        ended.clear();
        fencesAnswered.clear();
        down.clear();
        discarded.clear();
        leftTold = leaving;
        sent.add(report);
        rig.report(report);
    }

    /** Sends a report once more, as one does that was not confirmed. */
    void repeat(int which) {
        if (!sent.isEmpty()) {
            rig.report(sent.get(Math.floorMod(which, sent.size())));
        }
    }

    void beat() {
        rig.clientBeat(job, consumer, incarnation());
    }
}
