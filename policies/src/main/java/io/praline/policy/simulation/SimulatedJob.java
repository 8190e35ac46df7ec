package io.praline.policy.simulation;

import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.PoolChanged;
import io.praline.policy.Observation.RateMeasured;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.Turn;
import java.util.Optional;

/** One job: its training loop, and its turns as the dispatcher takes them. Who starts its workers is not its business. */
final class SimulatedJob {
    /** A source of 1,000 elements is a split. */
    private static final long SPLIT_ELEMENTS = 1000;

    /** What its job does, told to who runs the world. */
    interface Listener {
        /** Its policy wants other workers, within its limits. */
        void wants(Target workers);

        /** A window is over; its policy sees it afterwards. */
        void windowOver(Optional<WindowClosed> measured, boolean straddles);

        /** It has read all that it wanted to. */
        void ended();
    }

    private final EventQueue queue;
    private final Policy policy;
    private final Draw draw;
    private final Listener listener;
    private final TrainingLoop loop;
    private World world;
    private PolicyState state = PolicyState.UNKNOWN;
    private Target coming = Target.NONE;
    private boolean changing;
    private long turns;
    private long schedule;
    private boolean ended;

    SimulatedJob(EventQueue queue, World world, Policy policy, Draw draw, Listener listener) {
        this.queue = queue;
        this.policy = policy;
        this.draw = draw;
        this.listener = listener;
        this.world = world;
        loop = new TrainingLoop(world);
    }

    void begin(int poolWorkers) {
        loop.advance(queue.now());
        observe(new TermsSet(queue.instant(), world.terms()));
        long splits = (world.training().elementsPerEpoch() + SPLIT_ELEMENTS - 1) / SPLIT_ELEMENTS;
        observe(new Planned(queue.instant(), splits, 0, false));
        pool(poolWorkers);
    }

    void pool(int workers) {
        observe(new PoolChanged(queue.instant(), workers, workers));
    }

    void serveRemote(int workers) {
        serveSoon(new Target(workers, coming.local()));
    }

    void serveLocal(int workers) {
        serveSoon(new Target(coming.remote(), workers));
    }

    /** What comes and goes at the same moment is one change. */
    private void serveSoon(Target workers) {
        coming = workers;
        if (!changing) {
            changing = true;
            queue.in(0, () -> {
                changing = false;
                serve(coming);
            });
        }
    }

    private void serve(Target workers) {
        if (!workers.equals(loop.serving())) {
            loop.serve(queue.now(), workers);
            observe(new Granted(queue.instant(), workers));
            schedule();
        }
    }

    void change(World becomes) {
        loop.change(queue.now(), becomes);
        World before = world;
        Target wantedBefore = wanted();
        world = becomes;
        if (!wanted().equals(wantedBefore)) {
            listener.wants(wanted());
        }
        if (!before.terms().equals(becomes.terms())) {
            observe(new TermsSet(queue.instant(), becomes.terms()));
        }
        schedule();
    }

    void remoteRateKnown(String worker) {
        rateKnown(worker, false, 1, world.rates().remote());
    }

    void localRateKnown(String worker) {
        int beside = loop.serving().local();
        rateKnown(worker, true, beside, world.rates().localRate(beside) / beside);
    }

    private void rateKnown(String worker, boolean local, int beside, double rate) {
        double measured = rate * draw.around1(world.noise().relative());
        observe(new RateMeasured(queue.instant(), worker, local, beside, measured));
    }

    /** What its policy wants, within its limits. */
    Target wanted() {
        return world.terms().limits().cut(state.wanted());
    }

    Target serving() {
        return loop.serving();
    }

    World world() {
        return world;
    }

    long turns() {
        return turns;
    }

    boolean ended() {
        return ended;
    }

    private void observe(Observation seen) {
        if (ended) {
            return;
        }
        Target before = wanted();
        Turn turn = Turn.take(state, seen, policy);
        if (turn.broken().isPresent()) {
            // what it would cost from here on is not what the policy costs
            throw new IllegalStateException(
                    turn.decision().reason(), turn.broken().get());
        }
        state = turn.state();
        turns++;
        if (!wanted().equals(before)) {
            listener.wants(wanted());
        }
    }

    /** What happens next in its loop: a window closes, or it ends. */
    private void schedule() {
        long valid = ++schedule;
        double toWindow = loop.secondsToWindow();
        double toEnd = loop.secondsToEnd();
        double next = Math.min(toWindow, toEnd);
        if (ended || Double.isInfinite(next)) {
            return;
        }
        queue.in(Math.max(0, next), () -> {
            if (valid != schedule) {
                return;
            }
            loop.advance(queue.now());
            if (toEnd <= toWindow) {
                ended = true;
                listener.ended();
            } else {
                closeWindow();
                schedule();
            }
        });
    }

    private void closeWindow() {
        boolean straddles = loop.straddles();
        Optional<WindowClosed> measured = loop.close(queue.instant(), draw);
        listener.windowOver(measured, straddles);
        measured.ifPresent(this::observe);
    }
}
