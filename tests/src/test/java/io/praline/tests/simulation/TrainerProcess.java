package io.praline.tests.simulation;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.praline.client.Batch;
import io.praline.client.JobFailed;
import io.praline.client.OpenStream;
import io.praline.client.channel.AttemptChannel;
import io.praline.client.channel.ChannelListener;
import io.praline.client.channel.ChannelRequest;
import io.praline.client.channel.ReceivedBatch;
import io.praline.client.channel.VirtualChannels;
import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.stream.Asked;
import io.praline.client.stream.Frame;
import io.praline.client.stream.Moment;
import io.praline.client.stream.StreamEffects;
import io.praline.identity.AttemptKey;
import io.praline.identity.LaneKey;
import io.praline.schema.Attach;
import io.praline.schema.AttemptPlace;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.topics.Topics;
import io.praline.topics.log.PendingPages;
import io.praline.wire.ConsumerToken;
import io.praline.wire.EndOf;
import io.praline.wire.RefusalCode;
import java.net.ConnectException;
import java.nio.LongBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A training process that has one consumer's place: its loop, its stream, its channels, its watch of the job. */
final class TrainerProcess extends Host {
    private static final long TICK = 500_000;
    private static final long SOON = 200;
    private static final long STEP = 50_000;

    /** Batches that a loop may not be done with, of those that say so by themselves. */
    private static final int MOST_UNDONE = 4;

    private static final int A_SLOW_ONE_IN = 3;
    private static final long LATEST_TAKE = 4_000_000;

    private static final int A_PIECE = 24;
    private static final int WHOLE = 256 << 10;

    private final Setting setting;
    private final Witness witness;
    private final Trainers trainers;
    private final int consumer;
    private final String incarnation;
    private final OpenStream stream;
    private final EmbeddedChannel home;
    private final VirtualChannels channels;
    private final Map<LaneKey, AttemptChannel> open = new HashMap<>();
    private final long stepMicros;
    private final ClaimOfPlace claim;
    private final ReportWitness told;
    private final boolean manual;
    /** Those that its loop has had and is not done with, where it says so by itself. */
    private final List<Batch> undone = new ArrayList<>();

    /** Pages of statuses whose heads have not come. */
    private final PendingPages pages = new PendingPages();

    private Optional<Asked> asked = Optional.empty();
    private Optional<Doze> doze = Optional.empty();
    private Optional<Batch> current = Optional.empty();
    private Ending ending = Ending.NONE;
    private boolean asking;
    private boolean hurrying;
    private boolean hanging;
    private boolean left;
    private boolean unsure;
    private int taken;
    private long waitingSince;
    private Moment readyAt;
    private long leftAt;

    /** How far its loop is from its end. */
    enum Ending {
        NONE,
        /** It was told that nothing follows. */
        OVER,
        /** It left before the end. */
        LEFT,
        /** Another process has its place, or the job failed. */
        FAILED
    }

    /**
     * A stop between hearing that a batch is there and taking it.
     *
     * @param begins what happens besides when it begins
     */
    private record Doze(long micros, Runnable begins) {}

    /** Who else there is. */
    interface Trainers {
        List<TrainerProcess> all();

        /** Connects to the worker of an address, if it is there. */
        Optional<WorkerProcess> worker(String address);

        /** The wires of a client are kept to be broken. */
        void add(Wire wire);

        /** What happens in lockstep with others: runs the step once all have asked for it. */
        boolean mayStep(TrainerProcess loop);
    }

    TrainerProcess(
            Setting setting,
            Witness witness,
            Trainers trainers,
            String host,
            int consumer,
            String incarnation,
            boolean owner) {
        super(setting.world(), host);
        this.setting = setting;
        this.witness = witness;
        this.trainers = trainers;
        this.consumer = consumer;
        this.incarnation = incarnation;
        this.stepMicros = world().micros(20_000, 400_000);
        this.home = EmbeddedChannel.builder().ticker(world().ticker()).build();
        this.channels = new VirtualChannels(home.eventLoop(), this::connect);
        this.claim = new ClaimOfPlace(consumer, incarnation);
        this.told = new ReportWitness(what -> witness.violated(this + " " + what));
        this.manual = setting.manner().manual();
        this.readyAt = now();
        this.stream = new OpenStream(
                new ConsumerIdentity(witness.pool(), witness.job(), consumer, incarnation, name()),
                owner,
                manual,
                Duration.ofSeconds(30),
                setting.manner().pieces() ? A_PIECE : WHOLE,
                new Effects());
        after(TICK, this::tick);
    }

