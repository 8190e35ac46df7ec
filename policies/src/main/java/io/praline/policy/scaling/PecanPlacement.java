package io.praline.policy.scaling;

import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Policy;
import io.praline.policy.PolicyState;
import io.praline.policy.Reasons;
import io.praline.policy.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Pecan's AutoPlacement, the published variant that knows of free workers: one worker at a time, by the gain of the last
 * change,
 *
 * <pre>
 *   gain = 1 - batch time / batch time with the workers before       both in seconds, above 0: it helped
 *
 *   only remote        one remote worker more while gain &gt; thresholdUp and one is free; else back, one local worker more
 *   increasing local   one local worker more until gain &lt; -errorBar (then one less) or maxLocal; then one remote less
 *   decreasing remote  one remote worker less until gain &lt; -errorBar (then one more) or none; then one local more
 *   stable             as it is, for ever: reached when a round of the two changed nothing
 * </pre>
 *
 * <p>A window whose workers are not the target is waited out while the remote ones are still to come or go. Where they are
 * as they should be, or no worker is free, it goes on from what serves the job, increasing local: so it gets on where
 * local workers are never removed. A window with |gain| &gt; garbage is passed over.
 *
 * <p>A worker is free if the pool has more workers than serve the job, or if nothing says the contrary: the job has all
 * remote workers that it asked for, or asked less than {@code patienceSeconds} ago, in which time a pool may start one.
 *
 * <p>{@code terms.limits()} lower both bounds. With several consumers, batch times are the mean over them.
 *
 * @param maxRemote remote workers at most
 * @param maxLocal local workers at most
 * @param thresholdUp gain that a remote worker must bring, as a share
 * @param errorBar loss that is taken for noise, as a share
 * @param garbage gain or loss, as a share, that cannot be true
 * @param patienceSeconds how long a worker that was asked for counts as one that will come
 */
