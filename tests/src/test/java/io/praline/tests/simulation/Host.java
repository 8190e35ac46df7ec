package io.praline.tests.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process: what it does waits while it is stopped, and is not done once it is dead. Its name is that of its host. */
class Host {
    private final World world;
    private final String name;
    private final Deque<Runnable> held = new ArrayDeque<>();
    private final List<Wire.End> ends = new ArrayList<>();
    private boolean stopped;
    private boolean dead;
    private boolean disturbed;
    private long wakeAt = Long.MAX_VALUE;
    private long skewMillis;

    Host(World world, String name) {
        this.world = world;
        this.name = name;
    }

    final World world() {
        return world;
    }

    final String name() {
        return name;
    }

    final boolean isDead() {
        return dead;
    }

    final boolean isStopped() {
        return stopped;
    }

    /** Whether it neither sleeps nor is dead. */
    final boolean runs() {
        return !dead && !stopped;
    }

    /** Milliseconds since 1970, as its clock has it. */
    final long wallMillis() {
        return world.millis() + skewMillis;
    }

    final void skew(long millis) {
        skewMillis = millis;
    }

    /** Does it so much later, if it lives then. */
    final void after(long micros, Runnable work) {
        world.after(micros, () -> run(work));
    }

    /** Does it now, or once it goes on. */
    final void run(Runnable work) {
        if (dead) {
            return;
        }
        if (stopped) {
            held.add(work);
            return;
        }
        work.run();
        pump();
    }

    /** Whether it was ever stopped, killed or cut off. */
    final boolean isDisturbed() {
        return disturbed || dead;
    }

    /** It is cut off from others. */
    final void disturb() {
        disturbed = true;
    }

    final void stop() {
        stopped = true;
        disturbed = true;
    }

    final void resume() {
        if (!stopped) {
            return;
        }
        stopped = false;
        while (!held.isEmpty() && runs()) {
            run(held.poll());
        }
    }

    /** It is no more, and its peers hear that at once. */
    void kill() {
        if (!dead) {
            dead = true;
            held.clear();
            List.copyOf(ends).forEach(Wire.End::die);
            ends.clear();
            bury();
        }
    }

    /** Frees memory that the system would take back. */
    void bury() {}

    // ---- its connections

    final void add(Wire.End end) {
        ends.add(end);
    }

    final int connections() {
        return ends.size();
    }

    /** Has its event loops do what is due, and sends what came of it. */
    final void pump() {
        if (!runs()) {
            return;
        }
        for (boolean busy = true; busy; ) {
            busy = false;
            int known = ends.size();
            for (int i = 0; i < ends.size(); i++) {
                busy |= ends.get(i).flush();
            }
            ends.removeIf(Wire.End::isOver);
            loops();
            busy |= ends.size() > known;
        }
        long next = loops();
        for (Wire.End end : ends) {
            next = Math.min(next, end.nextNanos());
        }
        if (next != Long.MAX_VALUE && (wakeAt <= world.nanos() || next < wakeAt)) {
            wakeAt = next;
            world.at(next, () -> run(() -> {}));
        }
    }

    /** Has event loops beside those of connections do what is due; gives when something is due again. */
    long loops() {
        return Long.MAX_VALUE;
    }

    static long seconds(double seconds) {
        return (long) (seconds * TimeUnit.SECONDS.toMicros(1));
    }
}
