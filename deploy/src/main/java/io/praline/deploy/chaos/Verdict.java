package io.praline.deploy.chaos;

import io.praline.client.ClientConfig;
import io.praline.client.PralineClient;
import io.praline.deploy.chaos.trainer.JobPlan;
import io.praline.deploy.chaos.trainer.KeptRecords;
import io.praline.deploy.chaos.trainer.Life;
import io.praline.deploy.chaos.trainer.Shape;
import io.praline.identity.Ticket;
import io.praline.policy.Counted;
import io.praline.schema.EpochProgress;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.topics.ServiceUnreachable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** What is wrong with a run that is over: by what its trainers wrote, by the log, and by the jobs' status. One thread. */
final class Verdict {
    /** The last acknowledgements take a moment. */
    private static final Duration LEDGER = Duration.ofSeconds(15);

    private static final long LOOK_MILLIS = 200;
    private static final int EXAMPLES = 3;

    private final Schedule schedule;
    private final Processes processes;
    private final boolean whole;
    private final List<String> failures = new ArrayList<>();
    private long wrong;
    private long cacheHits;

    /** @param whole whether all trainers are done, so that what they lack is missing */
    Verdict(Schedule schedule, Processes processes, boolean whole) {
        this.schedule = schedule;
        this.processes = processes;
        this.whole = whole;
    }

    /** What was found, a line each; after {@link #tallies}. */
    List<String> failures() {
        return failures;
    }

    /** Elements that were not what they should be, after {@link #tallies}. */
    long wrong() {
        return wrong;
    }

    /** Elements that came from entries, by the jobs' status; after {@link #tallies}. */
    long cacheHits() {
        return cacheHits;
    }

    /** The count of each job. */
    List<Tally> tallies() throws InterruptedException {
        List<String> jobs = IntStream.range(0, schedule.jobs().size())
                .mapToObj(job -> Processes.jobId(schedule.seed(), job))
                .toList();
        Map<String, OnRecord> records = new HashMap<>();
        Map<Integer, Long> onRecord = new HashMap<>();
        try {
            onRecord.putAll(askForStatus(jobs));
            records.putAll(OnRecord.read(processes.kafka(), jobs));
        } catch (ServiceUnreachable away) {
            failures.add("what the log has is not known: " + away.getMessage());
        }
        List<Tally> tallies = new ArrayList<>();
        for (int job = 0; job < jobs.size(); job++) {
            Tally tally = tally(job, Optional.ofNullable(records.get(jobs.get(job))));
            tallies.add(tally);
            if (whole && onRecord.getOrDefault(job, Long.MAX_VALUE) < tally.possiblyTwice()) {
                failures.add("job " + job + " (" + schedule.jobs().get(job) + "): " + tally.possiblyTwice()
                        + " came twice of what was in doubt, and its status has " + onRecord.get(job)
                        + " as possibly trained twice");
            }
        }
        return tallies;
    }

    private Tally tally(int job, Optional<OnRecord> record) {
        Map<Integer, List<Life>> lives = new HashMap<>();
        List<Life.Trained> all = new ArrayList<>();
        for (Target target : processes.all()) {
            if (target.role() == Target.Role.CLIENT && schedule.jobOf(target.number()) == job) {
                List<Life> of = processes.lives(target);
                lives.put(schedule.consumerOf(target.number()), of);
                of.forEach(life -> all.addAll(life.trained()));
            }
        }
        List<String> values = wrong(schedule.jobs().get(job).shape(), lives.values(), all);
        wrong += values.size();
        if (!values.isEmpty()) {
            failures.add("job " + job + " (" + schedule.jobs().get(job) + "): "
                    + Counted.of(values.size(), "element is not what it", "elements are not what they")
                    + " should be: "
                    + String.join("; ", values.subList(0, Math.min(EXAMPLES, values.size()))));
        }
        Tally counted = Tally.of(
                schedule.jobs().get(job).expected(), all, one -> inDoubt(one, lives.get(one.consumer()), record));
        Tally tally = whole ? counted : counted.withoutMissing();
        if (tally.missing() + tally.duplicates() + tally.foreign() > 0) {
            failures.add("job " + job + " (" + schedule.jobs().get(job) + "): " + tally.missing() + " missing, "
                    + tally.duplicates() + " twice, " + tally.foreign() + " foreign: "
                    + String.join("; ", tally.examples()));
        }
        return tally;
    }

