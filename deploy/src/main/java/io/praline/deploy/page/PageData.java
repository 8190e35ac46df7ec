package io.praline.deploy.page;

import io.praline.deploy.terminal.JobFiles;
import io.praline.schema.JobStatus;
import io.praline.topics.KafkaSettings;
import java.io.IOException;
import java.nio.file.Path;

/** What a page shows: a cluster's topics as they change, or a recorded journal. */
public final class PageData implements AutoCloseable {
    private final Board board;
    private final Journals journals;
    private final Ledgers ledgers;
    private final Runnable close;

    private PageData(Board board, Journals journals, Ledgers ledgers, Runnable close) {
        this.board = board;
        this.journals = journals;
        this.ledgers = ledgers;
        this.close = close;
    }

    /**
     * Follows the topics of a cluster from now on.
     *
     * @param application the group that all dispatchers of the installation share
     * @throws io.praline.topics.ServiceUnreachable if Kafka or the registry does not answer, or its topics are missing or may
     *     not be read
     */
    public static PageData live(KafkaSettings kafka, String application) {
        Board board = new Board(Picture.empty(Follower.source(kafka)));
        Follower follower = Follower.start(kafka, application, board);
        KeptLedgers ledgers = new KeptLedgers(kafka);
        return new PageData(board, new KeptJournals(follower::read, board::picture), ledgers, () -> {
            follower.close();
            ledgers.close();
        });
    }

    /**
     * A journal that was written to a file.
     *
     * @throws IllegalArgumentException saying in one line why it is no journal that can be read
     * @throws IOException if the file itself cannot be read
     */
    public static PageData recorded(Path file) throws IOException {
        Recorded recorded = Recorded.read(file);
        return new PageData(new Board(recorded.picture()), recorded, PageData::untold, () -> {});
    }

    /** For tests: what they show. */
    static PageData of(Board board, Journals journals) {
        return of(board, journals, PageData::untold);
    }

    /** For tests: what they show. */
    static PageData of(Board board, Journals journals, Ledgers ledgers) {
        return new PageData(board, journals, ledgers, () -> {});
    }

    private static JobFiles untold(JobStatus job) {
        return new JobFiles(job.getJob());
    }

    Board board() {
        return board;
    }

    Journals journals() {
        return journals;
    }

    Ledgers ledgers() {
        return ledgers;
    }

    @Override
    public void close() {
        close.run();
    }
}
