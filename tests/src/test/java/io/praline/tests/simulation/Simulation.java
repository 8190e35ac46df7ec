package io.praline.tests.simulation;

import io.praline.identity.AttemptKey;
import io.praline.identity.Ticket;
import io.praline.schema.Cancel;
import io.praline.schema.ConsumerState;
import io.praline.schema.GiveUp;
import io.praline.schema.Guarantee;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.Pause;
import io.praline.schema.Pin;
import io.praline.schema.Submit;
import io.praline.topics.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;

/** One schedule: the world that it takes place in, who starts whom again, and what is found. */
final class Simulation implements TrainerProcess.Trainers {
    static final String JOB = "job";

    /** One that shares the workers, where there is one. */
    private static final String SECOND = "second";

    /** Bad records that jobs tolerate where one is deadly: those that die beside it may be taken for some. */
    private static final int TOLERATED = 60;

    private static final int FIRST_PARTITION = Topics.partitionOf(Setting.POOL, 2);

    /** The pool of the second job, where it has one of its own. */
    private static final String BESIDE = pool(FIRST_PARTITION);

    private static final String ELSEWHERE = pool(1 - FIRST_PARTITION);

    private static final int USUAL_PATIENCE = 600;
    private static final int LONGER = 3;
    private static final int A_THROW_IN = 300;
    private static final long LATEST_SECOND = 40_000_000;

    /** So many workers that are lost while they plan a job are taken for its fault. */
    private static final int MOST_PLANNERS_LOST = 5;

    /** Every record about it makes a turn throw. */
    private static final String POISONED = "poisoned";

    /** How long everything may take once nothing goes wrong any more. */
    private static final Duration MOST = Duration.ofSeconds(1_000);

    /** Where a record is deadly, which is found death by death. */
    private static final Duration MOST_WITH_DEATHS = Duration.ofSeconds(4_000);

    /** All that is healed at last is healed then. */
    private static final long HEALED_MILLIS = Fault.LAST_MILLIS + 30_000;

    /** How long those who are done may take to go. */
    private static final Duration REST = Duration.ofSeconds(40);

    /** How long a worker waits for what was stopped and does not end. */
    private static final Duration COMES_BACK = Duration.ofSeconds(75);

    private final Schedule schedule;
    private final World world;
    private final Kafka kafka;
    private final Setting setting;
    private final List<Witness> witnesses = new ArrayList<>();
    private final OptionalLong deadly;
    private final Dispatchers dispatching;
    private final Mendings mendings;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final List<Wire> wires = new ArrayList<>();
    private final List<WorkerProcess> gone = new ArrayList<>();
    private int lives;
    private int outOfBudget;
    private boolean healed;
    private long steps;

    /** A consumer's place, as whoever runs the training sees it. */
    private static final class Place {
        private final Witness witness;
        private final int consumer;
        private final List<TrainerProcess> processes = new ArrayList<>();
        private boolean starting;

        private Place(Witness witness, int consumer) {
            this.witness = witness;
            this.consumer = consumer;
        }

        /** The host on which its processes run. */
        private String host() {
            return (witness.job().equals(JOB) ? "c" : "d") + consumer;
        }

        private Optional<TrainerProcess> newest() {
            return processes.isEmpty() ? Optional.empty() : Optional.of(processes.get(processes.size() - 1));
        }
    }

    /**
     * What came of it.
     *
     * @param violations what must not be, in the order in which it was seen
     * @param millis of virtual time
     * @param steps how often something happened
     * @param twice elements that loops were given twice, all on record
     * @param onRecord elements that are on record as possibly given twice
     * @param outOfBudget jobs that failed, as they say, since too many workers were lost while they planned them
     */
    record Result(
            Schedule schedule,
            List<String> violations,
            long millis,
            long steps,
            long twice,
            long onRecord,
            int outOfBudget) {
        boolean holds() {
            return violations.isEmpty();
        }

        @Override
        public String toString() {
            return String.join("\n", violations) + "\n" + schedule.java();
        }
    }

