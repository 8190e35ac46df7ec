package io.praline.deploy.cluster;

import io.praline.deploy.terminal.CommandFailed;
import io.praline.deploy.terminal.ExitCode;
import io.praline.schema.JournalEntry;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.util.List;

/** What the cluster has of a job's journal. */
public final class LiveJournal {

    private LiveJournal() {}

    public static List<JournalEntry> of(KafkaSettings kafka, String job) {
        List<JournalEntry> entries;
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<JournalEntry> reader = LiveTopics.ofKey(kafka, codec, Topics.PLACEMENT_DECISIONS, job)) {
            entries = LiveTopics.values(reader.drain());
        }
        if (entries.isEmpty()) {
            throw new CommandFailed(
                    ExitCode.REFUSED, "no job with the id " + job + " is in the journal; 'praline jobs' lists them");
        }
        return entries;
    }
}
