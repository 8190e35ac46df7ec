package io.praline.policy.simulation;

import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Target;
import java.time.Instant;
import java.util.Optional;

/**
 * A training loop as its client sees it: how far it is, and the window that it is in.
 *
 * <pre>
 *   waitShare  = 1 - time of the window's steps / time of the window
 *   queueDepth = mean length of a queue of {@value #QUEUE} batches with random arrivals (M/M/1/K), at supply / demand
 * </pre>
 */
final class TrainingLoop {
    /** Batches that a client keeps ready. */
    private static final int QUEUE = 16;

    /** A loop that hardly ever waits still waits now and then: up to this share of the noise. */
    private static final double RESIDUAL_WAIT = 0.1;

    private World world;
    private Target serving = Target.NONE;
    private double now;
    private double done;
    private boolean open;
    private double openedAt;
    private double elements;
    private double stepSeconds;
    private double queueSeconds;
    private boolean straddles;

    TrainingLoop(World world) {
        this.world = world;
    }

    Target serving() {
        return serving;
    }

    /** Elements until now. */
    void advance(double to) {
        double seconds = to - now;
        now = to;
        double taken = rate() * seconds;
        done += taken;
        elements += taken;
        stepSeconds += taken / demand();
        queueSeconds += queueDepth() * seconds;
    }

    void serve(double at, Target workers) {
        advance(at);
        serving = workers;
        straddles = open;
        if (!open && rate() > 0) {
            open();
        }
    }

    void change(double at, World becomes) {
        advance(at);
        world = becomes;
    }

    double secondsToWindow() {
        return (world.training().windowElements() - elements) / rate();
    }

    double secondsToEnd() {
        return (world.training().elements() - done) / rate();
    }

    boolean straddles() {
        return straddles;
    }

    /** The window that ends now as it was measured, and opens the next; empty where its times cannot be. */
    Optional<WindowClosed> close(Instant at, Draw draw) {
        Noise noise = world.noise();
        double factor = draw.around1(noise.relative());
        double seconds = (now - openedAt) * factor;
        double depth = queueSeconds / (now - openedAt) * draw.around1(noise.relative());
        double residual = RESIDUAL_WAIT * Math.abs(draw.around1(noise.relative()) - 1);
        if (draw.happens(noise.heavyTailShare())) {
            seconds *= draw.heavyTailed();
        }
        double waitShare = Math.max(0, Math.min(1, 1 - stepSeconds * factor / seconds + residual));
        if (draw.happens(noise.garbageShare())) {
            seconds = draw.nonsense(seconds);
        }
        boolean straddled = straddles;
        open();
        return measured(at, seconds, waitShare, depth, straddled);
    }

    private Optional<WindowClosed> measured(
            Instant at, double seconds, double waitShare, double depth, boolean straddled) {
        try {
            return Optional.of(new WindowClosed(
                    at,
                    0,
                    world.training().windowBatches(),
                    (long) world.training().windowElements(),
                    (long) (world.training().windowElements() * world.training().bytesPerElement()),
                    seconds,
                    waitShare,
                    depth,
                    serving.local(),
                    serving.remote(),
                    straddled));
        } catch (IllegalArgumentException cannotBe) {
            // the dispatcher drops such a window in the same way
            return Optional.empty();
        }
    }

    private void open() {
        open = true;
        openedAt = now;
        elements = 0;
        stepSeconds = 0;
        queueSeconds = 0;
        straddles = false;
    }

    private double rate() {
        return world.rates().rate(serving);
    }

    private double demand() {
        return world.rates().demand(serving.local());
    }

    private double queueDepth() {
        double load = world.rates().supply(serving) / demand();
        if (Math.abs(load - 1) < 1e-6) {
            return QUEUE / 2.0;
        }
        if (load > 1) {
            return QUEUE - emptier(1 / load);
        }
        return emptier(load);
    }

    private static double emptier(double load) {
        double full = StrictMath.pow(load, QUEUE + 1);
        return load / (1 - load) - (QUEUE + 1) * full / (1 - full);
    }
}
