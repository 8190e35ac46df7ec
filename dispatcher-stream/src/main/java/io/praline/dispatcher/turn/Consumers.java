package io.praline.dispatcher.turn;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.ledger.ConsumerRow;
import io.praline.dispatcher.ledger.ConsumerRow.Former;
import io.praline.dispatcher.ledger.epoch.Doubt;
import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.turn.outgoing.Ignored;
import io.praline.dispatcher.turn.outgoing.Outgoing;
import io.praline.dispatcher.turn.progress.TurnCause;
import io.praline.dispatcher.turn.rules.ProtocolLimits;
import io.praline.policy.Counted;
import io.praline.schema.Attach;
import io.praline.schema.ConsumerState;
import io.praline.schema.Decided;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A job's consumers: who holds which place, who came, left, was lost or replaced, and what of it is given again.
 *
 * <pre>
 *   EXPECTED --a process comes--&gt; HERE --it tells that it left--&gt; LEFT
 *   HERE --silent for too long--&gt; IN_DOUBT --it is heard again, or another process comes--&gt; HERE, in a new generation
 *   HERE, LEFT --another process comes--&gt; HERE, in a new generation
 *   IN_DOUBT --it is given up--&gt; LEFT
 * </pre>
 *
 * <p>A generation that another followed is <em>former</em> until it is <em>settled</em>: its process told that it left, or can
 * train on nothing any more, or is known to be dead, or is given up. Then what it claimed and did not acknowledge, and what
 * was sent to it, is assigned again. Where elements carry no tickets nothing can be told apart: the attempts are fenced.
 */
final class Consumers {
    /** Those that a job was submitted for usually come with it. */
    static final Duration COMING = Duration.ofSeconds(10);

    /** How old a status may be while beats come: a fraction of the lease. */
    private static final Duration ECHO = Duration.ofSeconds(5);

    /** For as long as its process is there. */
    private static final Duration LIFE = Duration.ofDays(36_500);

    /** What a process told of what it claimed and did not acknowledge, and of what was sent to it. */
    private enum Word {
        /** Nothing: the claims of its last moments may have died with it, so that it may have trained on all of that. */
        NONE,
        /** It claims nothing more; it may be done with what it claimed. */
        PERHAPS,
        /** It is not done with anything of that. */
        UNDONE
    }

    private final ProtocolLimits limits;
    private final Fences fences;
    private final Lanes lanes;
    private final Journal journal;
    private final Outgoing out;

    Consumers(ProtocolLimits limits, Fences fences, Lanes lanes, Journal journal, Outgoing out) {
        this.limits = limits;
        this.fences = fences;
        this.lanes = lanes;
        this.journal = journal;
        this.out = out;
    }

    // ---- what they tell

    /**
     * A beat or a report of this process came.
     *
     * @return the place in which it is read; empty where it has none that counts
     */
    Optional<ConsumerRow> heard(Pool pool, Job job, int consumer, String incarnation, Instant at) {
        ConsumerRow known = job.place(consumer);
        if (known == null) {
            out.ignored(Ignored.STALE_INCARNATION);
            return Optional.empty();
        }
        if (known.state() == ConsumerState.EXPECTED) {
            came(pool, job, consumer, known.taken(incarnation, "", at), at);
        } else if (known.incarnation().equals(incarnation)) {
            if (known.state() == ConsumerState.IN_DOUBT) {
                returns(pool, job, consumer, known, at);
            }
        } else if (known.applied(incarnation).isEmpty()) {
            out.ignored(Ignored.STALE_INCARNATION);
            return Optional.empty();
        } else {
            return Optional.of(known); // a former one: what it tells counts, that it lives does not
        }
        job.heard().heard(consumer, at);
        return Optional.of(job.place(consumer));
    }

    /** A process's beat was counted: its newest number is echoed, from which its lease runs. */
    void beat(Job job, int consumer, String incarnation, long beat, Instant at) {
        if (!job.place(consumer).incarnation().equals(incarnation)) {
            return;
        }
        job.heard().beat(consumer, beat);
        if (Duration.between(job.told(), at).compareTo(ECHO) >= 0) {
            job.tell(Job.Telling.WITHIN_A_SECOND);
        }
    }

