package io.praline.dispatcher;

import io.praline.identity.AttemptKey;
import io.praline.identity.TicketRuns;
import io.praline.schema.AttemptPlace;
import io.praline.schema.AttemptRef;
import io.praline.schema.BatchUse;
import io.praline.schema.ChannelDown;
import io.praline.schema.Confirmation;
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
    private final Deque<PretendWorker.Batch> inbox = new ArrayDeque<>();
    private final Set<AttemptKey> answered = new HashSet<>();
    private final Set<AttemptKey> endTold = new HashSet<>();
    private final Map<Integer, Map<Long, Integer>> given = new HashMap<>();
    private final List<ConsumptionReport> sent = new ArrayList<>();
    private final List<BatchUse> uses = new ArrayList<>();
    private final List<AttemptRef> fencesAnswered = new ArrayList<>();
    private final List<AttemptRef> ended = new ArrayList<>();
    private final List<ChannelDown> down = new ArrayList<>();
    private Optional<PretendWorker.Batch> claimed = Optional.empty();
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

    /** How often each ticket was given to the loop. */
    Map<Long, Integer> given(int epoch) {
        return given.getOrDefault(epoch, Map.of());
    }

    /** Whether a channel said that the stream is over. */
    boolean streamOver() {
        return streamOver;
    }

    int shortBatches() {
        return shortBatches;
    }

    /** Takes what lies ready at the workers it knows of. */
    void fetch(int most) {
        JobStatus status = rig.status(job);
        for (AttemptPlace place : status == null ? List.<AttemptPlace>of() : status.getAttempts()) {
            AttemptKey key = new AttemptKey(job, place.getEpoch(), place.getAttempt());
            PretendWorker worker = workers.get(place.getWorker());
            if (place.getFenced()) {
                discard(key);
            } else if (worker != null) {
                for (int i = 0; i < most; i++) {
                    worker.fetch(key, consumer).ifPresent(inbox::add);
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
                    && worker.endReached(key, consumer)
                    && inbox.stream().noneMatch(batch -> batch.attempt().equals(key))
                    && endTold.add(key)) {
                ended.add(reference(key));
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
            fencesAnswered.add(reference(key));
        }
    }

    private static AttemptRef reference(AttemptKey key) {
        return AttemptRef.newBuilder()
                .setEpoch(key.epoch())
                .setAttempt(key.attempt())
                .build();
    }

    /** The loop asks for a batch: the one before is done with. */
    void next() {
        claimed.ifPresent(batch -> uses.add(use(batch, Use.ACKED)));
        claimed = Optional.ofNullable(inbox.poll());
        noteEnds();
        claimed.ifPresent(batch -> {
            shortBatches += batch.tickets().size() % 8 == 0 ? 0 : 1;
            for (long ticket : batch.tickets()) {
                given.computeIfAbsent(batch.attempt().epoch(), none -> new HashMap<>())
                        .merge(ticket, 1, Integer::sum);
            }
            uses.add(use(batch, Use.CLAIMED));
        });
    }

    private static BatchUse use(PretendWorker.Batch batch, Use use) {
        return BatchUse.newBuilder()
                .setEpoch(batch.attempt().epoch())
                .setAttempt(batch.attempt().attempt())
                .setSequence(batch.sequence())
                .setElements(batch.tickets().size())
                .setTickets(ByteBuffer.wrap(TicketRuns.encode(
                        batch.tickets().stream().mapToLong(Long::longValue).toArray())))
                .setUse(use)
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
        if (uses.isEmpty() && fencesAnswered.isEmpty() && ended.isEmpty() && down.isEmpty()) {
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
                .build();
        uses.clear();
        ended.clear();
        fencesAnswered.clear();
        down.clear();
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