    Simulation(Schedule schedule, Mendings mendings) {
        this.schedule = schedule;
        this.mendings = mendings;
        this.world = new World(schedule.seed());
        Schedule.Scene scene = schedule.scene();
        Schedule.Extent extent = scene.extent();
        this.kafka = new Kafka(world, extent.pools() == Schedule.Pools.TWO_PARTITIONS ? 2 : 1);
        kafka.rewrite(mendings.rewriting().get());
        Random drawn = new Random(schedule.seed() * 31 + 7);
        Setting.Data random = Setting.Data.random(drawn);
        int batch = 1 + drawn.nextInt(8);
        int shuffle = 1 + drawn.nextInt(12);
        int filter = drawn.nextBoolean() ? 0 : 5;
        long usual = 20_000 + (long) (drawn.nextDouble() * 500_000);
        Setting.Data longer = scene.reorders() ? random.times(LONGER) : random;
        Setting.Data often = extent.epochs() > 0 ? random.inEpochs(extent.epochs()) : longer;
        Setting.Data data = scene.deadly() ? longer.inOneEpoch() : often;
        int split = drawn.nextInt(data.splits());
        this.deadly = scene.deadly()
                ? OptionalLong.of(Ticket.of(split, drawn.nextInt(data.records(split))))
                : OptionalLong.empty();
        PretendedGraph.Shape shape = new PretendedGraph.Shape(
                batch, scene.untracked() ? 1 : shuffle, filter, !scene.untracked(), bad(data, drawn));
        witnesses.add(new Witness(world, data, shape, JOB, Setting.POOL, extent.untolerated(), patience()));
        if (scene.second()) {
            witnesses.add(new Witness(world, data, shape, SECOND, poolOfSecond(), extent.untolerated(), patience()));
        }
        if (scene.uncertain()) {
            kafka.uncertain();
        }
        kafka.lossy(scene.course().lossy());
        this.setting = new Setting(
                world,
                kafka,
                data,
                shape,
                worker -> world.micros(usual / 2, usual * 3 / 2),
                first()::violated,
                mendings.seeing(),
                mendings.looking(),
                scene,
                new Setting.Stores(folder(), budget(drawn), mendings.skipped()),
                this::reads);
        Consumer<String> rowsBroken = first()::violated;
        this.dispatching = new Dispatchers(IntStream.range(0, kafka.partitions())
                .mapToObj(number -> new Dispatching(
                        world,
                        kafka,
                        number,
                        this::told,
                        new Books(rowsBroken),
                        mendings.contained(),
                        this::forgets,
                        scene.course(),
                        this::asksAgain))
                .toList());
    }

    /** Seconds for which jobs wait for a consumer. */
    private int patience() {
        int told = schedule.scene().course().patience();
        return told > 0 ? told : USUAL_PATIENCE;
    }

    /** A request is read again: what had been given up then may be so once more. */
    private void asksAgain(JobRequest request) {
        if (request.getBody() instanceof GiveUp gone) {
            places.stream()
                    .filter(place ->
                            place.witness.job().equals(request.getJob()) && place.consumer == gone.getConsumer())
                    .forEach(place -> place.processes.forEach(place.witness::writtenOff));
        }
    }

    /** A pool in this one of two partitions. */
    private static String pool(int partition) {
        return IntStream.range(0, 100)
                .mapToObj(number -> "pool-" + number)
                .filter(name -> Topics.partitionOf(name, 2) == partition)
                .findFirst()
                .orElseThrow();
    }

    private String poolOfSecond() {
        return switch (schedule.scene().extent().pools()) {
            case ONE -> Setting.POOL;
            case TWO -> BESIDE;
            case TWO_PARTITIONS -> ELSEWHERE;
        };
    }

    /** Records that fail, but not the one that is deadly. */
    private Set<Long> bad(Setting.Data data, Random drawn) {
        Set<Long> bad = new TreeSet<>();
        while (bad.size() < Math.min(schedule.scene().extent().bad(), data.elements() / 2)) {
            int split = drawn.nextInt(data.splits());
            long ticket = Ticket.of(split, drawn.nextInt(data.records(split)));
            if (deadly.isEmpty() || deadly.getAsLong() != ticket) {
                bad.add(ticket);
            }
        }
        return bad;
    }

