package io.praline.deploy.page;

import io.praline.deploy.terminal.WorkerView;
import io.praline.topics.ServiceUnreachable;
import io.praline.topics.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads in rounds what a page follows, and shows it on a {@link Board}. A cluster that is away is waited for, and said. What
 * nobody expected is said too, and then all is read anew: the last picture would else pass for what there is. The thread that
 * runs it owns what it reads with.
 */
final class Rounds implements Runnable {
    /** How long each topic in turn may keep the others waiting: all of them together stay far below a second. */
    private static final Duration TURN = Duration.ofMillis(40);

    /** A picture costs about as much as all that is open: so seldom it is not felt. */
    private static final Duration SHOWN = Duration.ofMillis(200);

    /** Each worker beats once a second. */
    private static final Duration WORKERS_SHOWN = Duration.ofSeconds(1);

    /** Between rounds over all topics while nobody looks. */
    private static final Duration REST = Duration.ofSeconds(2);

    private final Board board;
    private final String what;
    private final Opening opening;
    private final Supplier<Picture.Lags> lags;
    private final Duration pause;
    private Gathered gathered = new Gathered();
    private Reading reading = Reading.NOTHING;
    private volatile boolean closed;

    /** Something that is read from its beginning on, such as a topic. */
    interface Followed {
        /**
         * Takes in what came, and waits so long for it.
         *
         * @return whether something came
         * @throws ServiceUnreachable if nothing can come for now, saying why
         */
        boolean follow(Duration wait);

        /** How long it has had no answer. */
        Duration silent();
    }

    /**
     * All that is followed.
     *
     * @param close lets go of it; run by the thread that followed it
     */
    record Reading(List<Followed> topics, Runnable close) {
        static final Reading NOTHING = new Reading(List.of(), () -> {});

        Reading {
            topics = List.copyOf(topics);
        }
    }

    /** Opens all that is followed. */
    interface Opening {
        /**
         * Opens it.
         *
         * @param into takes in what it tells
         * @throws ServiceUnreachable if it cannot be had
         */
        Reading open(Gathered into);
    }

    /**
     * Of nothing, before it is opened.
     *
     * @param what is shown, as {@link Picture.Source} names it
     * @param pause behind what nobody expected
     */
    Rounds(Board board, String what, Opening opening, Supplier<Picture.Lags> lags, Duration pause) {
        this.board = board;
        this.what = what;
        this.opening = opening;
        this.lags = lags;
        this.pause = pause;
    }

    /** Opens what is followed, from its beginning on, as {@link Opening} does. */
    void open() {
        gathered = new Gathered();
        reading = opening.open(gathered);
    }

    /** Until it is closed, or its thread is interrupted. */
    @Override
    public void run() {
        try {
            while (!closed) {
                try {
                    if (reading.equals(Reading.NOTHING)) {
                        open();
                    }
                    follow();
                } catch (InterruptException closing) {
                    return;
                } catch (RuntimeException | Error unexpected) {
                    release();
                    board.show(board.picture().of(source(Optional.of(inWords(unexpected)))));
                    Thread.sleep(pause.toMillis());
                }
            }
        } catch (InterruptedException closing) {
            // whoever interrupts it wants it closed
        } finally {
            release();
        }
    }

    private void follow() throws InterruptedException {
        boolean news = true;
        long shown = System.nanoTime() - SHOWN.toNanos();
        long workersShown = System.nanoTime() - WORKERS_SHOWN.toNanos();
        List<WorkerView> workers = List.of();
        Picture.Lags lagsShown = lags.get();
        while (!closed) {
            Optional<String> trouble = Optional.empty();
            for (Followed one : reading.topics()) {
                try {
                    news |= one.follow(TURN);
                } catch (ServiceUnreachable away) {
                    trouble = Optional.of(away.getMessage());
                }
            }
            trouble = trouble.or(this::silence);
            long now = System.nanoTime();
            boolean beats = now - workersShown >= WORKERS_SHOWN.toNanos();
            boolean told = news
                    || beats
                    || !lags.get().equals(lagsShown)
                    || !trouble.equals(board.picture().source().trouble());
            if (told && now - shown >= SHOWN.toNanos()) {
                if (beats) {
                    workers = gathered.present();
                    workersShown = now;
                }
                lagsShown = lags.get();
                board.show(gathered.picture(source(trouble), workers, lagsShown));
                news = false;
                shown = now;
            }
            if (!news) {
                board.rest(REST);
            }
        }
    }

    private Picture.Source source(Optional<String> trouble) {
        return new Picture.Source(what, true, trouble);
    }

    private static String inWords(Throwable unexpected) {
        return unexpected instanceof ServiceUnreachable
                ? unexpected.getMessage()
                : "what is read for this page broke off (" + ServiceUnreachable.oneLine(unexpected)
                        + ") and is read anew: what is shown is from before";
    }

    /** By whole seconds, of which each is news. */
    private Optional<String> silence() {
        Duration silent = reading.topics().stream()
                .map(Followed::silent)
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
        return silent.compareTo(Waiting.SAID_AFTER) < 0
                ? Optional.empty()
                : Optional.of("Kafka at " + what + " has not answered for " + silent.toSeconds()
                        + " s: what is shown is as old");
    }

    private void release() {
        Reading over = reading;
        reading = Reading.NOTHING;
        over.close().run();
    }

    /** Soon there is no round any more. */
    void close() {
        closed = true;
        // wakes its thread where that rests
        board.ask();
    }
}
