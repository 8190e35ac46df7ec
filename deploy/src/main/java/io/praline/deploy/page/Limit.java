package io.praline.deploy.page;

import io.praline.deploy.terminal.JobView;
import io.praline.dispatcher.convert.WaitingFor;
import io.praline.policy.Counted;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.ConsumerState;
import io.praline.schema.EpochProgress;
import io.praline.schema.JobStatus;
import io.praline.schema.TransformationMetrics;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What limits a job, and what to do about it: the one sentence that matters.
 *
 * @param urgency how much it wants a look
 * @param sentence what limits it
 * @param advice what to do; empty: nothing
 * @param commands to type, most useful first
 */
record Limit(Urgency urgency, String sentence, String advice, List<String> commands) {
    /** Below it a loop waits no longer than measuring it costs. */
    private static final double HARDLY = 0.05;

    private static final Pattern PLAIN = Pattern.compile("[\\w.:@%+/=-]+");

    Limit {
        commands = List.copyOf(commands);
    }

    /** How much a job wants a look, most first. */
    enum Urgency {
        /** It goes no further without somebody. */
        ACT,
        /** It could go faster, or waits. */
        LOOK,
        /** It goes as well as it can. */
        FINE
    }

    static Limit of(JobStatus status, JobFigures figures) {
        String job = word(status.getJob());
        return switch (status.getState()) {
            case COMPLETED -> fine(status.getProgress().isEmpty() ? "Done." : "Done: " + used(status) + ".", "");
            case CANCELLED -> fine("Cancelled: " + sentence(status.getReason()), "");
            case FAILED -> failed(status);
            case PLANNING -> fine("A worker lists what is to be read.", "");
            case WAITING -> waiting(status, job);
            case RUNNING -> running(status, figures, job);
        };
    }

    private static String used(JobStatus status) {
        long used = status.getProgress().stream()
                .mapToLong(EpochProgress::getConsumed)
                .sum();
        long twice = status.getProgress().stream()
                .mapToLong(EpochProgress::getPossiblyTwice)
                .sum();
        return String.format(
                        Locale.ROOT,
                        "%,d %s in %s %s trained on",
                        used,
                        Counted.word(used, "element", "elements"),
                        Counted.of(status.getEpochs(), "epoch"),
                        Counted.word(used, "was", "were"))
                + (twice == 0 ? "" : String.format(Locale.ROOT, ", %,d of them possibly twice", twice));
    }

    private static Limit failed(JobStatus status) {
        String advice =
                switch (status.getFailure()) {
                    case REFUSED -> "Mend the pipeline, the data or the options, and submit it again.";
                    case UNREACHABLE -> "See that what it names can be reached from the workers, and submit it again.";
                    case FAILED, CACHE, NONE -> "See what led to it, and submit it again.";
                };
        return new Limit(
                Urgency.ACT,
                "Failed: " + sentence(status.getReason()),
                advice,
                List.of("praline explain " + word(status.getJob())));
    }

    private static Limit waiting(JobStatus status, String job) {
        String waits = "Waits: " + sentence(status.getReason());
        // one that is not known is of a newer dispatcher: its reason says what there is to say
        return WaitingFor.of(status.getWaitingFor())
                .map(what -> waiting(what, waits, status, job))
                .orElseGet(() -> look(waits, "", "praline explain " + job));
    }

    private static Limit waiting(WaitingFor what, String waits, JobStatus status, String job) {
        return switch (what) {
            case PAUSED -> look("It is paused.", "It goes on when you say so.", "praline job resume " + job);
            case CAPACITY ->
                new Limit(
                        Urgency.ACT,
                        waits,
                        "Whoever starts workers cannot start more: give it room, or start workers yourself.",
                        List.of("praline workers"));
            case WORKERS ->
                new Limit(
                        Urgency.ACT,
                        waits,
                        "Start a worker for pool " + status.getPool() + ".",
                        List.of("praline workers", "praline worker --help"));
            case SLOTS ->
                look(waits, "Start more workers, or pause what matters less.", "praline workers", "praline jobs");
            case POLICY ->
                look(
                        waits,
                        "Its policy finds no worker worth its price: see its numbers, or give it workers yourself.",
                        "praline explain " + job,
                        pin(job, new Target(1, 0)));
            case CAP ->
                new Limit(
                        Urgency.ACT,
                        waits,
                        "Submit it again with a higher --cap, or let a job of the tenant raise --tenant-cap.",
                        List.of("praline explain " + job));
            case CONSUMERS -> look(waits, "A training loop that asks for its next batch lets it go on.");
            case CONSUMER ->
                new Limit(
                        Urgency.ACT,
                        waits,
                        "Start a training loop that attaches to it.",
                        List.of("praline run --attach " + job + " --consumer " + place(status)));
            case DOUBT ->
                new Limit(
                        Urgency.ACT,
                        waits,
                        "Start the lost loop again, or give up what it may have used: that may train on it twice.",
                        doubtful(status)
                                .map(slot -> List.of(
                                        "praline run --attach " + job + " --consumer " + slot.getConsumer(),
                                        giveUp(job, slot)))
                                .orElse(List.of()));
            case STORAGE ->
                look(
                        waits,
                        "Workers ask again for minutes, and it goes on when the store gives: see that they reach it, and"
                                + " that it can give so much.",
                        "praline explain " + job);
        };
    }

