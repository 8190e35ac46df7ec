package io.praline.client;

import io.praline.client.channel.AttemptChannel;
import io.praline.client.channel.ChannelListener;
import io.praline.client.channel.ChannelPool;
import io.praline.client.channel.ChannelRequest;
import io.praline.client.channel.ReceivedBatch;
import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.stream.Asked;
import io.praline.client.stream.Frame;
import io.praline.client.stream.Moment;
import io.praline.client.stream.StreamEffects;
import io.praline.client.tasks.StatusPace;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.schema.AttemptPlace;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobRequest;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicWriter;
import io.praline.wire.ConsumerToken;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What a stream's core wants done, done: channels on one thread, since opening and closing must keep their order; ticks
 * and records on another, since Kafka may make it wait.
 */
final class StreamLinks implements StreamEffects, AutoCloseable {
    private static final Duration GOODBYE = Duration.ofSeconds(5);

    private final ClientConfig config;
    private final ConsumerIdentity identity;
    private final byte[] secret;
    private final ChannelPool pool;
    private final TopicWriter records;
    private final ClusterWait wait;
    private final ExecutorService channelThread;
    private final ScheduledExecutorService reportThread;
    private final AtomicBoolean hurrying = new AtomicBoolean();
    private final StatusPace statusPace = new StatusPace(System::nanoTime);
    // owned by the channel thread
    private final Map<LaneKey, AttemptChannel> channels = new HashMap<>();
    // set once, before anything runs
    private StreamCore core;
    // set by who opens the stream
    private volatile Optional<Asked> asked = Optional.empty();

