package io.praline.tests.simulation;

import io.praline.identity.AttemptKey;
import io.praline.schema.ConsumerState;
import io.praline.schema.Guarantee;
import io.praline.schema.JobStatus;
import io.praline.schema.Submit;
import io.praline.topics.Topics;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** One schedule: the world that it takes place in, who starts whom again, and what is found. */
final class Simulation implements TrainerProcess.Trainers {
    static final String JOB = "job";

    /** Every record about it makes a turn throw. */
    private static final String POISONED = "poisoned";

    /** How long everything may take once nothing goes wrong any more. */
    private static final Duration MOST = Duration.ofSeconds(1_000);

    /** All that is healed at last is healed then. */
    private static final long HEALED_MILLIS = Fault.LAST_MILLIS + 30_000;

    /** How long those who are done may take to go. */
    private static final Duration REST = Duration.ofSeconds(40);

    private final Schedule schedule;
    private final World world;
    private final Kafka kafka;
    private final Setting setting;
    private final Witness witness;
    private final Dispatching dispatching;
    private final Mendings mendings;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();
    private final List<Wire> wires = new ArrayList<>();
    private final List<Host> gone = new ArrayList<>();
    private int lives;
    private boolean healed;
    private long steps;

    /** A consumer's place, as whoever runs the training sees it. */
    private static final class Place {
        private final int consumer;
        private final List<TrainerProcess> processes = new ArrayList<>();
        private boolean starting;

