package io.praline.policy.simulation;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.Target;
import io.praline.policy.pool.Division;
import io.praline.policy.pool.FairShare;
import io.praline.policy.pool.PoolState;
import io.praline.policy.pool.SlotClaim;
import io.praline.policy.pool.Worker;
import io.praline.policy.simulation.HiredWorkers.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Many jobs share the workers of one pool in a made-up world; each has its own policy's state, and local workers of its
 * own. The pool's turn is the dispatcher's, taken like there on the clock, once a second, when something changed.
 */
public final class PoolSimulation {
    private static final double CLOCK_SECONDS = 1;
    private static final FairShare DIVISION = new FairShare(Duration.ofSeconds(30));

    private final EventQueue queue = new EventQueue();
    private final Draw draw;
    private final Policy policy;
    private final World world;
    private final Seat[] seats;
    private final Map<String, Seat> byId = new HashMap<>();
    private final List<Member> members = new ArrayList<>();
    private final List<Member> present = new ArrayList<>();
    private List<Worker> alive;
    private boolean poolChanged;
    private boolean due;
    private double dividedAt = Double.NEGATIVE_INFINITY;
    private long divisions;
    private int ended;
    /** The best workers by how many remote ones there may be. */
    private final Map<Entry, Map<Integer, Target>> bests = new HashMap<>();

    private PoolSimulation(Scenario scenario, Policy policy, long seed) {
        this.policy = policy;
        draw = new Draw(seed);
        world = scenario.world();
        seats = new Seat[world.terms().limits().maxRemote()];
        for (int i = 0; i < seats.length; i++) {
            seats[i] = new Seat(new Worker(String.format(Locale.ROOT, "w%06d", i), 1));
            byId.put(seats[i].worker.id(), seats[i]);
            seats[i].live();
        }
        alive = living();
        poolChanged = false;
        for (Entry entry : scenario.jobs()) {
            for (int i = 0; i < entry.count(); i++) {
                Member member = new Member(String.format(Locale.ROOT, "%s-%05d", entry.name(), i), entry);
                members.add(member);
                queue.in(entry.atSeconds() + i * entry.everySeconds(), member::come);
            }
        }
    }

    /** Runs {@code policy} for every job of {@code scenario}, with chance from {@code seed}. */
    public static Crowd run(Scenario scenario, Policy policy, long seed) {
        if (scenario.jobs().isEmpty()) {
            throw new IllegalArgumentException("scenario " + scenario.name() + " has no jobs that share a pool");
        }
        return new PoolSimulation(scenario, policy, seed).run(scenario.untilSeconds());
    }

    private Crowd run(double untilSeconds) {
        while (ended < members.size() && queue.nextAt() <= Math.min(untilSeconds, Simulation.LONGEST_SECONDS)) {
            queue.next();
        }
        List<Tally> tallies = members.stream().map(member -> member.tally).toList();
        return new Crowd(
                tallies.stream()
                        .filter(tally -> tally.windows() > 0)
                        .map(tally -> tally.outcome())
                        .toList(),
                jain(tallies),
                tallies.stream().mapToInt(Tally::longestUnderShare).max().orElse(0),
                tallies.stream().mapToLong(Tally::windows).sum(),
                members.stream().mapToLong(member -> member.job.turns()).sum(),
                divisions,
                ended,
                queue.now());
    }

    private static double jain(List<Tally> tallies) {
        double[] shares = tallies.stream()
                .filter(tally -> tally.fair() > 0)
                .mapToDouble(tally -> tally.got() / tally.fair())
                .toArray();
        double sum = Arrays.stream(shares).sum();
        double squares = Arrays.stream(shares).map(share -> share * share).sum();
        return squares > 0 ? sum * sum / (shares.length * squares) : 1;
    }

    private void divideSoon() {
        if (!due) {
            due = true;
            double tick = Math.ceil(queue.now() / CLOCK_SECONDS) * CLOCK_SECONDS;
            queue.in(Math.max(tick, dividedAt + CLOCK_SECONDS) - queue.now(), this::divide);
        }
    }

    private void divide() {
        due = false;
        divisions++;
        dividedAt = queue.now();
        tellPool();
        List<SlotClaim> claims = new ArrayList<>(present.size());
        for (Member member : present) {
            claims.add(member.claim());
        }
        Division division = DIVISION.divide(new PoolState(queue.instant(), alive, claims));
        // who leaves a worker leaves it before anybody joins it
        for (Member member : present) {
            member.leave(division.workers().get(member.name));
        }
        for (int i = 0; i < present.size(); i++) {
            SortedSet<String> its = division.workers().get(present.get(i).name);
            present.get(i).join(its, claims.get(i).holds().isEmpty());
            if (its.isEmpty() && claims.get(i).wish() > 0) {
                // it waits for its turn, which comes by the clock alone
                divideSoon();
            }
        }
        measureShares(claims);
    }

    private void tellPool() {
        if (poolChanged) {
            poolChanged = false;
            alive = living();
            List.copyOf(present).forEach(member -> member.job.pool(alive.size()));
        }
    }

    private List<Worker> living() {
        return Arrays.stream(seats)
                .filter(seat -> seat.alive)
                .map(seat -> seat.worker)
                .toList();
    }