    /** What a trainer saw to be wrong by itself, and what has a ticket of another file's split. */
    private static List<String> wrong(Shape shape, Collection<List<Life>> lives, List<Life.Trained> all) {
        List<String> wrong = new ArrayList<>();
        lives.forEach(of -> of.forEach(life -> wrong.addAll(life.wrong())));
        if (shape.hasValues()) {
            Map<Long, Long> files = new HashMap<>();
            for (Life.Trained one : all) {
                long file = KeptRecords.fileOf(one.element().number());
                if (files.computeIfAbsent(Ticket.ordinal(one.ticket()), split -> file) != file) {
                    wrong.add(one.element() + " has the ticket " + one.ticket() + ", of another file's split");
                }
            }
        }
        return wrong;
    }

    /** Whether the life just ceased, and the log has no acknowledgement of it. */
    private static boolean inDoubt(Life.Trained one, List<Life> lives, Optional<OnRecord> record) {
        Life life = lives.get(one.life());
        if (life.over()) {
            return false;
        }
        long until = one.life() + 1 < lives.size() && lives.get(one.life() + 1).begun()
                ? lives.get(one.life() + 1).begunAtMillis()
                : Long.MAX_VALUE;
        return record.map(known -> !known.acknowledged(
                        one.consumer(),
                        life.begunAtMillis(),
                        until,
                        one.element().epoch(),
                        one.ticket()))
                .orElse(true);
    }

    /**
     * Of a whole run every job is complete, and its ledger has what its trainers have.
     *
     * @return how many elements each job's status has as possibly trained twice
     */
    private Map<Integer, Long> askForStatus(List<String> jobs) throws InterruptedException {
        Map<Integer, Long> onRecord = new HashMap<>();
        long deadline = System.nanoTime() + LEDGER.toNanos();
        ClientConfig config =
                ClientConfig.of(processes.kafka(), processes.secret()).withPatience(LEDGER);
        try (PralineClient client = PralineClient.connect(config)) {
            for (int job = 0; job < jobs.size(); job++) {
                Optional<JobStatus> status = client.status(jobs.get(job));
                while (whole && !isOver(status) && System.nanoTime() - deadline < 0) {
                    Thread.sleep(LOOK_MILLIS);
                    status = client.status(jobs.get(job));
                }
                told(job, status);
                cacheHits += status.map(JobStatus::getCacheHits).orElse(0L);
                onRecord.put(
                        job,
                        status.map(JobStatus::getProgress).orElse(List.of()).stream()
                                .mapToLong(EpochProgress::getPossiblyTwice)
                                .sum());
            }
        }
        return onRecord;
    }

    private static boolean isOver(Optional<JobStatus> status) {
        return status.map(known -> switch (known.getState()) {
                    case COMPLETED, FAILED, CANCELLED -> true;
                    case PLANNING, WAITING, RUNNING -> false;
                })
                .orElse(false);
    }

    private void told(int job, Optional<JobStatus> status) {
        JobPlan plan = schedule.jobs().get(job);
        String state = status.map(
                        known -> known.getState() + (known.getReason().isEmpty() ? "" : " (" + known.getReason() + ")"))
                .orElse("unknown");
        if (!whole) {
            failures.add("job " + job + " is " + state
                    + status.map(known -> ", its places are " + known.getSlots())
                            .orElse(""));
            return;
        }
        List<Long> consumed = status.map(JobStatus::getProgress).orElse(List.of()).stream()
                .map(EpochProgress::getConsumed)
                .toList();
        long each = plan.shape().elements(plan.records());
        boolean complete =
                status.filter(known -> known.getState() == JobState.COMPLETED).isPresent();
        if (!complete || consumed.size() != plan.epochs() || consumed.stream().anyMatch(count -> count != each)) {
            failures.add("the trainers of job " + job + " (" + plan + ") are done, and it is " + state
                    + ", its epochs' elements consumed are " + consumed + " of " + each);
        }
    }
}