    /** A process takes a place, or makes one. */
    void attach(Pool pool, Job job, Attach attach, Instant at) {
        int consumer = attach.getConsumer();
        ConsumerRow known = job.place(consumer);
        String incarnation = attach.getIncarnation();
        String host = attach.getHost();
        if (known == null) {
            int generation = job.mintGeneration();
            came(pool, job, consumer, ConsumerRow.expected(generation, at).taken(incarnation, host, at), at);
        } else if (known.state() == ConsumerState.EXPECTED) {
            came(pool, job, consumer, known.taken(incarnation, host, at), at);
        } else if (known.incarnation().equals(incarnation)) {
            heard(pool, job, consumer, incarnation, at);
        } else if (known.applied(incarnation).isPresent() || known.succeeded().contains(incarnation)) {
            out.ignored(Ignored.STALE_INCARNATION); // and no sign of life of whoever followed it
        } else {
            replace(pool, job, consumer, known, attach, at);
        }
        if (job.place(consumer).incarnation().equals(incarnation)) {
            job.heard().heard(consumer, at);
        }
        job.tell(Job.Telling.NOW);
    }

    private void replace(Pool pool, Job job, int consumer, ConsumerRow known, Attach attach, Instant at) {
        boolean left = known.state() == ConsumerState.LEFT;
        // whoever was silent for so long has had no lease for longer than what its successor would wait for
        boolean dead = attach.getReplace()
                && (attach.getFollows().isEmpty() || attach.getFollows().equals(known.incarnation()));
        boolean gone = known.state() == ConsumerState.IN_DOUBT || dead;
        ConsumerRow before = left ? known : known.followed(at.plus(limits.formerHeld()));
        int generation = job.mintGeneration();
        ConsumerRow now = before.taken(generation, attach.getIncarnation(), attach.getHost(), at);
        if (!left) {
            fenceUntracked(pool, job, "consumer " + consumer + " came back as another process", at);
        }
        came(pool, job, consumer, now, at);
        if (gone) {
            // those before it may have their leases still
            List<Integer> its = now.formers().stream()
                    .filter(former -> former.incarnation().equals(known.incarnation()))
                    .map(Former::generation)
                    .toList();
            String why = dead ? "it is known to be dead" : "it has been silent for too long to train";
            settle(pool, job, consumer, its, Word.NONE, why, at);
        }
    }

    /** The same process, after it was lost: what was sent to it goes back once it told that it has discarded that. */
    private void returns(Pool pool, Job job, int consumer, ConsumerRow known, Instant at) {
        int generation = job.mintGeneration();
        ConsumerRow before = known.followed(at.plus(LIFE));
        came(pool, job, consumer, before.taken(generation, known.incarnation(), known.host(), at), at);
    }

    private void came(Pool pool, Job job, int consumer, ConsumerRow now, Instant at) {
        job.consumer(consumer, now);
        job.heard().comes(consumer);
        lanes.serve(pool, job, at);
        pool.due(TurnCause.CONSUMER_CAME);
        note(
                job,
                JournalKind.CONSUMER_CAME,
                consumer,
                List.of(),
                "consumer " + consumer + " came, in generation " + now.generation()
                        + (now.host().isEmpty() ? "" : ", on " + now.host()),
                at);
    }

    /**
     * Its generations up to and with one of these claim nothing any more, as their process told: those too in which it held
     * the place for a while, and lost it again, before it heard of them.
     */
    void discarded(Job job, int consumer, String incarnation, List<Integer> through) {
        int highest = through.stream().mapToInt(Integer::intValue).max().orElse(-1);
        for (Former former : job.place(consumer).formers()) {
            int generation = former.generation();
            if (generation <= highest && former.incarnation().equals(incarnation) && !former.discarded()) {
                job.consumer(consumer, job.place(consumer).discarded(generation));
                job.open().forEach(epoch -> epoch.claims().clearDoubt(generation));
                job.tell(Job.Telling.NOW);
            }
        }
    }

