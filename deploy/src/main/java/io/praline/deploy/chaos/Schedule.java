package io.praline.deploy.chaos;

import io.praline.client.CacheMode;
import io.praline.deploy.chaos.Fault.Kind;
import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.KeptRecords;
import io.praline.deploy.chaos.trainer.Photographs;
import io.praline.deploy.chaos.trainer.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * What runs and what breaks. It follows from a seed and what may break: the same ones give the same schedule, and what runs
 * follows from the seed and whether entries may break: then jobs are such that keep some.
 *
 * @param faults in the order in which they are due
 */
public record Schedule(long seed, int dispatchers, int workers, List<JobPlan> jobs, List<Fault> faults) {

    /** Fewest deaths of a run in which any are allowed. */
    public static final int LEAST_DEATHS = 3;

    private static final int MOST_CLIENTS = 5;
    private static final int MOST_OTHERS = 2;

    /** Undisturbed, a job takes about so long. */
    private static final int LEAST_SECONDS = 10;

    private static final int MOST_SECONDS = 18;
    private static final int LEAST_KEPT_SECONDS = 8;
    private static final int MOST_KEPT_SECONDS = 11;
    private static final int LEAST_KEPT_EPOCHS = 5;

    /** Nothing breaks before or after these shares of all elements. */
    private static final double FIRST = 0.03;

    private static final double LAST = 0.75;

    public Schedule {
        jobs = List.copyOf(jobs);
        faults = List.copyOf(faults);
    }

    /**
     * The schedule of a seed.
     *
     * @param allowed what may break
     * @param mostDeaths how many processes may die, at least {@link #LEAST_DEATHS}
     */
    public static Schedule of(long seed, Set<Trouble> allowed, int mostDeaths) {
        if (mostDeaths < LEAST_DEATHS) {
            throw new IllegalArgumentException("deaths must be at least " + LEAST_DEATHS + ", are " + mostDeaths);
        }
        SplittableRandom root = new SplittableRandom(seed);
        SplittableRandom world = root.split();
        SplittableRandom chance = root.split();
        int dispatchers = world.nextInt(4) == 0 ? 2 : 1;
        int workers = 2 + world.nextInt(2);
        List<JobPlan> usual = jobs(world);
        List<JobPlan> jobs = allowed.contains(Trouble.entries) ? keeping(root.split()) : usual;
        Schedule calm = new Schedule(seed, dispatchers, workers, jobs, List.of());
        return new Schedule(seed, dispatchers, workers, calm.jobs, new Drawn(calm, allowed, chance).faults(mostDeaths));
    }

    private static List<JobPlan> jobs(SplittableRandom random) {
        int count = 2 + random.nextInt(2);
        List<JobPlan> jobs = new ArrayList<>();
        int free = MOST_CLIENTS;
        for (int job = 0; job < count; job++) {
            int others = count - 1 - job;
            int consumers = 1 + random.nextInt(Math.min(3, free - others));
            free -= consumers;
            jobs.add(job(random, consumers));
        }
        return jobs;
    }

    /** Jobs that read the same more than once, of which something is kept; what one keeps another may read. */
    private static List<JobPlan> keeping(SplittableRandom random) {
        List<JobPlan> jobs = new ArrayList<>();
        for (int job = 0; job < 2; job++) {
            Shape shape = oneOf(Shape.FOR_ENTRIES, random);
            int seconds = random.nextInt(LEAST_KEPT_SECONDS, MOST_KEPT_SECONDS + 1);
            int epochs = LEAST_KEPT_EPOCHS + random.nextInt(2);
            int consumers = 1 + random.nextInt(2);
            int batch = 8 + random.nextInt(17);
            boolean forced = job == 0 || random.nextInt(4) > 0;
            jobs.add(new JobPlan(
                    shape,
                    KeptRecords.COUNT,
                    epochs,
                    consumers,
                    batch,
                    random.nextInt(1_000_000),
                    step(shape, KeptRecords.COUNT, epochs, consumers, batch, seconds),
                    Optional.of(forced ? CacheMode.FULL : CacheMode.AUTO)));
        }
        return jobs;
    }

