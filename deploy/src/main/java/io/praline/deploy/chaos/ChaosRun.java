package io.praline.deploy.chaos;

import io.praline.deploy.chaos.trainer.Life;
import io.praline.deploy.chaos.trainer.Photographs;
import io.praline.deploy.terminal.ExitCode;
import io.praline.policy.Counted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** One run: starts all, breaks what is due, starts again what ended, until every trainer is done. One thread. */
public final class ChaosRun {
    private static final long LOOK_MILLIS = 50;
    private static final long HARM_NANOS = Duration.ofMillis(250).toNanos();
    private static final long AGAIN_NANOS = Duration.ofSeconds(1).toNanos();

    private final Schedule schedule;
    private final Settings settings;
    private final Processes processes;
    private final Harm harm;
    private final EntryDamage damage;
    private final Consumer<String> notes;
    private final List<Fault> waiting;
    private final List<Active> active = new ArrayList<>();
    private final Map<Target, Long> againAtNanos = new HashMap<>();
    /** Trainers that are done, one way or the other. */
    private final Set<Target> done = new HashSet<>();

    private final List<Standstill> standstills = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private RunResult.Kills kills = RunResult.Kills.NONE;
    private int stops;
    private int cuts;
    private int comings;
    private int entriesHarmed;
    private long harmedAtNanos;
    private int restarts;
    private int hangs;

    /**
     * How runs are made.
     *
     * @param folder of this run's files; there must be none yet
     * @param photographs the folder of the images, shared by runs
     * @param command the main class of the praline command
     * @param patience how long a job may stand still that could move
     * @param most how long a run may take
     * @param options what was asked for, in words
     */
    public record Settings(
            Path folder, Path photographs, Class<?> command, Duration patience, Duration most, String options) {}

    private record Active(Fault fault, long untilNanos) {}

    private ChaosRun(Schedule schedule, Settings settings, Processes processes, Consumer<String> notes) {
        this.schedule = schedule;
        this.settings = settings;
        this.processes = processes;
        this.harm = new Harm(schedule);
        this.damage = new EntryDamage(processes.store(), new SplittableRandom(schedule.seed()));
        this.notes = notes;
        this.waiting = new ArrayList<>(schedule.faults());
    }

    /**
     * Runs it.
     *
     * @param notes gets a line for what happens
     */
    public static RunResult of(Schedule schedule, Settings settings, Consumer<String> notes)
            throws InterruptedException {
        String glob = Photographs.in(settings.photographs());
        try (Processes processes = new Processes(schedule, settings.folder(), glob, settings.command())) {
            return new ChaosRun(schedule, settings, processes, notes).run();
        }
    }

    private RunResult run() throws InterruptedException {
        long startNanos = System.nanoTime();
        new Startup(processes).run(schedule);
        schedule.jobs().forEach(job -> standstills.add(new Standstill(System.nanoTime())));
        while (!done.containsAll(clients()) && hangs == 0) {
            Thread.sleep(LOOK_MILLIS);
            long nowNanos = System.nanoTime();
            readDiaries();
            long trained = IntStream.range(0, schedule.jobs().size())
                    .mapToLong(this::trained)
                    .sum();
            endFaults(nowNanos);
            beginFaults(nowNanos, trained);
            harmEntries(nowNanos);
            startAgain(nowNanos);
            look(nowNanos);
            if (nowNanos - startNanos > settings.most().toNanos() && hangs == 0) {
                hang("it was not over after " + settings.most().toSeconds() + " s");
            }
        }
        if (hangs > 0) {
            processes.dumpThreads();
        }
        return result(startNanos);
    }

    private void readDiaries() {
        clients().forEach(client -> processes.lives(client).forEach(Life::read));
    }

    private List<Target> clients() {
        return processes.all().stream()
                .filter(target -> target.role() == Target.Role.CLIENT && processes.isStarted(target))
                .toList();
    }

    private List<Target> clientsOf(int job) {
        return clients().stream()
                .filter(client -> schedule.jobOf(client.number()) == job)
                .toList();
    }

    private long trained(int job) {
        return clientsOf(job).stream()
                .flatMap(client -> processes.lives(client).stream())
                .mapToLong(life -> life.trained().size())
                .sum();
    }

    // ---------------------------------------------------------------------------------------------------------- faults

    private void beginFaults(long nowNanos, long trained) {
        for (Fault fault : List.copyOf(waiting)) {
            // asked one by one: what began just now may have broken the next one's target
            if (fault.at() > trained || !isFree(fault)) {
                continue;
            }
            waiting.remove(fault);
            if (fault.targets().stream().anyMatch(done::contains)) {
                notes.accept("not " + fault + ": it is done");
                continue;
            }
            notes.accept(trained + ": " + fault);
            begin(fault);
            active.add(new Active(fault, nowNanos + fault.lasts().toNanos()));
        }
    }

    /** A process that is dead, stopped or being started again cannot be broken: the fault waits. */
    private boolean isFree(Fault fault) {
        return switch (fault.kind()) {
            case CUT -> !harm.isCut(fault.targets());
            case JOIN, ENTRIES -> true;
            case KILL, STOP, LEAVE ->
                fault.targets().stream().allMatch(target -> done.contains(target) || works(target));
            case REPLACE ->
                // one that is stopped before it asked for its place would take it from its own successor when it wakes
                // up
                fault.targets().stream()
                        .allMatch(target -> done.contains(target)
                                || (works(target) && newest(target).joined()));
        };
    }