        private Place(int consumer) {
            this.consumer = consumer;
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
     */
    record Result(Schedule schedule, List<String> violations, long millis, long steps, long twice, long onRecord) {
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
        this.kafka = new Kafka(world);
        kafka.rewrite(mendings.rewriting().get());
        Random drawn = new Random(schedule.seed() * 31 + 7);
        Setting.Data data = Setting.Data.random(drawn);
        PretendedGraph.Shape shape =
                new PretendedGraph.Shape(1 + drawn.nextInt(8), 1 + drawn.nextInt(12), drawn.nextBoolean() ? 0 : 5);
        long usual = 20_000 + (long) (drawn.nextDouble() * 500_000);
        this.witness = new Witness(world, data, shape, JOB);
        this.setting = new Setting(
                world,
                kafka,
                data,
                shape,
                worker -> world.micros(usual / 2, usual * 3 / 2),
                witness::violated,
                mendings.seeing());
        this.dispatching = new Dispatching(world, kafka, this::told, mendings.contained());
    }

    /** Runs it to its end. */
    static Result run(Schedule schedule, Mendings mendings) {
        return new Simulation(schedule, mendings).run();
    }

    private void told(JobStatus status) {
        if (status.getJob().equals(JOB)) {
            witness.told(status);
        }
    }

    private Result run() {
        long from = world.nanos();
        begin();
        for (Fault fault : schedule.faults()) {
            world.after(TimeUnit.MILLISECONDS.toMicros(fault.atMillis()), () -> new Happening(this, fault).happen());
        }
        world.after(TimeUnit.MILLISECONDS.toMicros(HEALED_MILLIS), this::heal);
        world.after(Host.seconds(2), this::lookAfter);
        try {
            long deadline = from + TimeUnit.MILLISECONDS.toNanos(HEALED_MILLIS) + MOST.toNanos();
            runUntil(deadline);
            if (witness.isFinal()) {
                heal();
                rest(world.nanos() + REST.toNanos());
                witness.ended();
            } else if (!isUnsubmitted()) {
                witness.violated("the job does not end: " + whoWaits());
            }
        } catch (RuntimeException | AssertionError broken) {
            java.io.StringWriter trace = new java.io.StringWriter();
            broken.printStackTrace(new java.io.PrintWriter(trace));
            witness.violated(
                    "something threw: " + trace.toString().lines().limit(14).toList());
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(world.nanos() - from);
        bury();
        return new Result(
                schedule, List.copyOf(witness.violations()), millis, steps, witness.twice(), witness.onRecord());
    }

    /** Whether Kafka was away for so long that whoever submitted the job gave up, which ended that process. */
    private boolean isUnsubmitted() {
        return witness.status().isEmpty() && places.get(0).processes.get(0).isDead();
    }

    private void runUntil(long deadline) {
        while (!witness.isFinal() && witness.violations().isEmpty() && world.step(deadline)) {
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
                witness.violated(trainer + " still waits though the job has ended");
            } else if (trainer.connections() > 0) {
                witness.violated(trainer + " has ended and has connections");
            }
        }
        for (WorkerProcess worker : workers) {
            List<AttemptKey> open = worker.server().attempts().openAttempts();
            if (worker.unended() > 0 || !open.isEmpty()) {
                witness.violated("worker " + worker.name() + " still has attempts though the job has ended: "
                        + worker.unended() + ", " + open);
            }
            if (worker.remembered() > 0) {
                witness.violated("worker " + worker.name() + " still remembers what " + worker.remembered()
                        + " fenced attempts sent though the job has ended");
            }
        }
    }

    private void bury() {
        all().forEach(Host::kill);
        workers.forEach(Host::kill);
    }

    // ---- who starts whom

    private void begin() {
        for (int i = 0; i < schedule.workers(); i++) {
            workers.add(new WorkerProcess(setting, "w" + i, lives++));
        }
        dispatching.start();
        places.add(new Place(0));
        TrainerProcess submitter = trainer(places.get(0), "c0-submitter", true);
        submitter.ask(submit());
        submitter.attach(0, false);
        if (mendings.poisoned()) {
            dispatching.poison(POISONED);
            submitter.ask(POISONED, submit());
        }
        for (int i = 1; i < schedule.consumers(); i++) {
            Place place = new Place(i);
            places.add(place);
            restart(place, world.micros(100_000, 3_000_000), false);
        }
    }

    private Submit submit() {
        return Submit.newBuilder()
                .setTenant("default")
                .setWeight(1)
                .setPipelineName("numbers")
                .setGraph(ByteBuffer.wrap(new byte[] {1, 2, 3}))
                .setGraphAddress(null)
                .setComponentNames(List.of())
                .setDataGlobs(List.of())
                .setEpochs(setting.data().epochs())
                .setSeed(schedule.seed())
                .setConsumers(schedule.consumers())
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setStrict(false)
                .setSkipBad(0)
                .setBatchLimitBytes(0)
                .build();
    }

    private TrainerProcess trainer(Place place, String incarnation, boolean owner) {
        TrainerProcess made = new TrainerProcess(setting, witness, this, place.consumer, incarnation, owner);
        place.processes.add(made);
        return made;
    }

    /** Somebody starts a trainer in this place, so much later. */
    void restart(Place place, long micros, boolean replace) {
        if (place.starting) {
            return;
        }
        place.starting = true;
        world.after(micros, () -> {
            place.starting = false;
            if (!witness.isFinal()) {
                int from = Math.max(0, newestStatus());
                trainer(place, "c" + place.consumer + "-" + lives++, false).attach(from, replace);
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
        boolean nobody = all().stream().noneMatch(TrainerProcess::mayStillTrain);
        for (Place place : places) {
            boolean ended = place.newest()
                    .filter(newest -> newest.ending() == TrainerProcess.Ending.FAILED
                            || (newest.isDead() && newest.ending() == TrainerProcess.Ending.NONE && !leavesTheDead()))
                    .isPresent();
            if (ended || isMissed(place) || (nobody && place.consumer == 0)) {
                restart(place, Host.seconds(3), false);
            }
        }
        world.after(Host.seconds(2), this::lookAfter);
    }

    /** In every eighth schedule nobody starts a trainer again that died, unless something is in doubt with it. */
    boolean leavesTheDead() {
        return Math.floorMod(schedule.seed(), 8) == 5;
    }

    /** Whether the status says that it must come back, and its process has gone for good. */
    private boolean isMissed(Place place) {
        return place.newest().filter(newest -> !newest.mayStillTrain()).isPresent()
                && witness.status().stream()
                        .flatMap(status -> status.getSlots().stream())
                        .anyMatch(slot -> slot.getConsumer() == place.consumer
                                && slot.getState() == ConsumerState.IN_DOUBT
                                && slot.getInDoubt() + slot.getInDoubtSplits() > 0);
    }

    void startWorker(int number, long micros) {
        world.after(micros, () -> {
            if (workers.get(number).isDead()) {
                gone.add(workers.get(number));
                workers.set(number, new WorkerProcess(setting, "w" + number, lives++));
            }
        });
    }

    /** Nothing goes wrong any more. */
    private void heal() {
        healed = true;
        for (String cut : world.cuts()) {
            String[] ends = cut.split("-", 2);
            world.heal(ends[0], ends[1]);
        }
        Topics.all().forEach(topic -> {
            kafka.log(topic).lag(0);
            kafka.log(topic).forgetFaults();
        });
        dispatching.process().ifPresent(Host::resume);
        dispatching.start();
        workers.forEach(Host::resume);
        all().forEach(trainer -> {
            trainer.resume();
            trainer.goOn();
        });
        for (int i = 0; i < workers.size(); i++) {
            startWorker(i, Host.seconds(1));
        }
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

    Dispatching dispatching() {
        return dispatching;
    }

    WorkerProcess worker(int number) {
        return workers.get(Math.floorMod(number, workers.size()));
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

    List<Wire> wires() {
        return wires;
    }

    /** Another consumer comes. */
    void join(long micros) {
        if (places.size() < 4) {
            Place place = new Place(places.size());
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

    private String whoWaits() {
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