    /** Files are as they are, so that a step takes what makes the job last as long. */
    private static Duration step(Shape shape, long records, int epochs, int consumers, int batch, int seconds) {
        long batches = shape.elements(records) * epochs / batch;
        return Duration.ofMillis(Math.max(1, 1_000L * seconds * consumers / batches));
    }

    private static JobPlan job(SplittableRandom random, int consumers) {
        Shape shape = oneOf(Shape.USUAL, random);
        int seconds = random.nextInt(LEAST_SECONDS, MOST_SECONDS + 1);
        int epochs = 1 + random.nextInt(2);
        int batch =
                switch (shape) {
                    case PLAIN, FILTER, SHUFFLE -> 16 + random.nextInt(49);
                    case FLAT_MAP -> Shape.FLAT_MAP_BATCH;
                    case JPEG, KEPT, KEPT_FILTER, KEPT_SHUFFLE -> 8;
                };
        Duration step = Duration.ofMillis(random.nextInt(10, 31));
        long seed = random.nextInt(1_000_000);
        if (shape.readsFiles()) {
            Duration fitting = step(shape, Photographs.COUNT, epochs, consumers, batch, seconds);
            return new JobPlan(shape, Photographs.COUNT, epochs, consumers, batch, seed, fitting);
        }
        long records = 1_000L * seconds * consumers * batch / step.toMillis() / epochs;
        return new JobPlan(shape, records, epochs, consumers, batch, seed, step);
    }

    private static <T> T oneOf(List<T> all, SplittableRandom random) {
        return all.get(random.nextInt(all.size()));
    }

    /** How many trainers there are in all jobs from the start. */
    int clients() {
        return jobs.stream().mapToInt(JobPlan::consumers).sum();
    }

    /** The trainer that joins, who counts behind all others; at most one does. */
    Optional<Target> joiner() {
        return joining().map(join -> join.targets().get(1));
    }

    private Optional<Fault> joining() {
        return faults.stream().filter(fault -> fault.kind() == Kind.JOIN).findFirst();
    }

    /** Whether workers have a store of entries. */
    public boolean keeps() {
        return jobs.stream().anyMatch(job -> job.cache().isPresent());
    }

    /** Which job a trainer works for. */
    int jobOf(int client) {
        if (joiner().filter(Target.client(client)::equals).isPresent()) {
            return jobOf(joining().orElseThrow().targets().get(0).number());
        }
        int first = 0;
        for (int job = 0; job < jobs.size(); job++) {
            first += jobs.get(job).consumers();
            if (client < first) {
                return job;
            }
        }
        throw new IllegalArgumentException("there is no trainer " + client + ", of " + first);
    }

    /** Which of its job's consumers a trainer is, counted from 0. */
    int consumerOf(int client) {
        int job = jobOf(client);
        if (client >= clients()) {
            return jobs.get(job).consumers();
        }
        return client
                - jobs.subList(0, job).stream().mapToInt(JobPlan::consumers).sum();
    }

    /** Elements of all jobs and epochs. */
    public long elements() {
        return jobs.stream().mapToLong(JobPlan::elements).sum();
    }

    /** Whether some fault keeps these two from hearing each other. */
    boolean cuts(Target one, Target other) {
        return faults.stream()
                .anyMatch(fault -> fault.kind() == Kind.CUT
                        && fault.targets().contains(one)
                        && fault.targets().contains(other));
    }

    /** Draws what breaks. */
    private record Drawn(Schedule calm, Set<Trouble> allowed, SplittableRandom random) {