    /** Batches that its loop was given. */
    int taken() {
        return taken;
    }

    int consumer() {
        return consumer;
    }

    Ending ending() {
        return ending;
    }

    boolean isOver() {
        return ending != Ending.NONE;
    }

    /** Whether it has or may get batches. */
    boolean mayStillTrain() {
        return !isDead() && ending == Ending.NONE;
    }

    String incarnation() {
        return incarnation;
    }

    /** By what it can know it may hand batches to its loop. */
    boolean holdsPlace() {
        return claim.holds(now());
    }

    /**
     * Watches the job from this status on, and asks for its place.
     *
     * @param before what is asked for first: the job, where it is new
     * @param replace whether it says that whoever has the place is dead
     */
    void attach(int fromStatus, List<Object> before, boolean replace) {
        setting.kafka().read(this, Topics.JOBS, fromStatus, 120_000, entry -> {
            entry.whole(pages, witness.job()).ifPresent(whole -> status(Kafka.value(Topics.JOBS, whole)));
        });
        stream.attaching(now());
        claim.sent(0, now());
        List<JobRequest> requests = new ArrayList<>();
        before.forEach(body -> requests.add(request(witness.job(), body)));
        requests.add(request(witness.job(), new Attach(consumer, incarnation, name(), replace, "", "")));
        requests.forEach(this::ask);
        asked = Optional.of(new Asked(requests, world().nanos()));
        ask();
    }

    JobRequest request(String job, Object body) {
        return new JobRequest(witness.pool(), job, incarnation, body);
    }

    /** Writes a request; a process that cannot ends. */
    void ask(JobRequest request) {
        setting.kafka().send(this, Topics.JOB_REQUESTS, witness.pool(), request, () -> {}, this::kill);
    }

    /** The loop asks no more, and leaves in order. */
    void leave() {
        if (ending == Ending.NONE) {
            undone.forEach(this::unfinished);
            current.ifPresent(this::unfinished);
            end(Ending.LEFT);
        }
    }

    private void unfinished(Batch batch) {
        witness.unfinished(this, batch.epoch(), numbers(batch));
    }

    /** The loop is gone, and nobody knows what it was done with. */
    void leaveUnsure() {
        if (ending == Ending.NONE) {
            unsure = true;
            end(Ending.LEFT);
        }
    }

    /** The loop's step takes so long. */
    void hang(long micros) {
        hanging = true;
        after(micros, this::goOn);
    }

    /** When it hears next that a batch is there it is stopped for so long before it takes it. */
    void doze(long micros, Runnable begins) {
        doze = Optional.of(new Doze(micros, begins));
    }

    /** The step that takes so long is over. */
    void goOn() {
        hanging = false;
        ask();
    }

    @Override
    void bury() {
        current.ifPresent(Batch::close);
        undone.forEach(Batch::close);
        stream.close();
        home.finishAndReleaseAll();
    }

    @Override
    long loops() {
        home.runPendingTasks();
        long in = home.runScheduledPendingTasks();
        return in < 0 ? Long.MAX_VALUE : world().nanos() + in;
    }

    private Moment now() {
        return new Moment(world().nanos(), wallMillis());
    }

    // ---- the loop

    /** Something is new: the loop looks, if it waits. */
    private void ask() {
        if (!asking && !isOver()) {
            asking = true;
            after(SOON, this::look);
        }
    }

    private void look() {
        asking = false;
        if (isOver() || hanging) {
            return;
        }
        if (current.isPresent() && !trainers.mayStep(this)) {
            asking = true;
            after(STEP, this::look);
            return;
        }
        try {
            OpenStream.Turn turn = stream.turn(now());
            current.ifPresent(this::had);
            current = Optional.empty();
            switch (turn) {
                case WAIT -> {}
                case OVER -> over();
                case READY -> {
                    readyAt = now();
                    takeNowOrSoon();
                }
            }
        } catch (JobFailed failed) {
            end(Ending.FAILED);
        }
    }

