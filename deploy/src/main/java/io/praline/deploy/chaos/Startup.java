package io.praline.deploy.chaos;

import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.schema.WorkerEvent;
import io.praline.schema.WorkerHeartbeat;
import io.praline.topics.Patience;
import io.praline.topics.TopicAdmin;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Brings a run's processes up, one kind after the other: all at once they would keep each other waiting. One thread. */
final class Startup {
    /** A machine may be busy with other things. */
    private static final Duration MOST = Duration.ofMinutes(4);

    private static final Duration LOOK = Duration.ofMillis(100);

    private final Processes processes;
    private final Patience patience = new Patience(Optional.of(MOST), LOOK);

    Startup(Processes processes) {
        this.processes = processes;
    }

    /** Returns when all but trainers serve; those that are there from the start are started. */
    void run(Schedule schedule) throws InterruptedException {
        processes.start(Target.BROKER);
        try (TopicAdmin admin = patience.with(this::admin)) {
            admin.createMissing();
        }
        List<Target> dispatchers = started(Target.Role.DISPATCHER);
        await(dispatchers, dispatcher -> processes.says(dispatcher, "dispatcher " + dispatcher + " serves"));
        List<Target> workers = started(Target.Role.WORKER);
        Set<String> heard = new TreeSet<>();
        try (AvroCodec codec = new AvroCodec(processes.kafka());
                TopicReader<WorkerEvent> beats =
                        patience.with(() -> LiveTopics.all(processes.kafka(), codec, Topics.WORKER_HEARTBEATS))) {
            await(workers, worker -> {
                for (WorkerEvent event : LiveTopics.values(beats.poll(LOOK))) {
                    if (event.getBody() instanceof WorkerHeartbeat beat) {
                        heard.add(beat.getWorker());
                    }
                }
                return heard.contains(worker.toString());
            });
        }
        processes.all().stream()
                .filter(target -> target.role() == Target.Role.CLIENT)
                .filter(target -> schedule.joiner().filter(target::equals).isEmpty())
                .forEach(processes::start);
    }

    private TopicAdmin admin() {
        if (!processes.alive(Target.BROKER)) {
            throw new CommandFailed(ExitCode.BROKEN, "the broker did not start: " + processes.lastLine(Target.BROKER));
        }
        return TopicAdmin.connect(processes.kafka());
    }

    private List<Target> started(Target.Role role) {
        List<Target> all =
                processes.all().stream().filter(target -> target.role() == role).toList();
        all.forEach(processes::start);
        return all;
    }

    /** Who ended is started again. */
    private void await(List<Target> targets, Predicate<Target> ready) throws InterruptedException {
        long deadline = System.nanoTime() + MOST.toNanos();
        while (!targets.stream().allMatch(ready)) {
            targets.stream().filter(target -> !processes.alive(target)).forEach(processes::start);
            if (System.nanoTime() - deadline > 0) {
                throw new CommandFailed(
                        ExitCode.UNREACHABLE,
                        targets + " did not start within " + MOST.toSeconds()
                                + " s: end what keeps this machine busy and try again");
            }
            Thread.sleep(LOOK.toMillis());
        }
    }
}