        List<Fault> faults(int mostDeaths) {
            List<Fault> faults = new ArrayList<>();
            List<Trouble> deadly =
                    allowed.stream().filter(Trouble::deadly).sorted().toList();
            if (!deadly.isEmpty()) {
                int wanted = random.nextInt(LEAST_DEATHS, mostDeaths + 1);
                for (int deaths = 0; deaths < wanted; ) {
                    Fault kill = kill(deadly.get(random.nextInt(deadly.size())), wanted - deaths);
                    faults.add(kill);
                    deaths += kill.deaths();
                }
            }
            if (allowed.contains(Trouble.stop)) {
                for (int stops = random.nextInt(MOST_OTHERS + 1); stops > 0; stops--) {
                    faults.add(stop());
                }
            }
            if (allowed.contains(Trouble.cut)) {
                for (int cuts = random.nextInt(MOST_OTHERS + 1); cuts > 0; cuts--) {
                    faults.add(cut());
                }
            }
            comings().forEach(faults::add);
            if (allowed.contains(Trouble.entries)) {
                for (int times = 3 + random.nextInt(3); times > 0; times--) {
                    faults.add(new Fault(moment(), Kind.ENTRIES, List.of(), Duration.ofMillis(random.nextInt(3_000))));
                }
            }
            faults.sort(Comparator.comparingLong(Fault::at));
            return faults;
        }

        private Fault kill(Trouble trouble, int most) {
            List<Target> targets =
                    switch (trouble) {
                        case dispatcher -> List.of(any(Target.Role.DISPATCHER));
                        case broker -> List.of(Target.BROKER);
                        case client -> List.of(any(Target.Role.CLIENT));
                        case cluster ->
                            cluster().subList(0, Math.min(most, cluster().size()));
                        case worker, stop, cut, leave, join, replace, entries -> List.of(any(Target.Role.WORKER));
                    };
            return new Fault(moment(), Kind.KILL, targets, away(15_000));
        }

        private List<Target> cluster() {
            Set<Target> all = new TreeSet<>(Set.of(Target.BROKER));
            for (int number = 0; number < calm.dispatchers; number++) {
                all.add(Target.dispatcher(number));
            }
            for (int number = 0; number < calm.workers; number++) {
                all.add(Target.worker(number));
            }
            return List.copyOf(all);
        }

        private Fault stop() {
            Target.Role role = oneOf(List.of(Target.Role.values()), random);
            return new Fault(moment(), Kind.STOP, List.of(any(role)), away(40_000));
        }

        private Fault cut() {
            Target client = any(Target.Role.CLIENT);
            List<Target> ends =
                    switch (random.nextInt(4)) {
                        case 0 -> List.of(client, Target.BROKER);
                        case 1 -> List.of(any(Target.Role.WORKER), Target.BROKER);
                        case 2 -> List.of(any(Target.Role.DISPATCHER), Target.BROKER);
                        default -> List.of(client, any(Target.Role.WORKER));
                    };
            return new Fault(moment(), Kind.CUT, ends, away(40_000));
        }

        /** At most one of each: a trainer that left does not come back, and a job keeps one that was never asked to leave. */
        private List<Fault> comings() {
            List<Fault> faults = new ArrayList<>();
            if (allowed.contains(Trouble.leave)) {
                Target client = any(Target.Role.CLIENT);
                if (calm.consumerOf(client.number()) > 0) {
                    faults.add(new Fault(moment(), Kind.LEAVE, List.of(client), Duration.ZERO));
                }
            }
            if (allowed.contains(Trouble.join)) {
                List<Target> ends = List.of(any(Target.Role.CLIENT), Target.client(calm.clients()));
                faults.add(new Fault(moment(), Kind.JOIN, ends, Duration.ZERO));
            }
            if (allowed.contains(Trouble.replace)) {
                faults.add(new Fault(moment(), Kind.REPLACE, List.of(any(Target.Role.CLIENT)), away(5_000)));
            }
            return faults;
        }

        private Target any(Target.Role role) {
            return new Target(
                    role,
                    random.nextInt(
                            switch (role) {
                                case BROKER -> 1;
                                case DISPATCHER -> calm.dispatchers;
                                case WORKER -> calm.workers;
                                case CLIENT -> calm.clients();
                            }));
        }

        private long moment() {
            return (long) (calm.elements() * random.nextDouble(FIRST, LAST));
        }

        /** Mostly short, now and then long. */
        private Duration away(int mostMillis) {
            int most =
                    switch (random.nextInt(10)) {
                        case 0, 1, 2, 3 -> 1_500;
                        case 4, 5, 6, 7, 8 -> 9_000;
                        default -> mostMillis;
                    };
            return Duration.ofMillis(random.nextInt(Math.min(most, mostMillis) + 1));
        }
    }
}
