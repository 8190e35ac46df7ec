package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.schema.ConsumerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A consumer's place in a job: the process that holds it, and those before it that may still train. When they were last
 * heard of is not here.
 *
 * @param generation which process after which holds it; unique within the job
 * @param state whether it is taken
 * @param since log time since which it is in its state
 * @param incarnation UUID of its process; empty where nobody came yet
 * @param host its host name; empty where it did not tell yet
 * @param applied its reports up to and with this one are in the ledger; -1 where none is, as in the protocol
 * @param formers generations before this one that are not settled, the oldest first
 * @param ceased generations that were settled without a word of their process, the newest {@value #CEASED} of them: it may
 *     have trained on what was sent to it
 * @param finished whether its process has all that there is for it, and is given nothing more
 * @param succeeded UUIDs of the processes that held it before, settled or not, the newest {@value #SUCCEEDED} of them
 */
public record ConsumerRow(
        int generation,
        ConsumerState state,
        Instant since,
        String incarnation,
        String host,
        long applied,
        List<Former> formers,
        List<Integer> ceased,
        boolean finished,
        List<String> succeeded) {

    private static final int CEASED = 64;
    private static final int SUCCEEDED = 16;

    /**
     * A generation that another one followed, and of which something may be with its process.
     *
     * @param incarnation of its process, which may be the one that holds the place again
     * @param applied its reports up to and with this one are in the ledger
     * @param discarded whether its process told that no claim of it follows
     * @param until log time from which its process can train on nothing any more
     */
    public record Former(int generation, String incarnation, long applied, boolean discarded, Instant until) {}

    public ConsumerRow {
        formers = List.copyOf(formers);
        ceased = newest(ceased, CEASED);
        succeeded = newest(succeeded, SUCCEEDED);
    }

    /** A place that nobody has taken. */
    public static ConsumerRow expected(int generation, Instant since) {
        return new ConsumerRow(
                generation, ConsumerState.EXPECTED, since, "", "", -1, List.of(), List.of(), false, List.of());
    }

    /** Taken by this process, for the first time. */
    public ConsumerRow taken(String process, String itsHost, Instant at) {
        return new ConsumerRow(
                generation, ConsumerState.HERE, at, process, itsHost, -1, formers, ceased, false, succeeded);
    }

    /** Taken by this process, in a generation of its own. */
    public ConsumerRow taken(int newest, String process, String itsHost, Instant at) {
        boolean same = process.equals(incarnation);
        List<String> before = new ArrayList<>(succeeded);
        if (!same) {
            before.add(incarnation);
        }
        return new ConsumerRow(
                newest, ConsumerState.HERE, at, process, itsHost, same ? applied : -1, formers, ceased, false, before);
    }

    /** In another state from now on. */
    public ConsumerRow in(ConsumerState now, Instant at) {
        return new ConsumerRow(generation, now, at, incarnation, host, applied, formers, ceased, finished, succeeded);
    }

    /** On this host, if it tells one. */
    public ConsumerRow at(String itsHost) {
        return itsHost.isEmpty()
                ? this
                : new ConsumerRow(
                        generation, state, since, incarnation, itsHost, applied, formers, ceased, finished, succeeded);
    }

    /** With its generation noted as one that another follows; its process may train on what it has until then. */
    public ConsumerRow followed(Instant until) {
        List<Former> more = new ArrayList<>();
        for (Former former : formers) {
            boolean sooner = former.incarnation.equals(incarnation) && until.isBefore(former.until);
            more.add(
                    sooner
                            ? new Former(former.generation, incarnation, former.applied, former.discarded, until)
                            : former);
        }
        more.add(new Former(generation, incarnation, applied, false, until));
        return withFormers(more);
    }

    /** Its process is given nothing more. */
    public ConsumerRow asFinished() {
        return new ConsumerRow(generation, state, since, incarnation, host, applied, formers, ceased, true, succeeded);
    }

    /** Whether batches may go to it. */
    public boolean takes() {
        return here() && !finished;
    }

    /** With these noted as settled without a word of their process, but for those of which it told that no claim follows. */
    public ConsumerRow withCeased(List<Integer> generations) {
        List<Integer> more = new ArrayList<>(ceased);
        generations.stream()
                .filter(each -> former(each).filter(Former::discarded).isEmpty())
                .forEach(more::add);
        return new ConsumerRow(
                generation, state, since, incarnation, host, applied, formers, more, finished, succeeded);
    }

    /** Without these generations among those before. */
    public ConsumerRow without(List<Integer> settled) {
        return withFormers(formers.stream()
                .filter(former -> !settled.contains(former.generation()))
                .toList());
    }

    /** Of this generation no claim follows. */
    public ConsumerRow discarded(int generationBefore) {
        return withFormers(formers.stream()
                .map(former -> former.generation() == generationBefore
                        ? new Former(former.generation, former.incarnation, former.applied, true, former.until)
                        : former)
                .toList());
    }

    /** That process's reports up to and with this one are in the ledger. */
    public ConsumerRow withApplied(String process, long sequence) {
        List<Former> told = formers.stream()
                .map(former -> former.incarnation().equals(process)
                        ? new Former(former.generation, process, sequence, former.discarded, former.until)
                        : former)
                .toList();
        long its = process.equals(incarnation) ? sequence : applied;
        return new ConsumerRow(generation, state, since, incarnation, host, its, told, ceased, finished, succeeded);
    }

    /** How far that process's reports are in the ledger; empty where it neither holds the place nor may still train. */
    public Optional<Long> applied(String process) {
        if (process.equals(incarnation)) {
            return Optional.of(applied);
        }
        return formers.stream()
                .filter(former -> former.incarnation().equals(process))
                .map(Former::applied)
                .findFirst();
    }

    /** The generation before this one of that number, if it is not settled. */
    public Optional<Former> former(int number) {
        return formers.stream().filter(each -> each.generation() == number).findFirst();
    }

    /** Whether the same generations hold it and held it, in the same states: all but how far reports came. */
    public boolean standsLike(ConsumerRow other) {
        return generation == other.generation
                && state == other.state
                && undiscarded().equals(other.undiscarded());
    }

    private List<Integer> undiscarded() {
        return formers.stream()
                .filter(former -> !former.discarded)
                .map(Former::generation)
                .toList();
    }

    /** Whether a process holds the place and is there. */
    public boolean here() {
        return state == ConsumerState.HERE;
    }

    /**
     * Its generations of which something may be given again that was sent to them and not told of, or that a process has in its
     * hands which is here no more.
     */
    public List<Integer> doubtful() {
        List<Integer> generations = new ArrayList<>();
        for (Former former : formers) {
            boolean here = here() && former.incarnation.equals(incarnation);
            if (!former.discarded || !here) {
                generations.add(former.generation);
            }
        }
        if (state == ConsumerState.IN_DOUBT) {
            generations.add(generation);
        }
        return generations;
    }

    private static <T> List<T> newest(List<T> all, int most) {
        return List.copyOf(all.subList(Math.max(0, all.size() - most), all.size()));
    }

    private ConsumerRow withFormers(List<Former> others) {
        return new ConsumerRow(
                generation, state, since, incarnation, host, applied, others, ceased, finished, succeeded);
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .text(incarnation)
                .text(host)
                .number(applied + 1)
                .flag(state == ConsumerState.IN_DOUBT || state == ConsumerState.LEFT)
                .number(generation)
                .text(state.name())
                .number(since.toEpochMilli())
                .number(formers.size());
        formers.forEach(former -> out.number(former.generation)
                .text(former.incarnation)
                .number(former.applied + 1)
                .flag(former.discarded)
                .number(former.until.toEpochMilli()));
        out.number(ceased.size());
        ceased.forEach(out::number);
        out.flag(finished);
        out.number(succeeded.size());
        succeeded.forEach(out::text);
        return out.bytes();
    }

    /**
     * The row of these bytes.
     *
     * @param consumer its number: its generation, in rows of dispatchers that knew none
     */
    public static ConsumerRow decode(int consumer, byte[] row) {
        RowReader in = new RowReader(row);
        String incarnation = in.text();
        String host = in.text();
        long applied = in.number() - 1;
        boolean away = in.flag();
        if (!in.hasMore()) {
            ConsumerState state = away ? ConsumerState.IN_DOUBT : ConsumerState.HERE;
            return new ConsumerRow(
                    consumer, state, Instant.EPOCH, incarnation, host, applied, List.of(), List.of(), false, List.of());
        }
        int generation = in.small();
        ConsumerState state = ConsumerState.valueOf(in.text());
        Instant since = Instant.ofEpochMilli(in.number());
        List<Former> formers = new ArrayList<>();
        for (int left = in.small(); left > 0; left--) {
            formers.add(
                    new Former(in.small(), in.text(), in.number() - 1, in.flag(), Instant.ofEpochMilli(in.number())));
        }
        List<Integer> ceased = new ArrayList<>();
        for (int left = in.hasMore() ? in.small() : 0; left > 0; left--) {
            ceased.add(in.small());
        }
        boolean finished = in.hasMore() && in.flag();
        List<String> succeeded = new ArrayList<>();
        for (int left = in.hasMore() ? in.small() : 0; left > 0; left--) {
            succeeded.add(in.text());
        }
        return new ConsumerRow(
                generation, state, since, incarnation, host, applied, formers, ceased, finished, succeeded);
    }
}