    private static Limit running(JobStatus status, JobFigures figures, String job) {
        if (!status.getReason().isEmpty()) {
            return look(sentence(status.getReason()), "See what was decided, and when.", "praline explain " + job);
        }
        Optional<ConsumerSlot> lost = doubtful(status);
        if (lost.isPresent()) {
            ConsumerSlot slot = lost.get();
            return look(
                    String.format(
                            Locale.ROOT,
                            "Consumer %d was lost, with %s of which nobody knows whether they were used.",
                            slot.getConsumer(),
                            JobView.inDoubt(slot)),
                    "Start it again in its place, or give them up: that may train on them twice.",
                    "praline run --attach " + job + " --consumer " + slot.getConsumer(),
                    giveUp(job, slot));
        }
        if (figures.measuredAt().isEmpty()) {
            return fine("It has just begun: no stretch of batches is measured yet.", "");
        }
        double waits = figures.waitShare();
        if (waits < HARDLY) {
            return fine(
                    String.format(
                            Locale.ROOT,
                            "Your training step limits it: the loop waits %.0f %% of its time for batches.",
                            100 * waits),
                    "More workers would not make it faster.");
        }
        String slow = String.format(
                Locale.ROOT,
                "Batches limit it: the loop waits %.0f %% of its time for them%s.",
                100 * waits,
                slowest(status));
        return byWorkers(slow, figures, job);
    }

    private static Limit byWorkers(String slow, JobFigures figures, String job) {
        PolicyState state = figures.state();
        Target wanted = state.wanted();
        Target has = state.granted();
        if (state.plan().singleTask()) {
            return look(
                    slow,
                    "One task reads it, as the notes of its plan say why: more workers would not help.",
                    "praline explain " + job);
        }
        if (wanted.workers() > has.workers()) {
            return look(
                    slow,
                    "It wants " + wanted + " workers and has " + has + ": start more, or see who has the others.",
                    "praline workers",
                    "praline explain " + job);
        }
        if (state.pinned().isPresent()) {
            return look(
                    slow,
                    "It is pinned to " + state.pinned().get() + " workers: unpin it, or pin it to more.",
                    "praline job unpin " + job,
                    more(job, has));
        }
        if (figures.whole() && wanted.remote() >= state.terms().limits().maxRemote()) {
            return look(
                    slow,
                    "It has as many workers as it may have: submit it with a higher --max-remote.",
                    "praline explain " + job);
        }
        return look(
                slow,
                figures.reason().isEmpty()
                        ? "See why it has no more workers, or give it more yourself."
                        : "It has " + has + " workers: " + sentence(figures.reason()),
                "praline explain " + job,
                more(job, has));
    }

    private static String slowest(JobStatus status) {
        double all = status.getTransformations().stream()
                .mapToDouble(TransformationMetrics::getNanos)
                .sum();
        return status.getTransformations().stream()
                .max(Comparator.comparingLong(TransformationMetrics::getNanos))
                .filter(most -> most.getNanos() > all / 3)
                .map(most -> String.format(
                        Locale.ROOT,
                        ", and %s takes %.0f %% of the workers' time",
                        most.getName(),
                        100 * most.getNanos() / all))
                .orElse("");
    }

    private static Optional<ConsumerSlot> doubtful(JobStatus status) {
        return status.getSlots().stream()
                .filter(slot -> slot.getState() == ConsumerState.IN_DOUBT || JobView.isInDoubt(slot))
                .findFirst();
    }

    private static int place(JobStatus status) {
        return status.getSlots().stream()
                .filter(slot -> slot.getState() != ConsumerState.HERE)
                .mapToInt(ConsumerSlot::getConsumer)
                .findFirst()
                .orElse(0);
    }

    private static String giveUp(String job, ConsumerSlot slot) {
        return "praline job " + job + " --give-up " + slot.getConsumer();
    }

    private static String more(String job, Target has) {
        return pin(job, new Target(has.remote() + 1, has.local()));
    }

    static String pin(String job, Target workers) {
        return "praline job pin " + job + " --remote " + workers.remote() + " --local " + workers.local();
    }

    /** A job's id as a word for a shell, whatever is in it. */
    static String word(String id) {
        return PLAIN.matcher(id).matches() ? id : "'" + id.replace("'", "'\\''") + "'";
    }

    /** One that ends as a sentence does, whatever it began as. */
    private static String sentence(String reason) {
        String told = reason.strip().replaceAll("\\s*\\R\\s*", " ");
        return told.isEmpty() ? "no reason was told." : told.endsWith(".") ? told : told + ".";
    }

    private static Limit fine(String sentence, String advice) {
        return new Limit(Urgency.FINE, sentence, advice, List.of());
    }

    private static Limit look(String sentence, String advice, String... commands) {
        return new Limit(Urgency.LOOK, sentence, advice, List.of(commands));
    }
}
