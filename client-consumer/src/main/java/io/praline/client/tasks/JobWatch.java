package io.praline.client.tasks;

import io.praline.schema.JobStatus;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Topics;
import io.praline.topics.log.LogSource;
import io.praline.topics.log.ReaderWaits;
import io.praline.topics.log.TopicReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The statuses of one job, or of all, as they are written: the position is taken before it is given, so that nothing
 * written after that is missed. One thread of its own, which owns the reader.
 */
public final class JobWatch implements AutoCloseable {
    private static final Duration FETCH_WAIT = Duration.ofMillis(50);
    private static final Duration GOODBYE = Duration.ofSeconds(2);
    private static final ReaderWaits WAITS = new ReaderWaits(FETCH_WAIT, Duration.ofSeconds(8), GOODBYE);
    private static final Duration REGISTRY_RETRY = Duration.ofMillis(500);

    /** A cluster that was silent for so long may be another one when it answers. */
    private static final Duration AWAY = Duration.ofSeconds(2);

    private final LogSource source;
    private final Optional<String> job;
    private final TopicReader<JobStatus> reader;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    // owned by the thread
    private boolean heard;
    private boolean away;

    private JobWatch(
            LogSource source,
            Optional<String> job,
            TopicReader<JobStatus> reader,
            List<JobStatus> newest,
            JobListener listener) {
        this.source = source;
        this.job = job;
        this.reader = reader;
        this.thread = new Thread(() -> watch(listener, newest), "praline-job-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * What is written of this job from now on.
     *
     * @throws ServiceUnreachable if Kafka does not answer within ten seconds, has no topic of jobs, or does not allow it
     *     to be read
     */
    public static JobWatch fromNow(LogSource source, String job, JobListener listener) {
        return new JobWatch(
                source,
                Optional.of(job),
                TopicReader.fromEnd(source, Topics.JOBS, Optional.of(job), WAITS),
                List.of(),
                listener);
    }

    /**
     * The newest status of this job, or of each where none is named, and what is written from then on. The listener hears
     * the newest ones on the watch's thread as well.
     *
     * @throws ServiceUnreachable as by {@link #fromNow}, or if the registry does not answer
     */
    public static JobWatch fromNewest(LogSource source, Optional<String> job, JobListener listener) {
        TopicReader<JobStatus> reader = TopicReader.fromBeginning(source, Topics.JOBS, job, WAITS);
        try {
            return new JobWatch(source, job, reader, newest(reader), listener);
        } catch (RuntimeException failed) {
            reader.close();
            throw failed;
        }
    }

    /**
     * The newest status of this job, or of each where none is named, oldest job first.
     *
     * @throws ServiceUnreachable as by {@link #fromNewest}
     */
    public static List<JobStatus> newest(LogSource source, Optional<String> job) {
        try (TopicReader<JobStatus> reader = TopicReader.fromBeginning(source, Topics.JOBS, job, WAITS)) {
            return newest(reader).stream()
                    .sorted((one, other) -> Long.compare(one.getSubmittedAtMillis(), other.getSubmittedAtMillis()))
                    .toList();
        }
    }

    private static List<JobStatus> newest(TopicReader<JobStatus> reader) {
        return reader.newest().stream().flatMap(entry -> entry.value().stream()).toList();
    }

    private void watch(JobListener listener, List<JobStatus> newest) {
        try (reader) {
            heard = !newest.isEmpty();
            newest.forEach(listener::status);
            while (stopping.getCount() > 0) {
                List<TopicReader.Entry<JobStatus>> came = pollPatiently();
                for (TopicReader.Entry<JobStatus> entry : came) {
                    heard |= entry.value().isPresent();
                    entry.value().ifPresent(listener::status);
                }
                if (!came.isEmpty()) {
                    listener.heard();
                }
                Duration silent = reader.silent();
                listener.silent(silent);
                if (cameBackWithoutTheJob(silent)) {
                    listener.failed(new JobLost(source.kafka(), job.orElseThrow()));
                    return;
                }
                listener.rest();
            }
        } catch (RuntimeException failed) {
            listener.failed(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            listener.failed(new IllegalStateException("the watch was interrupted", interrupted));
        } catch (Error failed) {
            // whoever waits for news would wait for ever
            listener.failed(new IllegalStateException("the watch broke: " + failed, failed));
            throw failed;
        }
    }

    /** Whether Kafka was away, answers again, and has nothing of a job that it had known. */
    private boolean cameBackWithoutTheJob(Duration silent) {
        if (silent.compareTo(AWAY) >= 0) {
            away = true;
            return false;
        }
        if (!away || !heard || job.isEmpty()) {
            return false;
        }
        try {
            boolean lost = newest(source, job).isEmpty();
            away = false;
            return lost;
        } catch (ServiceUnreachable notYet) {
            // it has just come back: looked at again
            return false;
        }
    }

    // a registry that is away for a moment must not end a running job
    private List<TopicReader.Entry<JobStatus>> pollPatiently() throws InterruptedException {
        while (true) {
            try {
                return reader.poll(FETCH_WAIT);
            } catch (ServiceUnreachable away) {
                if (ServiceUnreachable.isRefusal(away)) {
                    throw away;
                }
                if (stopping.await(REGISTRY_RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return List.of();
                }
            }
        }
    }

    /** Stops it; the listener is not called any more when it returns. Not to be called by the listener. */
    @Override
    public void close() {
        stopping.countDown();
        reader.wakeUp();
        try {
            thread.join(GOODBYE.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
