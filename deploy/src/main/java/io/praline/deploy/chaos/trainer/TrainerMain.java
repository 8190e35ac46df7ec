package io.praline.deploy.chaos.trainer;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.ClientConfig;
import io.praline.client.JobFailed;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.deploy.terminal.ExitCode;
import io.praline.schema.Guarantee;
import io.praline.topics.Patience;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Optional;

/**
 * A trainer: takes a batch, works on it, writes it down, asks for the next, which acknowledges it. The first life of a job's
 * first consumer submits the job, every other one attaches to it. What it wrote down is what it knows of its past: a batch that
 * was not whole when it died comes again, as does one that it had not acknowledged. Beside its diary may lie a file that asks it to leave.
 */
public final class TrainerMain {
    private static final long MEMORY_BYTES = 64L << 20;
    private static final Duration LOOK = Duration.ofMillis(200);

    /** Longer than a run may take. */
    private static final Patience PATIENCE = new Patience(Optional.of(Duration.ofHours(1)), LOOK);

    private final TrainerOrder order;

    private TrainerMain(TrainerOrder order) {
        this.order = order;
    }

    /** Ends with 0 when the stream is over, with 4 when the job failed, with 1 when something else did. */
    public static void main(String[] args) {
        TrainerMain trainer = new TrainerMain(TrainerOrder.of(args));
        ExitCode code = ExitCode.DONE;
        try {
            trainer.train();
        } catch (JobFailed failed) {
            say(failed.toString());
            code = trainer.jobIsOver() ? ExitCode.JOB_FAILED : ExitCode.BROKEN;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            say(failed.toString());
            code = ExitCode.BROKEN;
        }
        // threads of Kafka and Netty must not keep one that is done
        Runtime.getRuntime().halt(code.number());
    }

    private static void say(String text) {
        System.err.println(LocalTime.now(ZoneId.systemDefault()) + " " + text);
    }

    private void train() throws IOException, InterruptedException {
        boolean leaving = false;
        try (Diary diary = Diary.begin(order.diary());
                PralineClient client = PralineClient.connect(config(), Optional.empty(), PATIENCE);
                BatchStream stream = join(client)) {
            diary.say(Diary.JOINED);
            say("joined");
            while (!leaving && stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    Thread.sleep(order.stepMillis());
                    write(diary, batch);
                    leaving = Files.exists(order.askedToLeave());
                    if (leaving) {
                        // it will not ask for the next one, which would do it
                        batch.acknowledge();
                    }
                }
            }
            diary.say(leaving ? Diary.LEFT : Diary.END);
            say(leaving ? "leaves" : "sees the end");
        }
    }

    private ClientConfig config() {
        ClientConfig usual = ClientConfig.of(order.kafka(), order.secret());
        return new ClientConfig(
                usual.kafka(),
                usual.secretFile(),
                usual.pool(),
                usual.host(),
                MEMORY_BYTES,
                usual.lease(),
                usual.reportInterval(),
                usual.windows(),
                usual.sharedDir(),
                usual.path(),
                usual.patience(),
                usual.traces());
    }

    private BatchStream join(PralineClient client) throws IOException, InterruptedException {
        while (PATIENCE.with(() -> client.status(order.job())).isEmpty()) {
            if (order.consumer() == 0) {
                try {
                    BatchStream submitted = client.submit(spec());
                    // one that breaks down must not cancel what others still train on
                    submitted.leave();
                    return submitted;
                } catch (JobFailed known) {
                    say("not submitted: " + known.getMessage());
                }
            }
            Thread.sleep(LOOK.toMillis());
        }
        return PATIENCE.with(() -> client.attach(order.job(), order.consumer(), order.replacesDead()));
    }

    private JobSpec spec() throws IOException {
        JobSpec spec = JobSpec.of(Files.readAllBytes(order.graph()))
                .id(order.job())
                .named(order.job())
                .epochs(order.epochs())
                .seed(order.seed())
                .consumers(order.consumers())
                .guarantee(Guarantee.EXACTLY_ONCE, true)
                .policy("every-worker");
        JobSpec reading = order.glob().isEmpty() ? spec : spec.data(order.glob());
        // nothing is kept before the order of a job's steps is settled, for which these are too short
        return order.cache()
                .map(mode -> reading.cache(mode).order(JobSpec.Order.OFF))
                .orElse(reading);
    }

    private void write(Diary diary, Batch batch) {
        LongBuffer values = batch.component(0).longs();
        long[] numbers = new long[values.remaining()];
        values.get(numbers);
        long[] tickets = batch.tickets();
        if (tickets.length != numbers.length) {
            throw new IllegalStateException(batch + " has " + numbers.length + " elements, " + tickets.length
                    + " tickets: " + Arrays.toString(tickets));
        }
        if (order.shape().hasValues()) {
            LongBuffer made = batch.component(1).longs();
            for (int at = 0; at < numbers.length; at++) {
                if (!KeptRecords.isRight(numbers[at], tickets[at], made, at)) {
                    diary.wrong(batch.epoch(), numbers[at], tickets[at]);
                }
            }
        }
        diary.trained(batch.epoch(), numbers, tickets, order.consumer(), order.life());
    }

    /** Whether the dispatcher says so; a trainer that failed while its job goes on is started again. */
    private boolean jobIsOver() {
        try (PralineClient client = PralineClient.connect(config(), Optional.empty(), PATIENCE)) {
            return PATIENCE.with(() -> client.status(order.job()))
                    .map(status -> switch (status.getState()) {
                        case FAILED, CANCELLED, COMPLETED -> true;
                        case PLANNING, WAITING, RUNNING -> false;
                    })
                    .orElse(false);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