    /** A loop that was told that a batch is there may take its time until it asks for it. */
    private void takeNowOrSoon() {
        if (doze.isPresent()) {
            Doze now = doze.get();
            doze = Optional.empty();
            asking = true;
            after(world().micros(1_000, LATEST_TAKE), this::take);
            stop();
            world().after(now.micros(), this::resume);
            now.begins().run();
        } else if (setting.manner().slow() && world().random().nextInt(A_SLOW_ONE_IN) == 0) {
            asking = true;
            after(world().micros(1_000, LATEST_TAKE), this::take);
        } else {
            take();
        }
    }

    private void take() {
        asking = false;
        if (isOver()) {
            return;
        }
        if (hanging) {
            asking = true;
            after(STEP, this::take);
            return;
        }
        try {
            Moment at = setting.looking() ? now() : readyAt;
            stream.take(at, world().nanos() - waitingSince).ifPresentOrElse(this::train, this::ask);
        } catch (JobFailed failed) {
            end(Ending.FAILED);
        }
    }

    /** The loop has gone past a batch: it is done with it now, or will be at some time. */
    private void had(Batch batch) {
        if (!manual) {
            batch.close();
            return;
        }
        undone.add(batch);
        while (undone.size() > world().random().nextInt(MOST_UNDONE)) {
            done(undone.remove(world().random().nextInt(undone.size())));
        }
    }

    private static void done(Batch batch) {
        batch.acknowledge();
        batch.close();
    }

    private void train(Batch batch) {
        taken++;
        if (!claim.mayHandOut(now())) {
            witness.violated(this + " is given a batch though its lease is over");
        }
        witness.handedOut(this, batch.epoch(), numbers(batch));
        current = Optional.of(batch);
        asking = true;
        waitingSince = world().nanos();
        after(stepMicros, this::look);
    }

    /** What the elements of a batch are: the tickets that they carry, or would. */
    private static long[] numbers(Batch batch) {
        LongBuffer values = batch.component(0).longs();
        long[] numbers = new long[values.remaining()];
        values.get(numbers);
        if (batch.tickets().length > 0 && !Arrays.equals(batch.tickets(), numbers)) {
            throw new IllegalStateException(
                    batch + " holds " + Arrays.toString(numbers) + " under " + Arrays.toString(batch.tickets()));
        }
        return numbers;
    }

    private void over() {
        witness.toldOver(this);
        end(Ending.OVER);
    }

    private void end(Ending how) {
        ending = how;
        if (how == Ending.OVER) {
            undone.forEach(Batch::acknowledge);
        }
        undone.forEach(Batch::close);
        undone.clear();
        current.ifPresent(Batch::close);
        current = Optional.empty();
        leftAt = world().nanos();
        if (how == Ending.OVER) {
            goAwayOnceFinal();
        } else {
            goAway();
        }
    }

    /** As a stream is closed: at its end it waits a while for the ledger. */
    private void goAwayOnceFinal() {
        boolean done = stream.status()
                .map(JobStatus::getState)
                .filter(state -> state != JobState.RUNNING && state != JobState.WAITING && state != JobState.PLANNING)
                .isPresent();
        if (done || world().nanos() - leftAt > Duration.ofSeconds(10).toNanos()) {
            goAway();
        } else {
            after(50_000, this::goAwayOnceFinal);
        }
    }

    private void goAway() {
        stream.leave(unsure);
        left = true;
        leftAt = world().nanos();
        exitOnceSettled();
    }

    private void exitOnceSettled() {
        if (stream.isSettled()
                || (stream.isWritten()
                        && world().nanos() - leftAt > Duration.ofSeconds(5).toNanos())) {
            stream.close();
            tickNow();
            setting.kafka().send(this, Topics.CLIENT_HEARTBEATS, witness.pool(), stream.farewell(world().nanos()));
            open.values().forEach(AttemptChannel::close);
            open.clear();
            after(seconds(2), this::kill);
        } else {
            after(50_000, this::exitOnceSettled);
        }
    }

    // ---- reports and statuses

    private void tick() {
        tickNow();
        after(TICK, this::tick);
    }

    private void tickNow() {
        OpenStream.Outgoing outgoing = stream.tick(now());
        for (ConsumptionReport report : outgoing.reports()) {
            told.reports(report);
            setting.kafka()
                    .send(
                            this,
                            Topics.CONSUMPTION,
                            witness.pool(),
                            report,
                            () -> stream.reportWritten(report.getReportSequence()),
                            () -> stream.reportFailed(report.getReportSequence()));
        }
        outgoing.beat().ifPresent(beat -> {
            claim.sent(beat.getBeat(), now());
            setting.kafka().send(this, Topics.CLIENT_HEARTBEATS, witness.pool(), beat);
        });
        asked.ifPresent(before ->
                before.due(stream::isUntold, stream::isOutside, world().nanos()).forEach(this::askAgain));
    }

