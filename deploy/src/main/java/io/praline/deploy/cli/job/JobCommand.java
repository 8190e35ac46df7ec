package io.praline.deploy.cli.job;

import io.praline.deploy.cluster.ClusterOptions;
import io.praline.deploy.cluster.JobRequests;
import io.praline.deploy.cluster.LiveTopics;
import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.JobFiles;
import io.praline.deploy.terminal.JobView;
import io.praline.deploy.terminal.OutputOptions;
import io.praline.deploy.terminal.Within;
import io.praline.schema.Cancel;
import io.praline.schema.ConsumerSlot;
import io.praline.schema.GiveUp;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.LedgerPage;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** One job: everything that is known, and what a user may ask of it. */
@Command(
        name = "job",
        description = "Show everything about one job, or take it into your own hands.",
        footer = {
            "",
            "Examples:  praline job train-7",
            "           praline job train-7 --ledger",
            "           praline job train-7 --files",
            "           praline job pin train-7 --remote 4 --local 1",
            "           praline job train-7 --give-up 1",
            "           praline job cancel train-7"
        },
        subcommands = {
            JobCommand.CancelJob.class,
            JobControls.PinJob.class,
            JobControls.UnpinJob.class,
            JobControls.PauseJob.class,
            JobControls.ResumeJob.class
        })
public final class JobCommand implements Runnable {

    @Mixin
    private ClusterOptions cluster;

    @Mixin
    private OutputOptions output;

    @Parameters(paramLabel = "ID", arity = "0..1", description = "The job's id, as 'praline jobs' shows it.")
    private String id;

    @Option(names = "--watch", description = "Go on: again whenever it changes, until it has ended.")
    private boolean watch;

    @Option(
            names = "--ledger",
            description = "Show of each epoch what became of its elements: consumed, excluded and why, still owed.")
    private boolean ledger;

    @Option(
            names = "--files",
            description =
                    "Show, file by file, how many splits of its newest epoch are closed, files that are not done alone.")
    private boolean files;

    @Option(
            names = "--give-up",
            paramLabel = "CONSUMER",
            description = "Wait no longer for a consumer that is gone: what it has in doubt is given to others, so that"
                    + " some elements may be trained twice.")
    @Within(least = 0)
    private Integer giveUp;

    @Override
    public void run() {
        if (id == null) {
            throw new CommandFailed(ExitCode.WRONG_USE, "which job? say 'praline job ID', see 'praline jobs'");
        }
        if (giveUp != null) {
            giveUp(giveUp);
            return;
        }
        if (files) {
            files();
            return;
        }
        KafkaSettings kafka = cluster.kafka();
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<JobStatus> reader = LiveTopics.ofKey(kafka, codec, Topics.JOBS, id)) {
            JobView view = new JobView(find(reader, id));
            print(view);
            while (watch && !view.ended() && !output.isUnread()) {
                Optional<JobStatus> changed = latest(reader.poll(Duration.ofSeconds(1)));
                if (changed.isPresent()) {
                    view = new JobView(changed.get());
                    print(view);
                }
            }
        }
    }

    private void giveUp(int consumer) {
        KafkaSettings kafka = cluster.kafka();
        ConsumerSlot slot;
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<JobStatus> reader = LiveTopics.ofKey(kafka, codec, Topics.JOBS, id)) {
            JobView view = new JobView(find(reader, id));
            slot = view.lost(consumer);
            JobRequests.send(kafka, codec, view.status(), new GiveUp(consumer));
        }
        output.line("job " + id + " is asked to give up consumer " + consumer + ": " + JobView.inDoubt(slot)
                + " in doubt are given to others, some may be trained twice");
        output.object(Map.of(
                "job",
                id,
                "givenUp",
                consumer,
                "inDoubt",
                slot.getInDoubt(),
                "inDoubtSplits",
                slot.getInDoubtSplits()));
    }

    private void files() {
        if (watch || ledger) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE, "--files is shown alone and once: leave out --watch and --ledger");
        }
        KafkaSettings kafka = cluster.kafka();
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<JobStatus> statuses = LiveTopics.ofKey(kafka, codec, Topics.JOBS, id)) {
            JobStatus status = find(statuses, id);
            JobFiles its = new JobFiles(id);
            try (TopicReader<LedgerPage> told = LiveTopics.ofLedger(kafka, codec, id, status.getSubmittedAtMillis())) {
                told.drain().forEach(entry -> its.take(entry.key(), entry.value()));
            }
            JobFiles.Asked all = new JobFiles.Asked(JobFiles.newestEpoch(status), true, 0, Integer.MAX_VALUE);
            Map<String, Object> object = its.object(status, all);
            JobFiles.lines(object).forEach(output::line);
            output.object(object);
        }
    }

    private void print(JobView view) {
        (ledger ? view.ledger() : view.lines()).forEach(output::line);
        output.object(view.object());
    }

    /** The newest status, by a reader of this job. */
    static JobStatus find(TopicReader<JobStatus> reader, String id) {
        return latest(reader.drain())
                .orElseThrow(() ->
                        new CommandFailed(ExitCode.REFUSED, "no job has the id " + id + "; 'praline jobs' lists them"));
    }

    private static Optional<JobStatus> latest(List<TopicReader.Entry<JobStatus>> entries) {
        return entries.isEmpty()
                ? Optional.empty()
                : entries.get(entries.size() - 1).value();
    }

    /** Ends a job. */
    @Command(
            name = "cancel",
            description = "Cancel a job and wait until it has ended.",
            footer = {"", "Example:  praline job cancel train-7 --reason 'wrong data'"})
    static final class CancelJob implements Runnable {

        private static final Duration PATIENCE = Duration.ofSeconds(15);

        @Mixin
        private JobOptions job;

        @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for those who look at the job later.")
        private String reason = "cancelled from the command line";

        @Override
        public void run() {
            KafkaSettings kafka = job.cluster().kafka();
            try (AvroCodec codec = new AvroCodec(kafka);
                    TopicReader<JobStatus> reader = LiveTopics.ofKey(kafka, codec, Topics.JOBS, job.id())) {
                JobView view = new JobView(find(reader, job.id()));
                if (!view.ended()) {
                    JobRequests.send(kafka, codec, view.status(), new Cancel(reason));
                    view = awaitEnd(reader, view);
                }
                if (view.status().getState() != JobState.CANCELLED) {
                    throw new CommandFailed(
                            ExitCode.REFUSED,
                            "job " + job.id() + " had ended already: "
                                    + view.status().getState());
                }
                job.output().line("job " + job.id() + " is CANCELLED");
                job.output().object(Map.of("job", job.id(), "state", JobState.CANCELLED.name()));
            }
        }

        private JobView awaitEnd(TopicReader<JobStatus> reader, JobView before) {
            JobView view = before;
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!view.ended()) {
                if (System.nanoTime() - deadline > 0) {
                    throw new CommandFailed(
                            ExitCode.UNREACHABLE,
                            "the dispatcher did not answer within " + PATIENCE.toSeconds()
                                    + " s; is one running? The cancellation stays in Kafka until it is");
                }
                Optional<JobStatus> changed = latest(reader.poll(Duration.ofMillis(200)));
                if (changed.isPresent()) {
                    view = new JobView(changed.get());
                }
            }
            return view;
        }
    }
}