    /** The process uses nothing any more: what it claimed and did not acknowledge, unsure whether it is done, is given again. */
    void left(Pool pool, Job job, int consumer, String incarnation, boolean unsure, Instant at) {
        ConsumerRow known = job.place(consumer);
        List<Integer> its = new ArrayList<>(known.formers().stream()
                .filter(former -> former.incarnation().equals(incarnation))
                .map(Former::generation)
                .toList());
        boolean holder = known.incarnation().equals(incarnation);
        if (holder && known.state() != ConsumerState.LEFT) {
            its.add(known.generation());
            job.consumer(consumer, known.in(ConsumerState.LEFT, at));
            gone(pool, job, "consumer " + consumer + " left", at);
            String how = unsure ? " left without a word of its loop" : " left in order";
            note(job, JournalKind.CONSUMER_LEFT, consumer, List.of(), "consumer " + consumer + how, at);
        }
        if (!its.isEmpty()) {
            // who left in order did not finish what it held; who was replaced may have
            Word word = holder && !unsure ? Word.UNDONE : Word.PERHAPS;
            String why = unsure ? "its loop is gone without a word" : "it told what it has done";
            settle(pool, job, consumer, its, word, why, at);
        }
    }

    /**
     * Who has taken the last of its lanes is finished where all of the job is delivered and nothing is in doubt: its stream
     * may end, and what comes back later, from others, goes to those that are not. Those that are silent are waited for
     * until they are heard or lost: what they leave behind is for who is there.
     */
    void finish(Job job, Instant at) {
        if (!Epochs.allDelivered(job) || Lanes.doubtful(job)) {
            return;
        }
        Map<Integer, ConsumerRow> taking = new TreeMap<>();
        Set<Integer> done = new HashSet<>();
        job.places().forEach((consumer, place) -> {
            if (place.takes()) {
                taking.put(consumer, place);
                if (Lanes.tookAll(job, place.generation())) {
                    done.add(consumer);
                }
            }
        });
        boolean silent = taking.keySet().stream()
                .anyMatch(consumer -> !done.contains(consumer) && !heardOfLate(job, consumer, at));
        if (!silent) {
            done.forEach(consumer -> job.consumer(consumer, taking.get(consumer).asFinished()));
            if (!done.isEmpty()) {
                job.tell(Job.Telling.NOW);
            }
        }
    }

    private boolean heardOfLate(Job job, int consumer, Instant at) {
        Optional<Instant> heard = job.heard().lastOf(consumer);
        return heard.filter(at.minus(limits.workerSilence())::isBefore).isPresent();
    }

    // ---- what time does to them

    /** Loses who was silent for too long, settles whose time is over. */
    void tick(Pool pool, Job job, Instant at) {
        for (int consumer : List.copyOf(job.consumers().keySet())) {
            ConsumerRow known = job.consumers().get(consumer);
            Instant heard = job.heard().silentFrom(consumer, at);
            if (known.here() && Duration.between(heard, at).compareTo(limits.consumerSilence()) >= 0) {
                job.consumer(consumer, known.in(ConsumerState.IN_DOUBT, at));
                gone(pool, job, "consumer " + consumer + " was lost", at);
                note(
                        job,
                        JournalKind.CONSUMER_LOST,
                        consumer,
                        List.of(),
                        "consumer " + consumer + " was silent for "
                                + limits.consumerSilence().toSeconds()
                                + " s: what was sent to it and not reported is in doubt",
                        at);
            }
            List<Integer> over = known.formers().stream()
                    .filter(former -> !at.isBefore(former.until()))
                    .map(Former::generation)
                    .toList();
            if (!over.isEmpty()) {
                settle(pool, job, consumer, over, Word.NONE, "its lease is over", at);
            }
        }
        Lanes.clear(job);
        lanes.repeat(pool, job, at);
    }