    private Optional<Path> folder() {
        if (schedule.scene().extent().entries() == Schedule.Entries.NONE) {
            return Optional.empty();
        }
        try {
            return Optional.of(Files.createTempDirectory("entries-"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Room for all, or for some. */
    private static long budget(Random drawn) {
        return drawn.nextInt(3) == 0 ? 10_000 : 1 << 20;
    }

    /** Runs it to its end. */
    static Result run(Schedule schedule, Mendings mendings) {
        return new Simulation(schedule, mendings).run();
    }

    /** Whether a turn throws for once. */
    private boolean forgets() {
        return schedule.scene().manner().forgetful()
                && !healed
                && world.random().nextInt(A_THROW_IN) == 0;
    }

    private void told(JobStatus status) {
        of(status.getJob()).ifPresent(witness -> witness.told(status));
    }

    private Witness first() {
        return witnesses.get(0);
    }

    private Optional<Witness> of(String job) {
        return witnesses.stream().filter(witness -> witness.job().equals(job)).findFirst();
    }

    private boolean allFinal() {
        return witnesses.stream().allMatch(Witness::isFinal);
    }

    private List<String> violations() {
        return witnesses.stream()
                .flatMap(witness -> witness.violations().stream())
                .toList();
    }

    /** A worker reads an element, which may be its end. */
    private void reads(WorkerProcess worker, long ticket) {
        if (deadly.isPresent() && deadly.getAsLong() == ticket && !worker.isDead()) {
            worker.kill();
            startWorker(workers.indexOf(worker), world.micros(200_000, 3_000_000));
            throw new IllegalStateException("its process is no more");
        }
    }

    /** What was told of the job last. */
    JobStatus status(String job) {
        return of(job).flatMap(Witness::status).orElseThrow();
    }

    Result run() {
        long from = world.nanos();
        begin();
        for (Fault fault : schedule.faults()) {
            world.after(TimeUnit.MILLISECONDS.toMicros(fault.atMillis()), () -> new Happening(this, fault).happen());
        }
        world.after(TimeUnit.MILLISECONDS.toMicros(HEALED_MILLIS), this::heal);
        world.after(Host.seconds(2), this::lookAfter);
        try {
            Duration most = deadly.isPresent() ? MOST_WITH_DEATHS : MOST;
            runUntil(from + TimeUnit.MILLISECONDS.toNanos(HEALED_MILLIS) + most.toNanos());
            if (allFinal()) {
                heal();
                boolean sticky = schedule.faults().stream().anyMatch(fault -> fault.kind() == Fault.Kind.STICK);
                rest(world.nanos() + (sticky ? REST.plus(COMES_BACK) : REST).toNanos());
                dispatching.check(true);
            }
            for (Witness witness : witnesses) {
                if (witness.isFinal() && isOutOfBudget(witness)) {
                    outOfBudget++;
                } else if (witness.isFinal()) {
                    witness.ended(schedule.scene().deadly() ? TOLERATED : 0, stuck());
                } else if (!isUnsubmitted(witness)) {
                    witness.violated("the job does not end: " + whoWaits(witness));
                }
            }
        } catch (RuntimeException | AssertionError broken) {
            java.io.StringWriter trace = new java.io.StringWriter();
            broken.printStackTrace(new java.io.PrintWriter(trace));
            first().violated("something threw: "
                    + trace.toString().lines().limit(14).toList());
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(world.nanos() - from);
        bury();
        return new Result(
                schedule,
                violations(),
                millis,
                steps,
                witnesses.stream().mapToLong(Witness::twice).sum(),
                witnesses.stream().mapToLong(Witness::onRecord).sum(),
                outOfBudget);
    }

    /** Attempts that were told to be stuck. */
    int stuck() {
        return Stream.concat(workers.stream(), gone.stream())
                .mapToInt(WorkerProcess::stuck)
                .sum();
    }

    /**
     * Whether a job says that it failed since so many workers were lost while they planned it, and that may be: so many
     * plans were ordered, none came, and something had happened to so many workers.
     */
    private boolean isOutOfBudget(Witness witness) {
        JobStatus last = witness.status().orElseThrow();
        return last.getState() == JobState.FAILED
                && last.getReason()
                        .startsWith(MOST_PLANNERS_LOST + " workers were lost within an hour while they planned it")
                && last.getSplits() == 0
                && last.getPlan() >= MOST_PLANNERS_LOST
                && Stream.concat(workers.stream(), gone.stream())
                                .filter(Host::isDisturbed)
                                .count()
                        >= MOST_PLANNERS_LOST;
    }

    /** Whether Kafka was away for so long that whoever submitted the job gave up, which ended that process. */
    private boolean isUnsubmitted(Witness witness) {
        return witness.status().isEmpty()
                && places.stream()
                        .filter(place -> place.witness == witness && place.consumer == 0)
                        .allMatch(place -> place.processes.get(0).isDead());
    }

    private void runUntil(long deadline) {
        while (!allFinal() && violations().isEmpty() && world.step(deadline)) {
            steps++;
        }
    }

    /** Nothing is to do any more: whoever is still at it should not be. */
    private void rest(long until) {
        while (world.step(until)) {
            steps++;
        }
        for (TrainerProcess trainer : all()) {
            if (trainer.mayStillTrain()) {
                first().violated(trainer + " still waits though the job has ended");
            } else if (trainer.connections() > 0) {
                first().violated(trainer + " has ended and has connections");
            }
        }
        for (WorkerProcess worker : workers) {
            List<AttemptKey> open = worker.server().attempts().openAttempts();
            if (worker.unended() > 0 || !open.isEmpty()) {
                first().violated("worker " + worker.name() + " still has attempts though the job has ended: "
                        + worker.unended() + ", " + open);
            }
            if (worker.unfreed() != 0) {
                first().violated("worker " + worker.name() + " has not freed " + worker.unfreed()
                        + " batches though the job has ended");
            }
            if (worker.remembered() > 0) {
                first().violated("worker " + worker.name() + " still remembers what " + worker.remembered()
                        + " fenced attempts sent though the job has ended");
            }
        }
    }

    private void bury() {
        all().forEach(Host::kill);
        workers.forEach(Host::kill);
        setting.stores().folder().ifPresent(Entries::delete);
    }

    // ---- who starts whom

    private void begin() {
        for (int i = 0; i < schedule.workers(); i++) {
            workers.add(new WorkerProcess(setting, Setting.POOL, "w" + i, lives++));
        }
        for (int i = 0; i < schedule.workers() && !poolOfSecond().equals(Setting.POOL); i++) {
            workers.add(new WorkerProcess(setting, poolOfSecond(), "v" + i, lives++));
        }
        dispatching.start();
        submit(first());
        // another may come when the first has found a better order
        witnesses.stream().skip(1).forEach(other -> world.after(world.micros(0, LATEST_SECOND), () -> submit(other)));
    }

    private void submit(Witness witness) {
        Place place = new Place(witness, 0);
        places.add(place);
        TrainerProcess submitter = trainer(place, place.host() + "-submitter", true);
        int weight = witness == first() ? 1 : schedule.scene().course().weight();
        submitter.attach(Math.max(0, newestStatus()), List.of(submit(weight)), false);
        if (mendings.poisoned()) {
            dispatching.poison(POISONED);
            submitter.ask(submitter.request(POISONED, submit(weight)));
        }
        for (int i = 1; i < schedule.consumers(); i++) {
            Place other = new Place(witness, i);
            places.add(other);
            restart(other, world.micros(100_000, 3_000_000), false);
        }
    }

    private Submit submit(int weight) {
        return Submit.newBuilder()
                .setTenant("default")
                .setWeight(weight)
                .setConsumerPatienceSeconds(patience())
                .setPipelineName("numbers")
                .setGraph(ByteBuffer.wrap(new byte[] {1, 2, 3}))
                .setGraphAddress(null)
                .setComponentNames(List.of())
                .setDataGlobs(List.of())
                .setEpochs(setting.data().epochs())
                .setSeed(schedule.seed())
                .setConsumers(schedule.consumers())
                .setGuarantee(schedule.scene().untracked() ? Guarantee.AT_LEAST_ONCE : Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .setSkipBad(tolerated())
                .setOrder(schedule.scene().reorders() ? "tolerant" : "")
                .setCache(setting.stores().folder().isPresent() ? "full" : "")
                .setBatchLimitBytes(0)
                .build();
    }

    private int tolerated() {
        int bad = setting.shape().bad().size() * setting.data().epochs();
        int some = Math.max(0, bad - schedule.scene().extent().untolerated());
        return some + (deadly.isPresent() ? TOLERATED : 0);
    }

    private TrainerProcess trainer(Place place, String incarnation, boolean owner) {
        TrainerProcess made =
                new TrainerProcess(setting, place.witness, this, place.host(), place.consumer, incarnation, owner);
        place.processes.add(made);
        return made;
    }

    /** Somebody starts a trainer in this place, so much later. */
    void restart(Place place, long micros, boolean replace) {
        if (place.starting || place.witness.isAbandoned()) {
            return;
        }
        place.starting = true;
        world.after(micros, () -> {
            place.starting = false;
            if (!place.witness.isFinal() && !place.witness.isAbandoned()) {
                int from = Math.max(0, newestStatus());
                if (replace) {
                    place.processes.forEach(place.witness::writtenOff);
                }
                trainer(place, place.host() + "-" + lives++, false).attach(from, List.of(), replace);
            }
        });
    }

    private int newestStatus() {
        return kafka.log(Topics.JOBS).end() - 1;
    }

    void restart(int place, long micros, boolean replace) {
        restart(places.get(place), micros, replace);
    }

    /** Looks every two seconds whether a place is empty that nobody is about to take. */
    private void lookAfter() {
        for (Place place : places) {
            boolean nobody = places.stream()
                    .filter(other -> other.witness == place.witness)
                    .flatMap(other -> other.processes.stream())
                    .noneMatch(TrainerProcess::mayStillTrain);
            boolean ended = place.newest()
                    .filter(newest -> newest.ending() == TrainerProcess.Ending.FAILED
                            || (newest.isDead() && newest.ending() == TrainerProcess.Ending.NONE && !leavesTheDead()))
                    .isPresent();
            if (ended || isMissed(place) || (nobody && place.consumer == 0)) {
                restart(place, comesAgainIn(), false);
            }
        }
        world.after(Host.seconds(2), this::lookAfter);
    }

    /** Where a job waits for a consumer no longer than its schedule says, nobody may come in time. */
    private long comesAgainIn() {
        int patience = schedule.scene().course().patience();
        return patience == 0 || healed ? Host.seconds(3) : world.micros(Host.seconds(3), Host.seconds(2.0 * patience));
    }

    /** All that train on the job of a place go, in order or not, and nobody comes any more. */
    void abandon(int number, boolean inOrder) {
        Witness witness = places.get(placeNumber(number)).witness;
        witness.abandoned();
        places.stream()
                .filter(place -> place.witness == witness)
                .flatMap(place -> place.processes.stream())
                .filter(process -> !process.isDead())
                .forEach(process -> {
                    if (inOrder) {
                        process.leave();
                    } else {
                        process.kill();
                    }
                });
    }

    /** In every eighth schedule nobody starts a trainer again that died, unless something is in doubt with it. */
    boolean leavesTheDead() {
        return Math.floorMod(schedule.seed(), 8) == 5;
    }

    /** Whether the status says that it must come back, and its process has gone for good. */
    private boolean isMissed(Place place) {
        return place.newest().filter(newest -> !newest.mayStillTrain()).isPresent()
                && place.witness.status().stream()
                        .flatMap(status -> status.getSlots().stream())
                        .anyMatch(slot -> slot.getConsumer() == place.consumer
                                && slot.getState() == ConsumerState.IN_DOUBT
                                && (slot.getInDoubt() + slot.getInDoubtSplits() > 0 || isWaitedFor(place)));
    }

    /** Whether the job says that it waits for it, as it does where nobody can count what is in doubt. */
    private static boolean isWaitedFor(Place place) {
        return place.witness
                .status()
                .filter(status -> status.getWaitingFor().equals("doubt"))
                .isPresent();
    }

    void startWorker(int number, long micros) {
        world.after(micros, () -> {
            if (workers.get(number).isDead()) {
                WorkerProcess before = workers.get(number);
                gone.add(before);
                workers.set(number, new WorkerProcess(setting, before.pool(), before.name(), lives++));
            }
        });
    }

    /** Nothing goes wrong any more. */
    private void heal() {
        healed = true;
        kafka.lossy(false);
        for (String cut : world.cuts()) {
            String[] ends = cut.split("-", 2);
            world.heal(ends[0], ends[1]);
        }
        Topics.all().stream().flatMap(topic -> kafka.logs(topic).stream()).forEach(log -> {
            log.lag(0);
            log.forgetFaults();
        });
        dispatching.processes().forEach(Host::resume);
        dispatching.start();
        workers.forEach(Host::resume);
        all().forEach(trainer -> {
            trainer.resume();
            trainer.goOn();
        });
        for (int i = 0; i < workers.size(); i++) {
            startWorker(i, Host.seconds(1));
        }
        for (Witness witness : witnesses) {
            request(witness.job(), new Pause(false));
            request(witness.job(), new Pin(false, 0, 0));
        }
    }

    /** Somebody asks for something about a job, by a command. */
    void request(String job, SpecificRecord body) {
        String pool = of(job).map(Witness::pool).orElse(Setting.POOL);
        JobRequest request = new JobRequest(pool, job, "command", body);
        kafka.rewritten(Topics.JOB_REQUESTS, request).ifPresent(bytes -> kafka.log(Topics.JOB_REQUESTS, pool)
                .append(pool.getBytes(StandardCharsets.UTF_8), bytes));
    }

    /** Nobody waits any more for who has or had this place, as somebody says. */
    void giveUp(int number) {
        Place place = places.get(number);
        place.processes.forEach(place.witness::writtenOff);
        request(place.witness.job(), new GiveUp(place.consumer));
    }

    /** A job is cancelled: it need not come to its end. */
    void cancel(String job) {
        of(job).ifPresent(Witness::cancelled);
        request(job, new Cancel(""));
    }

    boolean isHealed() {
        return healed;
    }

    // ---- what faults are about

    World world() {
        return world;
    }

    Kafka kafka() {
        return kafka;
    }

    Dispatchers dispatching() {
        return dispatching;
    }

    /** An entry loses its end. */
    void spoil(int which) {
        setting.stores().folder().ifPresent(folder -> Entries.spoil(folder, which));
    }

    WorkerProcess worker(int number) {
        return workers.get(Math.floorMod(number, workers.size()));
    }

    /** Something happens to whoever has this name. */
    void disturb(String name) {
        workers.stream().filter(worker -> worker.name().equals(name)).forEach(Host::disturb);
    }

    int workerNumber(int number) {
        return Math.floorMod(number, workers.size());
    }

    int placeNumber(int number) {
        return Math.floorMod(number, places.size());
    }

    Optional<TrainerProcess> trainerOf(int place) {
        return places.get(placeNumber(place)).newest();
    }

    /** The host of a place's processes. */
    String hostOf(int place) {
        return places.get(placeNumber(place)).host();
    }

    /** The job of a place. */
    String jobOf(int place) {
        return places.get(placeNumber(place)).witness.job();
    }

    List<Wire> wires() {
        return wires;
    }

    /** Another consumer comes to the job of a place. */
    void join(int beside, long micros) {
        Witness witness = places.get(placeNumber(beside)).witness;
        int consumers =
                (int) places.stream().filter(place -> place.witness == witness).count();
        if (consumers < 4) {
            Place place = new Place(witness, consumers);
            places.add(place);
            restart(place, micros, false);
        }
    }

    // ---- what trainers see

    @Override
    public List<TrainerProcess> all() {
        return places.stream().flatMap(place -> place.processes.stream()).toList();
    }

    @Override
    public Optional<WorkerProcess> worker(String address) {
        return workers.stream()
                .filter(worker -> address.equals("tcp://" + worker.name() + ":7000") && !worker.isDead())
                .findFirst();
    }

    @Override
    public void add(Wire wire) {
        wires.removeIf(Wire::isOver);
        wires.add(wire);
    }

    @Override
    public boolean mayStep(TrainerProcess loop) {
        return !mendings.lockstep()
                || all().stream().allMatch(other -> !other.mayStillTrain() || other.taken() >= loop.taken());
    }

    private String whoWaits(Witness witness) {
        if (witness.status().isEmpty()) {
            return "nothing was ever told of it";
        }
        JobStatus status = witness.status().get();
        return status.getState() + " " + status.getReason() + ", slots " + status.getSlots() + ", attempts "
                + status.getAttempts() + ", progress " + status.getProgress() + ", trainers "
                + all().stream()
                        .filter(trainer -> !trainer.isDead())
                        .map(trainer -> trainer + " " + trainer.ending() + " with " + trainer.channels() + " channels")
                        .toList()
                + ", workers "
                + workers.stream()
                        .map(worker -> worker.incarnation() + " " + worker.unended())
                        .toList();
    }
}
