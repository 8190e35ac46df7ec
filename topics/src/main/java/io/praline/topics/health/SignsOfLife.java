package io.praline.topics.health;

import io.praline.schema.Clock;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.WorkerEvent;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.ReaderWaits;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Whether dispatchers live, and what was put away because it could not be taken. */
public final class SignsOfLife {
    /** Workers beat once a second, and a dispatcher writes its clock as often where it knows any. */
    private static final Duration LEAST = Duration.ofMillis(1_500);

    /** A dispatcher on a busy machine is late. */
    private static final Duration MOST = Duration.ofSeconds(10);

    private static final Duration STEP = Duration.ofMillis(200);
    private static final ReaderWaits WAITS = new ReaderWaits(STEP, Duration.ofSeconds(6), Duration.ofSeconds(1));

    private SignsOfLife() {}

    /**
     * Whether somebody serves those who beat. Listens for some seconds.
     *
     * @param dispatchers how many are in the group
     */
    public static List<Finding> dispatchers(
            KafkaSettings kafka, AvroCodec codec, Installation installation, int dispatchers) {
        if (dispatchers == 0) {
            return List.of(Finding.of(
                    "dispatcher",
                    "no dispatcher is in group " + installation.group(),
                    "start one with 'praline up' or 'praline dispatcher'"));
        }
        Set<Integer> unserved = unserved(kafka, codec);
        if (unserved.isEmpty()) {
            return List.of();
        }
        return List.of(Finding.of(
                "dispatcher",
                "nobody serves partition "
                        + String.join(
                                ", ", unserved.stream().map(String::valueOf).toList()) + " of "
                        + Topics.WORKER_HEARTBEATS.name() + ": somebody beats there, and no clock came for "
                        + MOST.toSeconds() + " s",
                "the dispatcher is starting, or stands still: its log says what it waits for"));
    }

    private static Set<Integer> unserved(KafkaSettings kafka, AvroCodec codec) {
        Set<Integer> beaten = new TreeSet<>();
        Set<Integer> served = new TreeSet<>();
        try (TopicReader<WorkerEvent> reader = TopicReader.fromEnd(
                LogSource.passingOver(kafka, codec), Topics.WORKER_HEARTBEATS, Optional.empty(), WAITS)) {
            long began = System.nanoTime();
            long listened = 0;
            while (listened < LEAST.toNanos() || (!served.containsAll(beaten) && listened < MOST.toNanos())) {
                reader.poll(STEP).forEach(entry -> entry.value().ifPresent(event -> {
                    beaten.add(entry.came().partition());
                    if (event.getBody() instanceof Clock) {
                        served.add(entry.came().partition());
                    }
                }));
                listened = System.nanoTime() - began;
            }
        }
        beaten.removeAll(served);
        return beaten;
    }

    /** What is in quarantine: how many records, and what the last one says. */
    public static List<Finding> quarantine(KafkaSettings kafka, AvroCodec codec) {
        long records = 0;
        Optional<QuarantinedRecord> last = Optional.empty();
        try (TopicReader<QuarantinedRecord> reader = TopicReader.fromBeginning(
                LogSource.passingOver(kafka, codec), Topics.QUARANTINE, Optional.empty(), WAITS)) {
            while (!reader.caughtUp()) {
                for (TopicReader.Entry<QuarantinedRecord> entry : reader.poll(STEP)) {
                    if (entry.value().isPresent()) {
                        records++;
                        last = entry.value();
                    }
                }
            }
        }
        long found = records;
        return last.stream().map(record -> quarantined(found, record)).toList();
    }

    static Finding quarantined(long records, QuarantinedRecord last) {
        return Finding.of(
                "records",
                "quarantine holds " + records + (records == 1 ? " record" : " records")
                        + " that could not be taken; the last is "
                        + last.getTopic() + "/" + last.getPartition() + "/" + last.getOffset() + ", put there by "
                        + last.getBy() + ": " + last.getReason(),
                "find out who wrote it; records leave quarantine by themselves after "
                        + Topics.QUARANTINE.retention().toDays() + " days");
    }
}