    private void measureShares(List<SlotClaim> claims) {
        double[] wishes = claims.stream().mapToDouble(SlotClaim::wish).toArray();
        double[] weights = claims.stream().mapToDouble(SlotClaim::weight).toArray();
        double[] limits = present.stream()
                .mapToDouble(member -> member.job.world().terms().limits().maxRemote())
                .toArray();
        double[] fair = FairLevels.shares(wishes, weights, alive.size());
        double[] even = FairLevels.shares(limits, weights, alive.size());
        for (int i = 0; i < present.size(); i++) {
            present.get(i).fairShare = fair[i];
            present.get(i).evenShare = even[i];
        }
    }

    /** A worker of the pool, which has room for one task. */
    private final class Seat {
        private final Worker worker;
        private boolean alive;
        /** When its last task has drained. */
        private double freeAt;
        /** The one it was given last, and perhaps one before it that drains. */
        private final List<Task> tasks = new ArrayList<>(2);

        private Seat(Worker worker) {
            this.worker = worker;
        }

        private void live() {
            alive = true;
            freeAt = queue.now();
            poolChanged = true;
            if (world.remoteMeanLifetimeSeconds() < Double.POSITIVE_INFINITY) {
                queue.in(draw.lifetime(world.remoteMeanLifetimeSeconds()), this::die);
            }
        }

        private void die() {
            alive = false;
            poolChanged = true;
            List.copyOf(tasks).forEach(Task::end);
            divideSoon();
            queue.in(world.delays().remoteStartSeconds(), () -> {
                live();
                divideSoon();
            });
        }
    }

    /** A worker's work for one job, from when it is given until it has drained. */
    private final class Task {
        private final Member member;
        private final Seat seat;
        private boolean serves;
        private boolean over;

        private Task(Member member, Seat seat) {
            this.member = member;
            this.seat = seat;
            seat.tasks.add(this);
            double wait = Math.max(0, seat.freeAt - queue.now());
            queue.in(wait + member.delays().remoteStartSeconds(), this::serve);
        }

        private void serve() {
            if (over) {
                return;
            }
            serves = true;
            member.serveRemote(1);
            queue.in(HiredWorkers.RATE_SECONDS, () -> {
                if (!over) {
                    member.job.remoteRateKnown(seat.worker.id());
                }
            });
        }

        /** Its worker is for another: it makes what it has begun, if it has begun. */
        private void drain() {
            if (serves) {
                double seconds = member.delays().remoteDrainSeconds();
                seat.freeAt = queue.now() + seconds;
                queue.in(seconds, this::end);
            } else {
                end();
            }
        }

        private void end() {
            if (over) {
                return;
            }
            over = true;
            seat.tasks.remove(this);
            member.tasks.remove(seat.worker.id(), this);
            if (serves) {
                member.serveRemote(-1);
            }
        }
    }

    /** A job of the pool. */
    private final class Member implements SimulatedJob.Listener {
        private final String name;
        private final Entry entry;
        private final SimulatedJob job;
        private final HiredWorkers local;
        private final Tally tally;
        /** What it holds, by worker; what drains is not there any more. */
        private final SortedMap<String, Task> tasks = new TreeMap<>();

        private Instant since = Instant.EPOCH;
        private int remote;
        private double fairShare;
        private double evenShare;

        private Member(String name, Entry entry) {
            this.name = name;
            this.entry = entry;
            job = new SimulatedJob(queue, entry.world(), policy, draw.split(), this);
            local = new HiredWorkers(
                    queue, entry.world(), draw.split(), Kind.LOCAL, this::serveLocal, job::localRateKnown);
            tally = new Tally(entry.world(), bests.computeIfAbsent(entry, kind -> new HashMap<>()));
        }

        private Delays delays() {
            return entry.world().delays();
        }

        private void come() {
            since = queue.instant();
            tally.begin(queue.now());
            present.add(this);
            job.begin(alive.size());
            divideSoon();
        }

        private SlotClaim claim() {
            return new SlotClaim(name, entry.weight(), job.wanted().remote(), new TreeSet<>(tasks.keySet()), since);
        }

        private void leave(SortedSet<String> its) {
            for (Task task : List.copyOf(tasks.values())) {
                if (!its.contains(task.seat.worker.id())) {
                    tasks.remove(task.seat.worker.id());
                    task.drain();
                }
            }
        }

        private void join(SortedSet<String> its, boolean heldNothing) {
            for (String id : its) {
                tasks.computeIfAbsent(id, worker -> new Task(this, byId.get(worker)));
            }
            if (tasks.isEmpty() != heldNothing) {
                since = queue.instant();
            }
        }

        private void serveRemote(int more) {
            tally.advance(queue.now(), job.serving());
            remote += more;
            job.serveRemote(remote);
        }

        private void serveLocal(int workers) {
            tally.advance(queue.now(), job.serving());
            job.serveLocal(workers);
        }

        @Override
        public void wants(Target target) {
            tally.advance(queue.now(), job.serving());
            tally.wants(target);
            local.scaleTo(target.local());
            divideSoon();
        }

        @Override
        public void windowOver(Optional<WindowClosed> measured, boolean straddles) {
            tally.advance(queue.now(), job.serving());
            tally.windowOver(measured.isPresent(), straddles, job.serving(), fairShare, evenShare);
        }

        @Override
        public void ended() {
            tally.advance(queue.now(), job.serving());
            ended++;
            present.remove(this);
            local.scaleTo(0);
            for (Task task : List.copyOf(tasks.values())) {
                task.seat.freeAt = queue.now();
                task.end();
            }
            divideSoon();
        }
    }
}