public record PecanPlacement(
        int maxRemote, int maxLocal, double thresholdUp, double errorBar, double garbage, double patienceSeconds)
        implements Policy {
    private static final String PHASE = "phase";
    private static final String PHASE_BEGAN_WORKERS = "phaseBeganWorkers";
    private static final String CONVERGED_SECONDS = "convergedBatchSeconds";
    private static final String STARTED_SECONDS = "startedEpochSeconds";

    private enum Phase {
        ONLY_REMOTE(0),
        INCREASING_LOCAL(1),
        DECREASING_REMOTE(2),
        STABLE(3);

        /** As it is remembered. */
        private final double number;

        Phase(double number) {
            this.number = number;
        }

        static Phase of(double number) {
            for (Phase phase : values()) {
                if (phase.number == number) {
                    return phase;
                }
            }
            throw new IllegalArgumentException("there is no phase " + number);
        }

        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    public PecanPlacement {
        if (maxRemote < 0 || maxLocal < 0 || maxRemote + maxLocal == 0) {
            throw new IllegalArgumentException(
                    "maxRemote and maxLocal must not be negative nor both 0, are " + maxRemote + " and " + maxLocal);
        }
        if (!(errorBar >= 0) || !(garbage > 0) || Double.isNaN(thresholdUp) || !(patienceSeconds >= 0)) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "errorBar and patienceSeconds must not be negative, garbage must be above 0, are %s, %s and %s",
                    errorBar,
                    patienceSeconds,
                    garbage));
        }
    }

    /** With the constants of its authors' runs. */
    public PecanPlacement() {
        this(20, 10, 0.03, 0.10, 1.3, 300);
    }

    @Override
    public String name() {
        return "pecan";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public SortedMap<String, String> parameters() {
        return Parameters.of(this);
    }

    /** What it remembers. */
    private record Memory(Phase phase, int began, double convergedSeconds, double startedSeconds) {
        static Memory of(PolicyState state) {
            SortedMap<String, Double> kept = state.memory();
            return new Memory(
                    Phase.of(kept.getOrDefault(PHASE, 0.0)),
                    kept.getOrDefault(PHASE_BEGAN_WORKERS, 0.0).intValue(),
                    kept.getOrDefault(CONVERGED_SECONDS, 0.0),
                    kept.getOrDefault(STARTED_SECONDS, 0.0));
        }

        static Memory atStart(Instant at) {
            return new Memory(Phase.ONLY_REMOTE, 0, 0, at.toEpochMilli() / 1e3);
        }

        Memory in(Phase next, int workers) {
            return new Memory(next, workers, convergedSeconds, startedSeconds);
        }

        Memory in(Phase next) {
            return in(next, began);
        }

        Memory converged(double batchSeconds) {
            return new Memory(phase, began, batchSeconds, startedSeconds);
        }

        Instant started() {
            return Instant.ofEpochMilli(Math.round(startedSeconds * 1e3));
        }

        SortedMap<String, Double> numbers() {
            SortedMap<String, Double> kept = new TreeMap<>();
            kept.put(PHASE, phase.number);
            kept.put(PHASE_BEGAN_WORKERS, (double) began);
            kept.put(CONVERGED_SECONDS, convergedSeconds);
            kept.put(STARTED_SECONDS, startedSeconds);
            return kept;
        }
    }

    /** Where to go from here, and what to remember then. */
    private record Move(int remote, int local, Memory memory, String why) {}

    @Override
    public Decision decide(PolicyState state, Observation seen) {
        if (state.wanted().workers() == 0) {
            return Decision.of(seen.at(), new ScaleTo(1, 0), "it begins with one remote worker")
                    .remembering(Memory.atStart(seen.at()).numbers());
        }
        if (!(seen instanceof Observation.WindowClosed window)) {
            return Decision.nothing(seen.at(), Reasons.NO_WINDOW);
        }
        if (window.straddles()) {
            return Decision.nothing(seen.at(), Reasons.STRADDLES);
        }
        Memory memory = Memory.of(state);
        return seen.at().isBefore(memory.started())
                ? Decision.nothing(seen.at(), Reasons.MEASURED_BEFORE)
                : decide(state, seen.at(), memory);
    }

    private Decision decide(PolicyState state, Instant at, Memory known) {
        Windows windows = Windows.since(state, known.started());
        Target last = windows.last().tasks();
        Memory memory = known;
        if (!last.equals(state.wanted())) {
            if (last.remote() != state.wanted().remote() && free(state, at)) {
                return Decision.nothing(at, Reasons.waiting(state.wanted(), last));
            }
            memory = memory.in(Phase.INCREASING_LOCAL);
        }
        if (windows.all().size() == 1) {
            return first(state, at, last, memory);
        }
        double seconds = windows.batchSeconds(last);
        Optional<Target> other = windows.lastOther().map(Observation.WindowClosed::tasks);
        if (other.isEmpty()) {
            Move stay = new Move(last.remote(), last.local(), memory.converged(seconds), Reasons.NOTHING_TO_COMPARE);
            return decision(state, at, stay, Collections.emptySortedMap());
        }
        double before = windows.batchSeconds(other.get());
        double gain = 1 - seconds / before;
        SortedMap<String, Double> numbers = new TreeMap<>();
        numbers.put("batchSeconds", seconds);
        numbers.put("beforeBatchSeconds", before);
        numbers.put("gain", gain);
        String compared = String.format(
                Locale.ROOT,
                "a batch takes %.1f ms with %s and took %.1f ms with %s",
                seconds * 1e3,
                last,
                before * 1e3,
                other.get());
        if (Math.abs(gain) > garbage) {
            return Decision.nothing(at, compared + ": " + Reasons.IMPOSSIBLE).with(numbers);
        }
        Move move = move(state, at, last, other.get(), before, gain, memory);
        Move told = new Move(
                move.remote(),
                move.local(),
                move.memory(),
                compared + " (" + memory.phase().words() + "): " + move.why());
        return decision(state, at, told, numbers);
    }

    private Decision first(PolicyState state, Instant at, Target last, Memory memory) {
        boolean up = last.remote() < mostRemote(state);
        int local = Math.min(last.local() + 1, mostLocal(state));
        Move move = up
                ? new Move(
                        last.remote() + 1,
                        last.local(),
                        memory,
                        "after its first window it tries one remote worker more")
                : new Move(
                        last.remote(),
                        local,
                        memory.in(Phase.INCREASING_LOCAL, 0),
                        "after its first window it tries local workers: no more remote ones are allowed");
        return decision(state, at, move, Collections.emptySortedMap());
    }

    private Move move(
            PolicyState state, Instant at, Target last, Target other, double before, double gain, Memory memory) {
        return switch (memory.phase()) {
            case ONLY_REMOTE -> onlyRemote(state, at, last, other, before, gain, memory);
            case INCREASING_LOCAL -> increasingLocal(state, last, gain, memory);
            case DECREASING_REMOTE -> decreasingRemote(state, last, gain, memory);
            case STABLE -> new Move(last.remote(), last.local(), memory, "it is stable and stays so");
        };
    }

    private Move onlyRemote(
            PolicyState state, Instant at, Target last, Target other, double before, double gain, Memory memory) {
        int most = mostRemote(state);
        boolean free = free(state, at);
        if (gain > thresholdUp && free && last.remote() < most) {
            return new Move(last.remote() + 1, last.local(), memory, "the last one helped, one remote worker more");
        }
        int remote = last.remote() >= most ? most : other.remote();
        String why = "the last one did not help";
        if (gain > thresholdUp) {
            why = free ? "there may be no more remote workers" : "no worker is free";
        }
        return new Move(
                remote,
                Math.min(other.local() + 1, mostLocal(state)),
                memory.converged(before).in(Phase.INCREASING_LOCAL, 0),
                why + ", from now on local workers");
    }

    private Move increasingLocal(PolicyState state, Target last, double gain, Memory memory) {
        boolean hurt = gain < -errorBar;
        int most = mostLocal(state);
        if (!hurt && last.local() < most) {
            return new Move(last.remote(), last.local() + 1, memory, "that did no harm, one local worker more");
        }
        String why = hurt ? "that did harm" : "there may be no more local workers";
        int local = hurt ? Math.max(0, last.local() - 1) : most;
        boolean nothingToMove = last.remote() == 0 || last.remote() + local <= 1;
        if (local == memory.began() || nothingToMove) {
            return new Move(last.remote(), local, memory.in(Phase.STABLE), why + ", it is stable now");
        }
        return new Move(
                last.remote() - 1,
                local,
                memory.in(Phase.DECREASING_REMOTE, last.remote()),
                why + ", from now on fewer remote workers");
    }

    private Move decreasingRemote(PolicyState state, Target last, double gain, Memory memory) {
        boolean held = gain >= -errorBar;
        if (held && last.remote() > 0 && last.workers() > 1) {
            return new Move(last.remote() - 1, last.local(), memory, "that did no harm, one remote worker less");
        }
        String why = held ? "there is no remote worker left to take away" : "that did harm";
        int remote = held ? last.remote() : Math.min(last.remote() + 1, mostRemote(state));
        if (remote == memory.began() || last.local() >= mostLocal(state)) {
            return new Move(remote, last.local(), memory.in(Phase.STABLE), why + ", it is stable now");
        }
        return new Move(
                remote,
                last.local() + 1,
                memory.in(Phase.INCREASING_LOCAL, last.local()),
                why + ", from now on local workers");
    }

    private static Decision decision(PolicyState state, Instant at, Move move, SortedMap<String, Double> numbers) {
        Target target = new Target(move.remote(), move.local());
        Decision decision = target.equals(state.wanted())
                ? Decision.nothing(at, move.why())
                : Decision.of(at, new ScaleTo(target), move.why());
        return decision.with(numbers).remembering(move.memory().numbers());
    }

    private int mostRemote(PolicyState state) {
        return Math.min(maxRemote, state.terms().limits().maxRemote());
    }

    private int mostLocal(PolicyState state) {
        return Math.min(maxLocal, state.terms().limits().maxLocal());
    }

    private boolean free(PolicyState state, Instant at) {
        boolean spare = state.pool().workers() > state.granted().remote();
        boolean gotAll = state.granted().remote() >= state.wanted().remote();
        boolean mayCome = Duration.between(state.scaledAt(), at).toMillis() < patienceSeconds * 1e3;
        return spare || gotAll || mayCome;
    }
}