    StreamLinks(
            ClientConfig config,
            ConsumerIdentity identity,
            byte[] secret,
            ChannelPool pool,
            TopicWriter records,
            ClusterWait wait) {
        this.config = config;
        this.identity = identity;
        this.secret = secret;
        this.pool = pool;
        this.records = records;
        this.wait = wait;
        this.channelThread = Executors.newSingleThreadExecutor(task -> daemon(task, "praline-channels"));
        this.reportThread = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "praline-reports"));
    }

    /** Begins to report for this core. */
    void start(StreamCore ofStream) {
        core = ofStream;
        long interval = config.reportInterval().toNanos();
        ScheduledFuture<?> unused =
                reportThread.scheduleAtFixedRate(this::tick, interval, interval, TimeUnit.NANOSECONDS);
    }

    /** The dispatcher was asked for the job, where it is new, and for this process's place, which comes last. */
    void asked(List<JobRequest> requests) {
        asked = Optional.of(new Asked(requests, System.nanoTime()));
    }

    /** Waits a moment if nobody waits for news of the job. */
    void rest() throws InterruptedException {
        statusPace.rest();
    }

    // ---- what the core wants

    @Override
    public void open(LaneKey lane, AttemptPlace place, long windowBytes) {
        onChannels(() -> {
            List<String> addresses =
                    config.path().choose(place.getAddresses(), place.getHost().equals(config.host()));
            if (addresses.isEmpty()) {
                core.down(lane, "worker " + place.getWorker() + " has no address for the path " + config.path());
                return;
            }
            channels.put(
                    lane,
                    pool.connect(
                            new ChannelRequest(
                                    lane.attempt(),
                                    new ChannelRequest.Worker(
                                            place.getIncarnation(),
                                            addresses,
                                            config.path().shares()),
                                    new ChannelRequest.Consumer(
                                            identity.consumer(),
                                            lane.generation(),
                                            identity.incarnation(),
                                            () -> token(lane)),
                                    windowBytes),
                            new LaneListener(lane)));
        });
    }

    @Override
    public void close(LaneKey lane) {
        onChannels(() -> {
            AttemptChannel channel = channels.remove(lane);
            if (channel != null) {
                channel.close();
            }
        });
    }

    @Override
    public void confirmed(LaneKey lane, long through) {
        submit(channelThread, () -> Optional.ofNullable(channels.get(lane))
                .ifPresent(channel -> channel.confirmed(through)));
    }

    @Override
    public void hurry() {
        statusPace.hurry();
        if (hurrying.compareAndSet(false, true)) {
            submit(reportThread, this::tick);
        }
    }

    @Override
    public void awaitsNews() {
        statusPace.hurry();
    }

    // ---- what comes from channels

    /** What comes of one channel is of one generation, however late it comes. */
    private final class LaneListener implements ChannelListener {
        private final LaneKey lane;

        private LaneListener(LaneKey lane) {
            this.lane = lane;
        }

        @Override
        public void batch(ReceivedBatch batch) {
            statusPace.batch();
            core.batch(new Frame(
                    batch,
                    lane.generation(),
                    config.traces().map(ways -> ways.came(lane, identity.consumer(), batch.sequence()))));
        }

        @Override
        public void end(AttemptKey attempt, long lastSequence, EndOf of) {
            core.end(lane, lastSequence, of);
        }

        @Override
        public void down(AttemptKey attempt, String reason) {
            core.down(lane, reason);
        }

        @Override
        public void refused(AttemptKey attempt, RefusalCode code, String reason) {
            core.refused(lane, code, reason);
        }
    }

    // ---- on the report thread

    private void tick() {
        try {
            hurrying.set(false);
            StreamCore.Outgoing outgoing = core.tick(now());
            outgoing.reports().forEach(this::send);
            outgoing.beat().ifPresent(this::send);
            asked.ifPresent(this::askAgain);
        } catch (RuntimeException failed) {
            core.failed(failed);
        } catch (Error failed) {
            // the loop would wait for ever: nobody beats for it any more
            core.failed(new IllegalStateException("reports cannot be made any more: " + failed, failed));
            throw failed;
        }
    }

    private void send(ConsumptionReport report) {
        wait.asked(System.nanoTime());
        records.send(
                Topics.CONSUMPTION,
                identity.pool(),
                report,
                () -> core.reportWritten(report.getReportSequence()),
                failed -> core.reportFailed(report.getReportSequence()));
    }

    private void send(ClientHeartbeat beat) {
        // a beat that is lost is followed by the next
        records.send(Topics.CLIENT_HEARTBEATS, identity.pool(), beat, failed -> {});
    }

    private void askAgain(Asked before) {
        for (JobRequest request : before.due(core::isUntold, core::isOutside, System.nanoTime())) {
            records.send(Topics.JOB_REQUESTS, identity.pool(), request, failed -> {});
        }
    }

    private byte[] token(LaneKey lane) {
        return ConsumerToken.mint(
                secret,
                identity.job(),
                identity.consumer(),
                lane.generation(),
                Instant.now().plus(ConsumerToken.LIFE));
    }

    /** Sends what is left, says goodbye, closes the channels. */
    @Override
    public void close() {
        statusPace.hurry();
        submit(reportThread, () -> {
            tick();
            send(core.farewell(System.nanoTime()));
        });
        submit(channelThread, () -> {
            channels.values().forEach(AttemptChannel::close);
            channels.clear();
        });
        reportThread.shutdown();
        channelThread.shutdown();
        try {
            boolean done = reportThread.awaitTermination(GOODBYE.toMillis(), TimeUnit.MILLISECONDS)
                    && channelThread.awaitTermination(GOODBYE.toMillis(), TimeUnit.MILLISECONDS);
            if (!done) {
                reportThread.shutdownNow();
                channelThread.shutdownNow();
            }
        } catch (InterruptedException interrupted) {
            reportThread.shutdownNow();
            channelThread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** This moment, by the host's clocks. */
    static Moment now() {
        return new Moment(System.nanoTime(), System.currentTimeMillis());
    }

    private void onChannels(Runnable task) {
        submit(channelThread, () -> {
            try {
                task.run();
            } catch (RuntimeException failed) {
                core.failed(failed);
            } catch (Error failed) {
                // the loop would wait for ever for what comes of a worker that nobody dials
                core.failed(new IllegalStateException("channels cannot be opened any more: " + failed, failed));
                throw failed;
            }
        });
    }

    private static void submit(ExecutorService thread, Runnable task) {
        try {
            thread.execute(task);
        } catch (RejectedExecutionException closed) {
            // the stream is closed, and with it all that the task was about
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }
}
