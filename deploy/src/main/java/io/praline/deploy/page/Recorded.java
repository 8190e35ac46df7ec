package io.praline.deploy.page;

import io.praline.dispatcher.convert.JournalCommand;
import io.praline.dispatcher.convert.WaitingFor;
import io.praline.dispatcher.convert.WallTime;
import io.praline.dispatcher.replay.JournalFile;
import io.praline.schema.Decided;
import io.praline.schema.FailureKind;
import io.praline.schema.Guarantee;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A recorded journal: its jobs as far as their decisions tell of them. What only a status tells, such as the ledger, is not
 * there.
 */
record Recorded(Picture picture, Map<String, List<JournalEntry>> byJob) implements Journals {

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException saying in one line why it is no journal that can be read
     * @throws IOException if the file itself cannot be read
     */
    static Recorded read(Path file) throws IOException {
        List<JournalEntry> entries = JournalFile.read(file);
        SortedMap<String, List<JournalEntry>> byJob = entries.stream()
                .filter(entry -> !Follower.isOfAPool(entry))
                .collect(Collectors.groupingBy(JournalEntry::getJob, TreeMap::new, Collectors.toList()));
        if (byJob.isEmpty()) {
            throw new IllegalArgumentException(
                    file + " has no entry of a job: export one with 'praline journal export'");
        }
        SortedMap<String, JobStatus> jobs = new TreeMap<>();
        SortedMap<String, JobFigures> figures = new TreeMap<>();
        byJob.forEach((job, of) -> {
            JobFigures folded = JobFigures.NONE;
            for (JournalEntry entry : of) {
                folded = folded.then(entry);
            }
            figures.put(job, folded);
            jobs.put(job, status(of, folded));
        });
        Picture empty = Picture.empty(new Picture.Source(file.getFileName().toString(), false, Optional.empty()));
        return new Recorded(
                new Picture(
                        empty.source(),
                        jobs,
                        figures,
                        empty.workers(),
                        empty.targets(),
                        empty.pools(),
                        empty.caches(),
                        new Picture.Lags(new TreeMap<>(), Optional.of("a recorded journal tells nothing of it")),
                        empty.quarantine()),
                byJob);
    }

    private static JobStatus status(List<JournalEntry> entries, JobFigures figures) {
        JournalEntry first = entries.get(0);
        JobState state = figures.state().planned() ? JobState.RUNNING : JobState.PLANNING;
        String waitsFor = "";
        String reason = "";
        long splits = figures.state().plan().splits();
        for (JournalEntry entry : entries) {
            for (Decided decided : entry.getDecision()) {
                Optional<JobState> told = state(decided.getCommand());
                if (told.isPresent()) {
                    state = told.get();
                    waitsFor = state == JobState.WAITING ? WaitingFor.PAUSED.text() : "";
                    reason = state == JobState.RUNNING ? "" : entry.getReason();
                }
            }
        }
        return JobStatus.newBuilder()
                .setJob(first.getJob())
                .setPool(first.getPool())
                .setTenant("")
                .setRequester("")
                .setPipelineName("")
                .setPipelineDigest("")
                .setState(state)
                .setReason(reason)
                .setWaitingFor(waitsFor)
                .setFailure(FailureKind.NONE)
                .setGuarantee(Guarantee.EXACTLY_ONCE)
                .setGuaranteeReasons(List.of())
                .setPlan(splits > 0 ? 1 : 0)
                .setSplits(splits)
                .setEpochs(0)
                .setConsumers(figures.windows().size())
                .setSeed(0)
                .setComponents(List.of())
                .setAttempts(List.of())
                .setProgress(List.of())
                .setConfirmed(List.of())
                .setBadRecords(List.of())
                .setTransformations(List.of())
                .setSubmittedAtMillis(WallTime.millis(first))
                .setChangedAtMillis(WallTime.millis(entries.get(entries.size() - 1)))
                .build();
    }

    private static Optional<JobState> state(String command) {
        Map<JournalCommand, JobState> states = Map.of(
                JournalCommand.COMPLETED, JobState.COMPLETED,
                JournalCommand.FAILED, JobState.FAILED,
                JournalCommand.CANCELLED, JobState.CANCELLED,
                JournalCommand.PAUSE, JobState.WAITING,
                JournalCommand.GO_ON, JobState.RUNNING);
        return states.entrySet().stream()
                .filter(known -> known.getKey().text().equals(command))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    @Override
    public List<JournalEntry> of(String job) {
        return byJob.getOrDefault(job, List.of());
    }
}