    private void askAgain(JobRequest request) {
        setting.kafka().send(this, Topics.JOB_REQUESTS, witness.pool(), request);
    }

    private void status(JobStatus status) {
        claim.follow(status);
        stream.status(setting.seeing().seen(status, incarnation), now());
        ask();
    }

    // ---- channels

    /** What the stream wants done; in the order in which it wants it. */
    private final class Effects implements StreamEffects {
        @Override
        public void open(LaneKey lane, AttemptPlace place, long windowBytes) {
            after(
                    SOON,
                    () -> open.put(
                            lane,
                            channels.connect(
                                    new ChannelRequest(
                                            lane.attempt(),
                                            new ChannelRequest.Worker(
                                                    place.getIncarnation(), place.getAddresses(), false),
                                            new ChannelRequest.Consumer(
                                                    consumer, lane.generation(), incarnation, () -> token(lane)),
                                            windowBytes),
                                    new Listener(lane))));
        }

        @Override
        public void close(LaneKey lane) {
            after(SOON, () -> Optional.ofNullable(open.remove(lane)).ifPresent(AttemptChannel::close));
        }

        @Override
        public void confirmed(LaneKey lane, long through) {
            after(SOON, () -> Optional.ofNullable(open.get(lane)).ifPresent(channel -> channel.confirmed(through)));
        }

        @Override
        public void hurry() {
            if (!hurrying) {
                hurrying = true;
                after(SOON, () -> {
                    hurrying = false;
                    tickNow();
                });
            }
        }

        @Override
        public void awaitsNews() {}
    }

    private byte[] token(LaneKey lane) {
        return ConsumerToken.mint(
                Setting.secret(),
                witness.job(),
                consumer,
                lane.generation(),
                Instant.ofEpochMilli(wallMillis()).plus(Duration.ofHours(1)));
    }

    private ChannelFuture connect(String address, Supplier<ChannelHandler[]> handlers) {
        Optional<WorkerProcess> worker = trainers.worker(address);
        boolean cut = worker.filter(one -> world().isCut(name(), one.name())).isPresent();
        if (worker.isEmpty() || cut) {
            EmbeddedChannel nobody =
                    EmbeddedChannel.builder().ticker(world().ticker()).build();
            ChannelPromise promise = new DefaultChannelPromise(nobody, home.eventLoop());
            after(
                    cut ? seconds(1) : world().micros(100, 2_000),
                    () -> promise.setFailure(new ConnectException("connection refused")));
            return promise;
        }
        Wire wire = new Wire(world(), this, worker.get());
        EmbeddedChannel made = wire.client().make(handlers.get());
        ChannelPromise promise = new DefaultChannelPromise(made, home.eventLoop());
        after(world().micros(100, 2_000), () -> {
            trainers.add(wire);
            worker.get().run(() -> {
                wire.worker().make(worker.get().server().handlers());
                wire.worker().connect();
            });
            wire.client().connect();
            promise.setSuccess();
            if (worker.get().isDead()) {
                wire.reset();
            }
        });
        return promise;
    }

    private final class Listener implements ChannelListener {
        private final LaneKey lane;

        private Listener(LaneKey lane) {
            this.lane = lane;
        }

        @Override
        public void batch(ReceivedBatch batch) {
            stream.batch(new Frame(batch, lane.generation(), Optional.empty()));
            ask();
        }

        @Override
        public void end(AttemptKey attempt, long lastSequence, EndOf of) {
            stream.end(lane, lastSequence, of);
            ask();
        }

        @Override
        public void down(AttemptKey attempt, String reason) {
            stream.down(lane, reason);
        }

        @Override
        public void refused(AttemptKey attempt, RefusalCode code, String reason) {
            stream.refused(lane, code, reason);
            ask();
        }
    }

    /** Open channels. */
    int channels() {
        return open.size();
    }

    @Override
    public String toString() {
        return name() + " (" + incarnation + ")";
    }

    /** Whether it said that it uses nothing any more. */
    boolean hasLeft() {
        return left;
    }
}
