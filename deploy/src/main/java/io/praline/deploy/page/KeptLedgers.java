package io.praline.deploy.page;

import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.JobFiles;
import io.praline.schema.JobStatus;
import io.praline.schema.LedgerPage;
import io.praline.topics.KafkaSettings;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Ledgers of the jobs that were looked at lately, each with a reader that goes on where it was: a page that looks again costs
 * what has changed. One thread, but for its end.
 */
final class KeptLedgers implements Ledgers, AutoCloseable {
    private static final int MOST_JOBS = 4;

    /** How long is waited for what may have come since. */
    private static final Duration NEWS = Duration.ofMillis(100);

    private final KafkaSettings kafka;
    private final Map<Which, Kept> kept = new LinkedHashMap<>();
    private boolean closed;

    /** An id may be another job's, a month later. */
    private record Which(String job, long submittedAtMillis) {}

    private record Kept(AvroCodec codec, TopicReader<LedgerPage> reader, JobFiles files) implements AutoCloseable {
        void follow() {
            boolean all = reader.caughtUp();
            List<TopicReader.Entry<LedgerPage>> came = all ? reader.poll(NEWS) : reader.drain();
            came.forEach(entry -> files.take(entry.key(), entry.value()));
        }

        @Override
        public void close() {
            reader.close();
            codec.close();
        }
    }

    KeptLedgers(KafkaSettings kafka) {
        this.kafka = kafka;
    }

    @Override
    public synchronized JobFiles of(JobStatus job) {
        if (closed) {
            throw new IllegalStateException("it is closed");
        }
        Which which = new Which(job.getJob(), job.getSubmittedAtMillis());
        Kept its = kept.remove(which);
        if (its == null) {
            its = open(which);
        }
        try {
            its.follow();
        } catch (RuntimeException failed) {
            its.close();
            throw failed;
        }
        kept.put(which, its);
        if (kept.size() > MOST_JOBS) {
            Iterator<Kept> oldest = kept.values().iterator();
            oldest.next().close();
            oldest.remove();
        }
        return its.files();
    }

    private Kept open(Which which) {
        AvroCodec codec = new AvroCodec(kafka);
        try {
            return new Kept(
                    codec,
                    LiveTopics.ofLedger(kafka, codec, which.job(), which.submittedAtMillis()),
                    new JobFiles(which.job()));
        } catch (RuntimeException failed) {
            codec.close();
            throw failed;
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        kept.values().forEach(Kept::close);
        kept.clear();
    }
}
