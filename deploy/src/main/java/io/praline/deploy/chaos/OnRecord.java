package io.praline.deploy.chaos;

import io.praline.deploy.cluster.LiveTopics;
import io.praline.identity.TicketRuns;
import io.praline.schema.Attach;
import io.praline.schema.BatchUse;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobRequest;
import io.praline.schema.Use;
import io.praline.topics.KafkaSettings;
import io.praline.topics.Topics;
import io.praline.topics.log.TopicReader;
import io.praline.topics.registry.AvroCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the log has of a job's consumers: who attached when, and what each acknowledged. */
final class OnRecord {
    private final List<Attached> attached = new ArrayList<>();
    private final Map<String, Long> next = new HashMap<>();
    private final Map<String, Set<Place>> acknowledged = new HashMap<>();

    /** An incarnation of a consumer. */
    private record Attached(int consumer, String incarnation, long atMillis) {}

    private record Place(int epoch, long ticket) {}

    /** All that the log has of these jobs, by job. */
    static Map<String, OnRecord> read(KafkaSettings kafka, List<String> jobs) {
        Map<String, OnRecord> all = new HashMap<>();
        jobs.forEach(job -> all.put(job, new OnRecord()));
        try (AvroCodec codec = new AvroCodec(kafka);
                TopicReader<JobRequest> requests = LiveTopics.all(kafka, codec, Topics.JOB_REQUESTS);
                TopicReader<ConsumptionReport> reports = LiveTopics.all(kafka, codec, Topics.CONSUMPTION)) {
            for (TopicReader.Entry<JobRequest> entry : requests.drain()) {
                entry.value()
                        .filter(request -> all.containsKey(request.getJob()))
                        .ifPresent(request -> {
                            if (request.getBody() instanceof Attach attach) {
                                all.get(request.getJob()).attached(attach, entry.timestampMillis());
                            }
                        });
            }
            LiveTopics.values(reports.drain()).stream()
                    .filter(report -> all.containsKey(report.getJob()))
                    .forEach(report -> all.get(report.getJob()).reported(report));
        }
        return all;
    }

    void attached(Attach attach, long atMillis) {
        attached.add(new Attached(attach.getConsumer(), attach.getIncarnation(), atMillis));
    }

    /** Reports in the order of the log: one that was sent again, or stands behind a gap, says nothing. */
    void reported(ConsumptionReport report) {
        String incarnation = report.getIncarnation();
        if (report.getReportSequence() != next.getOrDefault(incarnation, 0L)) {
            return;
        }
        next.merge(incarnation, 1L, (before, one) -> before + one);
        Set<Place> places = acknowledged.computeIfAbsent(incarnation, one -> new HashSet<>());
        for (BatchUse use : report.getBatches()) {
            if (use.getUse() == Use.ACKED) {
                TicketRuns.forEach(use.getTickets(), ticket -> places.add(new Place(use.getEpoch(), ticket)));
            }
        }
    }

    /**
     * Whether an incarnation of the consumer acknowledged the element.
     *
     * @param fromMillis incarnations that attached from then on
     * @param untilMillis and before then, in milliseconds since 1970
     */
    boolean acknowledged(int consumer, long fromMillis, long untilMillis, int epoch, long ticket) {
        Place place = new Place(epoch, ticket);
        return attached.stream()
                .filter(one ->
                        one.consumer() == consumer && one.atMillis() >= fromMillis && one.atMillis() < untilMillis)
                .anyMatch(one ->
                        acknowledged.getOrDefault(one.incarnation(), Set.of()).contains(place));
    }
}
