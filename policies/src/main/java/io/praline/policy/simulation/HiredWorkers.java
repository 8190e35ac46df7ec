package io.praline.policy.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Workers of one kind that one job has for itself: started for it, drained when it no longer wants them, replaced when
 * they die.
 */
final class HiredWorkers {
    /** A worker's rate is known this long after its first element. */
    static final double RATE_SECONDS = 5;

    /** What differs. */
    enum Kind {
        REMOTE {
            @Override
            double startSeconds(World world) {
                return world.delays().remoteStartSeconds();
            }

            @Override
            double drainSeconds(World world) {
                return world.delays().remoteDrainSeconds();
            }

            @Override
            double lifetimeSeconds(World world) {
                return world.remoteMeanLifetimeSeconds();
            }
        },
        LOCAL {
            @Override
            double startSeconds(World world) {
                return world.delays().localStartSeconds();
            }

            /** What it has made is already where it is used. */
            @Override
            double drainSeconds(World world) {
                return 0;
            }

            @Override
            double lifetimeSeconds(World world) {
                return Double.POSITIVE_INFINITY;
            }
        };

        abstract double startSeconds(World world);

        abstract double drainSeconds(World world);

        abstract double lifetimeSeconds(World world);
    }

    private static final class Hired {
        private final String id;
        private boolean serves;
        private boolean leaves;
        private boolean gone;

        private Hired(String id) {
            this.id = id;
        }
    }

    private final EventQueue queue;
    private final Draw draw;
    private final Kind kind;
    private final IntConsumer serving;
    private final Consumer<String> rateKnown;
    private final List<Hired> hired = new ArrayList<>();
    private World world;
    private int target;
    private int started;

    /**
     * Nobody yet.
     *
     * @param serving is told how many serve whenever that changes
     * @param rateKnown is told of a worker when its rate is known
     */
    HiredWorkers(EventQueue queue, World world, Draw draw, Kind kind, IntConsumer serving, Consumer<String> rateKnown) {
        this.queue = queue;
        this.world = world;
        this.draw = draw;
        this.kind = kind;
        this.serving = serving;
        this.rateKnown = rateKnown;
    }

    void change(World becomes) {
        world = becomes;
    }

    /** Whoever was started and is not gone: they are paid for. */
    int count() {
        return hired.size();
    }

    void scaleTo(int wanted) {
        target = wanted;
        List<Hired> staying = new ArrayList<>(hired);
        staying.removeIf(worker -> worker.leaves);
        for (int i = staying.size(); i < target; i++) {
            Hired worker = new Hired(kind.name().charAt(0) + Integer.toString(started++));
            hired.add(worker);
            queue.in(kind.startSeconds(world), () -> serve(worker));
        }
        // the newest first: those that do not serve yet
        for (int i = staying.size() - 1; i >= target; i--) {
            Hired worker = staying.get(i);
            worker.leaves = true;
            if (worker.serves) {
                queue.in(kind.drainSeconds(world), () -> leave(worker));
            } else {
                leave(worker);
            }
        }
    }

    private void serve(Hired worker) {
        if (worker.gone) {
            return;
        }
        worker.serves = true;
        tell();
        queue.in(RATE_SECONDS, () -> {
            if (!worker.gone) {
                rateKnown.accept(worker.id);
            }
        });
        double mean = kind.lifetimeSeconds(world);
        if (mean < Double.POSITIVE_INFINITY) {
            queue.in(draw.lifetime(mean), () -> {
                leave(worker);
                scaleTo(target);
            });
        }
    }

    private void leave(Hired worker) {
        if (worker.gone) {
            return;
        }
        worker.gone = true;
        hired.remove(worker);
        if (worker.serves) {
            tell();
        }
    }

    private void tell() {
        serving.accept((int) hired.stream().filter(worker -> worker.serves).count());
    }
}
