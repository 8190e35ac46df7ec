package io.praline.client;

import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * What a stream waits for while nothing comes of the cluster: Kafka that does not answer, or a dispatcher that says nothing
 * to what it was asked. Says so, and gives up when patience is at its end. The watch of the job calls it, but for
 * {@link #asked} and {@link #heard}, which any thread may.
 */
final class ClusterWait {
    private final String kafka;
    private final String job;
    private final Optional<Duration> patience;
    private final Waiting waiting;
    private boolean asks;
    private long askedNanos;

    /**
     * At the submission, which is a question too.
     *
     * @param kafka its address
     * @param patience how long is waited; empty: for ever
     */
    ClusterWait(String kafka, String job, Optional<Duration> patience, ZoneId zone, long nowNanos) {
        this.kafka = kafka;
        this.job = job;
        this.patience = patience;
        this.waiting = new Waiting(zone);
        asked(nowNanos);
    }

    /** Something was told that the dispatcher answers. */
    synchronized void asked(long nowNanos) {
        if (!asks) {
            asks = true;
            askedNanos = nowNanos;
        }
    }

    /** The dispatcher said something of the job. */
    synchronized void heard() {
        asks = false;
    }

    /**
     * Looks how it stands; gives the line to say now.
     *
     * @param silent how long Kafka has not answered
     * @throws ServiceUnreachable if that is longer than anybody wants to wait
     */
    synchronized Optional<String> look(Duration silent, long nowNanos, Instant now) {
        Duration unanswered = asks ? Duration.ofNanos(nowNanos - askedNanos) : Duration.ZERO;
        boolean away = silent.compareTo(Waiting.SAID_AFTER) >= 0;
        String what = away ? "Kafka at " + kafka : "a dispatcher to answer for job " + job;
        Duration time = away ? silent : unanswered;
        if (patience.isPresent() && time.compareTo(patience.get()) >= 0) {
            String reason = "waited " + time.toSeconds() + " s for " + what + " and gives up";
            throw new ServiceUnreachable(
                    reason + (away ? "; check that it runs" : "; 'praline doctor' says what is off"),
                    new TimeoutException(reason));
        }
        return waiting.look(what, time, now);
    }
}
