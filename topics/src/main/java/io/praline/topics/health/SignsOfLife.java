package io.praline.topics.health;

import io.praline.schema.Clock;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.QuarantinedRecord;
import io.praline.schema.WorkerEvent;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.ReaderWaits;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Whether dispatchers live, and know what is told, and what was put away because it could not be taken. */
public final class SignsOfLife {
    /** Workers beat once a second, and a dispatcher writes its clock as often where it knows any. */
    private static final Duration LEAST = Duration.ofMillis(1_500);

    /** Whoever hears nothing for so long is in an installation in which nobody is. */
    private static final Duration QUIET = Duration.ofSeconds(4);

    /** A dispatcher on a busy machine is late. */
    private static final Duration MOST = Duration.ofSeconds(10);

    /** A dispatcher tells of each open job again after 5 s. */
    private static final Duration UNTOLD = Duration.ofMinutes(1);

    private static final Duration STEP = Duration.ofMillis(200);
    private static final ReaderWaits WAITS = new ReaderWaits(STEP, Duration.ofSeconds(6), Duration.ofSeconds(1));

    private SignsOfLife() {}

    /**
     * Who beats, and who is served.
     *
     * @param beaten partitions of the log of beats in which somebody was heard
     * @param clocks log time of the newest clock in those that a dispatcher serves, in milliseconds since 1970
     */
    public record Heard(Set<Integer> beaten, Map<Integer, Long> clocks) {
        /** Where nobody was listened to. */
        public static final Heard NOTHING = new Heard(Set.of(), Map.of());
    }

    /** Listens for some seconds; longer where no clock comes in partitions in which one should. */
    public static Heard listen(KafkaSettings kafka, AvroCodec codec, Set<Integer> expected) {
        Set<Integer> beaten = new TreeSet<>();
        Map<Integer, Long> clocks = new TreeMap<>();
        try (TopicReader<WorkerEvent> reader = TopicReader.fromEnd(
                LogSource.passingOver(kafka, codec), Topics.WORKER_HEARTBEATS, Optional.empty(), WAITS)) {
            long began = System.nanoTime();
            long listened = 0;
            while (listened < LEAST.toNanos()
                    || (clocks.isEmpty() && listened < QUIET.toNanos())
                    || (!(clocks.keySet().containsAll(beaten) && clocks.keySet().containsAll(expected))
                            && listened < MOST.toNanos())) {
                reader.poll(STEP).forEach(entry -> entry.value().ifPresent(event -> {
                    beaten.add(entry.came().partition());
                    if (event.getBody() instanceof Clock) {
                        clocks.put(entry.came().partition(), entry.timestampMillis());
                    }
                }));
                listened = System.nanoTime() - began;
            }
        }
        return new Heard(beaten, clocks);
    }

    /**
     * Whether somebody serves those who beat.
     *
     * @param dispatchers how many are in the group
     */
    public static List<Finding> dispatchers(Installation installation, int dispatchers, Heard heard) {
        if (dispatchers == 0) {
            return List.of(Finding.of(
                    "dispatcher",
                    "no dispatcher is in group " + installation.group(),
                    "start one with 'praline up' or 'praline dispatcher'"));
        }
        Set<Integer> unserved = new TreeSet<>(heard.beaten());
        unserved.removeAll(heard.clocks().keySet());
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

    /**
     * A job that is told as open.
     *
     * @param state in which it is told
     * @param partition in which its dispatcher writes a clock
     * @param atMillis when it was told last, by that clock
     */
    public record Open(JobState state, int partition, long atMillis) {}

    /**
     * Jobs that are told as open, by id.
     *
     * @param partitions of the log of beats
     */
    public static SortedMap<String, Open> openJobs(KafkaSettings kafka, AvroCodec codec, int partitions) {
        SortedMap<String, Open> jobs = new TreeMap<>();
        try (TopicReader<JobStatus> reader =
                TopicReader.fromBeginning(LogSource.passingOver(kafka, codec), Topics.JOBS, Optional.empty(), WAITS)) {
            while (!reader.caughtUp()) {
                for (TopicReader.Entry<JobStatus> entry : reader.poll(STEP)) {
                    jobs.remove(entry.key());
                    entry.value()
                            .filter(status -> isOpen(status.getState()))
                            .ifPresent(status -> jobs.put(
                                    entry.key(),
                                    new Open(
                                            status.getState(),
                                            Topics.partitionOf(status.getPool(), partitions),
                                            status.getChangedAtMillis())));
                }
            }
        }
        return jobs;
    }

    private static boolean isOpen(JobState state) {
        return switch (state) {
            case PLANNING, WAITING, RUNNING -> true;
            case COMPLETED, FAILED, CANCELLED -> false;
        };
    }

    /**
     * Jobs that are told as open and that the dispatcher of their pool does not know. One that goes on tells of each again every
     * few seconds, and says when, by the stamps that its clock has: no two brokers' are compared. One that knows of nobody
     * writes no clock, as one that is starting, or stands still; where somebody beats, that is said by {@link #dispatchers}.
     */
    public static List<Finding> lostJobs(SortedMap<String, Open> open, Heard heard) {
        List<Finding> lost = new ArrayList<>();
        open.forEach((id, job) -> {
            Long clock = heard.clocks().get(job.partition());
            String told = "job " + id + " is told as " + job.state();
            if (clock != null && clock - job.atMillis() >= UNTOLD.toMillis()) {
                lost.add(Finding.of(
                        "state",
                        told
                                + ", and the dispatcher of its pool, which goes on, knows nothing of it: its state is lost",
                        "submit it again, under another id"));
            } else if (clock == null && !heard.beaten().contains(job.partition())) {
                lost.add(Finding.of(
                        "state",
                        told + ", and no clock came for " + MOST.toSeconds() + " s in partition " + job.partition()
                                + " of " + Topics.WORKER_HEARTBEATS.name()
                                + ", where a dispatcher writes one that knows"
                                + " of a job: it is starting, stands still, or its state is lost",
                        "its log says what it waits for; where that is nothing, submit the job again, under another"
                                + " id"));
            }
        });
        return lost;
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
