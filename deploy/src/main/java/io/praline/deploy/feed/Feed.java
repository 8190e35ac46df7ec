package io.praline.deploy.feed;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.client.BatchStream;
import io.praline.client.PralineClient;
import io.praline.client.tasks.JobListener;
import io.praline.client.tasks.JobWatch;
import io.praline.deploy.breakage.ClusterBroke;
import io.praline.deploy.cluster.LiveJournal;
import io.praline.deploy.terminal.JobExplanation;
import io.praline.schema.JobStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One feed: a stream of the Java client whose loop runs in Python. Two threads: one does what Python says ({@link #run}), one
 * asks for batches, one ahead of the loop ({@link Offers}).
 */
final class Feed implements Runnable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Pipe pipe;
    private final Shown shown;
    private final Connections connections;

    Feed(Pipe pipe, Arena arena, Connections connections) {
        this.pipe = pipe;
        this.shown = new Shown(arena, pipe);
        this.connections = connections;
    }

    /** Until Python closes the feed, or is gone. */
    @Override
    public void run() {
        // shown is closed last: what it holds gives workers credit where their channels are still open
        try (pipe;
                shown) {
            Optional<Command> first = pipe.read();
            if (first.isPresent()) {
                open(first.get());
                pipe.write(Event.CLOSED);
            }
        }
    }

    private void open(Command first) {
        String job = "ID";
        try {
            if (first.type() != Command.Type.OPEN) {
                throw new IllegalArgumentException("a feed must begin with OPEN, not with " + first.type());
            }
            FeedSpec spec = spec(first.body());
            job = spec.id().orElse(job);
            try (Opening opening = Opening.begin(line -> pipe.write(Event.WAITS, Told.text(line)));
                    FeedCluster cluster = connections.open(spec, opening::waitsFor)) {
                String told = job;
                cluster.breakage().reason().thenAccept(reason -> tellBroken(reason, told));
                if (!opening.isWanted(
                        spec, (id, heard) -> followed(cluster.client(), id, heard), this::isPythonThere)) {
                    return;
                }
                try (BatchStream stream = stream(cluster.client(), spec)) {
                    if (spec.id().isPresent()) {
                        stream.leave();
                    }
                    opening.over();
                    pipe.write(Event.OPENED, Told.opened(stream.job(), cluster.page(stream.job()), cluster.own()));
                    serve(cluster, stream);
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error failed) {
            pipe.write(Event.ERROR, Told.failure(failed, job));
        }
    }

    /** By no interrupt of the feed's thread: that would close the pipe. */
    private void tellBroken(String reason, String job) {
        pipe.write(Event.ERROR, Told.failure(new ClusterBroke(reason), job));
    }

    private static FeedSpec spec(ByteBuffer body) {
        byte[] json = new byte[body.getInt()];
        body.get(json);
        byte[] graph = new byte[body.remaining()];
        body.get(graph);
        try {
            return new FeedSpec(JSON.readTree(json), graph);
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(
                    "what Python asks for is no JSON: " + unreadable.getMessage(), unreadable);
        }
    }

    private BatchStream stream(PralineClient client, FeedSpec spec) {
        return spec.rank() == 0
                ? client.submit(spec.job(connections))
                : client.attachManually(spec.shared(), spec.rank());
    }

    private static Opening.Followed followed(
            PralineClient client, String job, Consumer<Optional<RuntimeException>> heard) {
        JobWatch watch = client.watch(job, new JobListener() {
            @Override
            public void status(JobStatus status) {
                heard.accept(Optional.empty());
            }

            @Override
            public void failed(RuntimeException cause) {
                heard.accept(Optional.of(cause));
            }
        });
        return watch::close;
    }

    /** Whether anybody still reads what is written: a question of its own, which tells nothing. */
    private boolean isPythonThere() {
        return pipe.write(Event.WAITS);
    }

    private void serve(FeedCluster cluster, BatchStream stream) {
        Offers offers = new Offers(stream, shown, pipe);
        Thread asking = new Thread(offers, "offers " + stream.job());
        asking.setDaemon(true);
        asking.start();
        try {
            Optional<Command> command = pipe.read();
            while (command.isPresent() && obey(command.get(), cluster, stream, offers)) {
                command = pipe.read();
            }
            if (command.isEmpty()) {
                stream.loopDied();
            }
        } finally {
            offers.close();
        }
    }

    /** False where Python wants nothing more. */
    private boolean obey(Command command, FeedCluster cluster, BatchStream stream, Offers offers) {
        ByteBuffer body = command.body();
        switch (command.type()) {
            case OPEN -> throw new IllegalArgumentException("a feed is opened once");
            case WAITING -> offers.loopWaits();
            case TAKEN -> offers.taken(body.getLong());
            case ACKNOWLEDGED -> offers.acknowledged(body.getLong());
            case FREED -> {
                while (body.hasRemaining()) {
                    shown.freed(body.getLong());
                }
            }
            case STATUS ->
                pipe.write(Event.STATUS, stream.status().map(Told::status).orElse(NOTHING.duplicate()));
            case RESULT -> tellResult(stream);
            case EXPLAIN -> explain(cluster, stream.job());
            case RENEW -> offers.renew();
            case CANCEL -> stream.cancel("its Python program cancelled it");
            case CLOSE -> {
                return false;
            }
        }
        return true;
    }

    /** What cannot be told of the journal is no failure of the feed. */
    private void explain(FeedCluster cluster, String job) {
        ByteBuffer told;
        try {
            told = Told.explained(JobExplanation.of(LiveJournal.of(cluster.kafka(), job)));
        } catch (RuntimeException failed) {
            told = Told.unexplained(failed, job);
        }
        pipe.write(Event.EXPLAINED, told);
    }

    private void tellResult(BatchStream stream) {
        try {
            pipe.write(Event.RESULT, Told.result(stream.result()));
        } catch (RuntimeException failed) {
            pipe.write(Event.ERROR, Told.failure(failed, stream.job()));
        }
    }
}