    /** Nobody waits for this consumer any more. */
    void giveUp(Pool pool, Job job, int consumer, Instant at) {
        ConsumerRow known = job.place(consumer);
        if (known == null || known.doubtful().isEmpty()) {
            out.ignored(Ignored.DUPLICATE);
            return;
        }
        List<Integer> its = known.doubtful();
        Doubt doubt = Lanes.inDoubt(job, known);
        if (known.state() == ConsumerState.IN_DOUBT) {
            job.consumer(consumer, known.in(ConsumerState.LEFT, at));
            gone(pool, job, "consumer " + consumer + " is given up", at);
        }
        settle(pool, job, consumer, its, Word.NONE, "it was given up on request", at);
        job.row()
                .addGivenUp("consumer " + consumer + " was given up on request: " + doubt
                        + ", which it may have trained on, are given again");
        job.changed();
        job.tell(Job.Telling.NOW);
    }

    /** What these generations have is given again. */
    private void settle(
            Pool pool, Job job, int consumer, List<Integer> generations, Word word, String why, Instant at) {
        long back = 0;
        long twice = 0;
        for (EpochLedger epoch : job.open()) {
            for (int generation : generations) {
                long claimed = epoch.claims().unclaim(generation);
                long sent = epoch.claims().clearDoubt(generation);
                back += claimed + sent;
                long perhaps =
                        switch (word) {
                            case NONE -> claimed + sent;
                            case PERHAPS -> claimed;
                            case UNDONE -> 0;
                        };
                if (perhaps > 0) {
                    epoch.claims().addPossiblyTwice(perhaps);
                    twice += perhaps;
                }
            }
        }
        ConsumerRow before = job.place(consumer);
        ConsumerRow settled = word == Word.NONE ? before.withCeased(generations) : before;
        job.consumer(consumer, settled.without(generations));
        job.tell(Job.Telling.NOW);
        pool.due(TurnCause.CONSUMER_CAME);
        Decided again = DecisionWriter.decided(
                JournalCommand.ASSIGN_AGAIN, job.id(), Map.of("elements", (double) back, "possiblyTwice", (double)
                        twice));
        String told = Counted.of(back, "element") + " that generations " + generations + " of consumer " + consumer
                + " had " + Counted.word(back, "is", "are") + " given again, since " + why
                + (twice > 0 ? "; " + twice + " of them may be trained twice" : "");
        note(job, JournalKind.CONSUMER_SETTLED, consumer, List.of(again), told, at);
    }

    /**
     * Why nothing is read yet; empty where it may be. Of several consumers the first would be given all that its window holds,
     * which of a small dataset is everything, while the others start.
     */
    static Optional<String> comes(Job job, Instant at) {
        int all = job.submit().getConsumers();
        if (all < 2 || Duration.between(job.row().submittedAt(), at).compareTo(COMING) >= 0) {
            return Optional.empty();
        }
        long expected = job.places().values().stream()
                .filter(place -> place.state() == ConsumerState.EXPECTED)
                .count();
        if (expected == 0) {
            return Optional.empty();
        }
        return Optional.of((all - expected) + " of its " + all + " consumers "
                + Counted.word(all - expected, "is", "are") + " here; it begins when all are, or " + COMING.toSeconds()
                + " s after it was submitted");
    }

    /** Its lanes close. */
    private void gone(Pool pool, Job job, String why, Instant at) {
        fenceUntracked(pool, job, why, at);
        lanes.serve(pool, job, at);
    }

    /** Without tickets nobody can tell what of an attempt a consumer had: all of it is read again. */
    private void fenceUntracked(Pool pool, Job job, String why, Instant at) {
        if (job.tracked()) {
            return;
        }
        for (EpochLedger epoch : job.open()) {
            for (int attempt : List.copyOf(epoch.attempts().keySet())) {
                if (epoch.attempts().get(attempt).fence().isEmpty()) {
                    fences.fence(pool, job, epoch, attempt, why, at);
                }
            }
        }
    }

    private void note(Job job, JournalKind kind, int consumer, List<Decided> decided, String why, Instant at) {
        journal.write(
                job,
                at,
                new Journal.Entry(
                        DecisionWriter.observed(kind, Integer.toString(consumer), Map.of()), decided, why, Map.of()));
    }
}
