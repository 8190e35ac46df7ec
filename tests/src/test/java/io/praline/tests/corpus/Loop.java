package io.praline.tests.corpus;

import io.praline.client.Batch;
import io.praline.client.BatchComponent;
import io.praline.client.BatchStream;
import io.praline.client.JobFailed;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.schema.AttemptPlace;
import io.praline.schema.Component;
import io.praline.schema.JobStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A training loop that takes all of a program's batches apart. For one job, and one thread. */
final class Loop {
    private final Recorded recorded;
    private final Hold hold;
    private final List<ReadRow> rows = new ArrayList<>();
    // the clock adds to it too
    private final Set<String> remarks = Collections.synchronizedSet(new LinkedHashSet<>());
    private Optional<JobStatus> last = Optional.empty();
    private int batches;
    private int tasks;

    /** What stops a loop for a while. */
    interface Hold {
        /** Before the first question for a batch. */
        void atStart(BatchStream stream);

        /** A batch is there, and not yet taken. */
        void beforeBatch(BatchStream stream, int number);

        /** Whether an attempt of the job was lost meanwhile. */
        boolean lost();
    }

    /** Never stops. */
    static final Hold FREE = new Hold() {
        @Override
        public void atStart(BatchStream stream) {}

        @Override
        public void beforeBatch(BatchStream stream, int number) {}

        @Override
        public boolean lost() {
            return false;
        }
    };

    Loop(Recorded recorded, Hold hold) {
        this.recorded = recorded;
        this.hold = hold;
    }

    /** @param patience after which the job is given up */
    Ended run(PralineClient client, JobSpec job, ScheduledExecutorService clock, Duration patience) {
        long from = System.nanoTime();
        Optional<JobFailed> failure = Optional.empty();
        Optional<JobResult> result = Optional.empty();
        try (BatchStream stream = client.submit(job)) {
            ScheduledFuture<?> end =
                    clock.schedule(() -> giveUp(stream, patience), patience.toMillis(), TimeUnit.MILLISECONDS);
            try {
                hold.atStart(stream);
                while (stream.hasNext()) {
                    hold.beforeBatch(stream, batches);
                    try (Batch batch = stream.next()) {
                        take(batch, stream.status());
                    }
                }
                result = Optional.of(stream.result());
            } finally {
                end.cancel(false);
                last = stream.status();
            }
        } catch (JobFailed failed) {
            failure = Optional.of(failed);
        } catch (IllegalStateException | AssertionError given) {
            remarks.add(given.toString());
        }
        int served = result.map(known -> known.workers().remote()).orElse(0);
        return new Ended(
                rows,
                batches,
                failure,
                last.filter(status -> status.getSplits() > 0).isPresent(),
                result,
                hold.lost() ? tasks : Math.max(tasks, served),
                last.map(JobStatus::getEpochs).orElse(1),
                hold.lost(),
                Duration.ofNanos(System.nanoTime() - from),
                List.copyOf(remarks));
    }

    private void giveUp(BatchStream stream, Duration patience) {
        remarks.add("no end within " + patience.toSeconds() + " s: "
                + stream.status()
                        .map(status -> status.getState() + " " + status.getReason())
                        .orElse("no status"));
        stream.close();
    }

    private void take(Batch batch, Optional<JobStatus> status) {
        batches++;
        rows.addAll(ReadRow.all(batch, recorded.said()));
        status.ifPresent(known -> {
            tasks = Math.max(tasks, most(known.getAttempts()));
            List<Component> declared = known.getComponents();
            for (int place = 0; place < Math.min(declared.size(), batch.size()); place++) {
                check(declared.get(place), batch.component(place));
            }
        });
    }

    private static int most(List<AttemptPlace> places) {
        Map<Integer, Long> byEpoch = places.stream()
                .filter(place -> !place.getFenced())
                .collect(Collectors.groupingBy(AttemptPlace::getEpoch, Collectors.counting()));
        return byEpoch.values().stream().mapToInt(Long::intValue).max().orElse(0);
    }

    private void check(Component declared, BatchComponent came) {
        long[] shape = came.shape();
        boolean agrees = declared.getDtype().equals(came.dtype().toString());
        if (declared.getRankKnown()) {
            agrees &= declared.getShape().size() == shape.length;
            for (int i = 0; agrees && i < shape.length; i++) {
                long said = declared.getShape().get(i);
                agrees = said < 0 || said == shape[i];
            }
        }
        if (!agrees) {
            remarks.add("a batch has " + came + " where the job says " + declared.getDtype() + declared.getShape());
        }
    }
}
