package io.praline.policy.simulation;

import io.praline.policy.Target;
import java.util.ArrayList;
import java.util.List;

/** Workers that one job has for itself: started for it, drained when it no longer wants them, replaced when they die. */
final class HiredWorkers {
    /** A worker's rate is known this long after its first element. */
    static final double RATE_SECONDS = 5;

    private static final class Worker {
        private final String id;
        private boolean serves;
        private boolean leaves;
        private boolean gone;

        private Worker(String id) {
            this.id = id;
        }
    }

    private final EventQueue queue;
    private final Draw draw;
    private SimulatedJob job;
    private World world;
    private final List<Worker> remote = new ArrayList<>();
    private final List<Worker> local = new ArrayList<>();
    private Target target = Target.NONE;
    private int started;
    private boolean told = true;

    HiredWorkers(EventQueue queue, World world, Draw draw) {
        this.queue = queue;
        this.world = world;
        this.draw = draw;
    }

    void workFor(SimulatedJob one) {
        job = one;
    }

    void change(World becomes) {
        world = becomes;
    }

    /** What is paid for now: whatever was started and is not gone. */
    Target paid() {
        return new Target(remote.size(), local.size());
    }

    void scaleTo(Target wanted) {
        target = wanted;
        scaleRemote();
        scaleLocal();
    }

    private void scaleRemote() {
        List<Worker> staying = new ArrayList<>(remote);
        staying.removeIf(worker -> worker.leaves);
        for (int i = staying.size(); i < target.remote(); i++) {
            Worker worker = new Worker("r" + started++);
            remote.add(worker);
            queue.in(world.delays().remoteStartSeconds(), () -> remoteServes(worker));
        }
        // the newest first: those that do not serve yet
        for (int i = staying.size() - 1; i >= target.remote(); i--) {
            Worker worker = staying.get(i);
            worker.leaves = true;
            if (worker.serves) {
                queue.in(world.delays().remoteDrainSeconds(), () -> leave(worker, remote));
            } else {
                leave(worker, remote);
            }
        }
    }

    private void remoteServes(Worker worker) {
        if (worker.gone) {
            return;
        }
        serve(worker);
        queue.in(RATE_SECONDS, () -> {
            if (!worker.gone) {
                job.remoteRateKnown(worker.id);
            }
        });
        if (world.remoteMeanLifetimeSeconds() < Double.POSITIVE_INFINITY) {
            queue.in(draw.lifetime(world.remoteMeanLifetimeSeconds()), () -> {
                leave(worker, remote);
                scaleRemote();
            });
        }
    }

    private void scaleLocal() {
        for (int i = local.size(); i < target.local(); i++) {
            Worker worker = new Worker("l" + started++);
            local.add(worker);
            queue.in(world.delays().localStartSeconds(), () -> localServes(worker));
        }
        // what a local worker has made is already where it is used: it leaves at once
        while (local.size() > target.local()) {
            leave(local.get(local.size() - 1), local);
        }
    }

    private void localServes(Worker worker) {
        if (worker.gone) {
            return;
        }
        serve(worker);
        queue.in(RATE_SECONDS, () -> {
            if (!worker.gone) {
                job.localRateKnown(worker.id);
            }
        });
    }

    private void serve(Worker worker) {
        worker.serves = true;
        tell();
    }

    private void leave(Worker worker, List<Worker> among) {
        if (worker.gone) {
            return;
        }
        worker.gone = true;
        among.remove(worker);
        if (worker.serves) {
            tell();
        }
    }

    /** What comes and goes at the same moment is one change. */
    private void tell() {
        if (told) {
            told = false;
            queue.in(0, () -> {
                told = true;
                job.serve(new Target(serving(remote), serving(local)));
            });
        }
    }

    private static int serving(List<Worker> workers) {
        return (int) workers.stream().filter(worker -> worker.serves).count();
    }
}