    private boolean works(Target target) {
        return !harm.isDown(target)
                && processes.alive(target)
                && (target.role() != Target.Role.CLIENT || newest(target).begun());
    }

    private Life newest(Target client) {
        List<Life> lives = processes.lives(client);
        return lives.get(lives.size() - 1);
    }

    private void begin(Fault fault) {
        switch (fault.kind()) {
            case KILL ->
                fault.targets().forEach(target -> {
                    harm.down(target);
                    processes.kill(target);
                    kills = kills.and(target);
                });
            case STOP ->
                fault.targets().forEach(target -> {
                    harm.down(target);
                    processes.stop(target);
                    stops++;
                });
            case CUT -> {
                harm.cut(fault.targets());
                processes.cut(fault.targets());
                cuts++;
            }
            case LEAVE -> {
                fault.targets().forEach(processes::askToLeave);
                comings++;
            }
            case JOIN -> {
                processes.start(fault.targets().get(1));
                comings++;
            }
            case REPLACE -> {
                fault.targets().forEach(processes::replace);
                stops++;
                comings++;
            }
            case ENTRIES -> {
                entriesHarmed += damage.harm();
                harmedAtNanos = System.nanoTime();
            }
        }
    }

    private void harmEntries(long nowNanos) {
        boolean due = active.stream().anyMatch(one -> one.fault().kind() == Fault.Kind.ENTRIES)
                && nowNanos - harmedAtNanos > HARM_NANOS;
        if (due) {
            entriesHarmed += damage.harm();
            harmedAtNanos = nowNanos;
        }
    }

    private void endFaults(long nowNanos) {
        List<Active> over =
                active.stream().filter(one -> nowNanos - one.untilNanos() >= 0).toList();
        for (Active one : over) {
            active.remove(one);
            Fault fault = one.fault();
            switch (fault.kind()) {
                case KILL ->
                    fault.targets().forEach(target -> {
                        processes.start(target);
                        harm.up(target);
                    });
                case STOP ->
                    fault.targets().forEach(target -> {
                        processes.goOn(target);
                        harm.up(target);
                    });
                case CUT -> {
                    processes.heal(fault.targets());
                    harm.heal(fault.targets());
                }
                case LEAVE, JOIN, ENTRIES -> {}
                case REPLACE -> processes.goOnSuperseded();
            }
        }
    }

    // ------------------------------------------------------------------------------------------------------
    // supervision

    /** What ended by itself is started again after a moment, as whoever runs it would; but for trainers that are done. */
    private void startAgain(long nowNanos) {
        for (Target target : processes.all()) {
            if (!processes.isStarted(target)
                    || harm.isDown(target)
                    || done.contains(target)
                    || processes.alive(target)) {
                continue;
            }
            if (target.role() == Target.Role.CLIENT && isDone(target)) {
                done.add(target);
            } else if (!againAtNanos.containsKey(target)) {
                againAtNanos.put(target, nowNanos + AGAIN_NANOS);
            } else if (nowNanos - againAtNanos.get(target) >= 0) {
                againAtNanos.remove(target);
                restarts++;
                notes.accept(target + " ended with code " + processes.exitCode(target) + ": "
                        + processes.lastLine(target) + "; started again");
                processes.start(target);
            }
        }
    }

    private boolean isDone(Target client) {
        int code = processes.exitCode(client);
        if (code == ExitCode.JOB_FAILED.number()) {
            failures.add("job " + schedule.jobOf(client.number()) + " failed: " + processes.lastLine(client));
        }
        return code == ExitCode.DONE.number() || code == ExitCode.JOB_FAILED.number();
    }

    private void look(long nowNanos) {
        for (int job = 0; job < schedule.jobs().size(); job++) {
            List<Target> working = clientsOf(job).stream()
                    .filter(client -> !done.contains(client)
                            && processes.alive(client)
                            && newest(client).begun())
                    .toList();
            boolean over = done.containsAll(clientsOf(job));
            Standstill standstill = standstills.get(job);
            standstill.look(nowNanos, trained(job), !over && harm.path(working));
            if (!over && standstill.nanos(nowNanos) > settings.patience().toNanos()) {
                hang("job " + job + " (" + schedule.jobs().get(job) + ") stood still for "
                        + settings.patience().toSeconds() + " s after " + trained(job) + " of "
                        + Counted.of(schedule.jobs().get(job).elements(), "element"));
            }
        }
    }

    private void hang(String reason) {
        hangs++;
        failures.add("hang: " + reason);
    }

    // ---------------------------------------------------------------------------------------------------------- result

    private RunResult result(long startNanos) throws InterruptedException {
        readDiaries();
        Verdict verdict = new Verdict(schedule, processes, hangs == 0);
        List<Tally> tallies = verdict.tallies();
        failures.addAll(verdict.failures());
        long longest =
                standstills.stream().mapToLong(Standstill::longestNanos).max().orElse(0);
        return new RunResult(
                schedule.seed(),
                settings.options(),
                tallies.stream().mapToLong(Tally::trained).sum(),
                tallies.stream().mapToLong(Tally::missing).sum(),
                tallies.stream().mapToLong(Tally::duplicates).sum(),
                tallies.stream().mapToLong(Tally::possiblyTwice).sum(),
                verdict.wrong(),
                verdict.cacheHits(),
                hangs,
                kills,
                stops,
                cuts,
                comings,
                entriesHarmed,
                Duration.ofNanos(longest).toMillis(),
                restarts,
                (System.nanoTime() - startNanos) / 1e9,
                failures);
    }
}
