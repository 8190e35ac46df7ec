package io.praline.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

class TopicsTest {
    // the table of the design, with the envelope each topic carries; partitions are this project's choice
    @Test
    void theTableIsTheDesigns() {
        String table = Topics.all().stream()
                .map(topic -> String.join(
                        " | ",
                        topic.name(),
                        topic.keyedBy(),
                        topic.type().getSimpleName(),
                        Integer.toString(topic.partitions()),
                        topic.cleanup() == Cleanup.COMPACT
                                ? "compacted"
                                : topic.retention().toDays() + " d",
                        topic.dispatcherInput() ? "dispatcher" : "-"))
                .collect(Collectors.joining("\n", "", "\n"));

        assertThat(table).isEqualTo("""
                        job-requests | pool | JobRequest | 4 | 7 d | dispatcher
                        jobs | job | JobStatus | 4 | compacted | -
                        pipelines | pool/digest/kind | PipelineEntry | 4 | compacted | -
                        splits | pool | PlanMessage | 4 | 7 d | dispatcher
                        worker-heartbeats | pool | WorkerEvent | 4 | 1 d | dispatcher
                        worker-commands | worker | WorkerCommand | 8 | 1 d | -
                        client-heartbeats | pool | ClientHeartbeat | 4 | 7 d | dispatcher
                        consumption | pool | ConsumptionReport | 4 | 30 d | dispatcher
                        placement-decisions | job or pool:pool | JournalEntry | 4 | 30 d | -
                        scaling-commands | pool or job@host | ScalingTarget | 4 | compacted | -
                        pools | pool | PoolStatus | 4 | compacted | -
                        caches | pool/tenant/prefix | CacheStatus | 4 | compacted | -
                        ledgers | job/files/page or job/epoch/page | LedgerPage | 4 | compacted | -
                        quarantine | topic/partition/offset | QuarantinedRecord | 1 | 7 d | -
                        """);
    }

    @Test
    void timeIsLogTimeOnAllOfThem() {
        assertThat(Topics.all()).allSatisfy(topic -> assertThat(topic.configs())
                .containsEntry("message.timestamp.type", "LogAppendTime"));
    }

    @Test
    void everyEnvelopeHasAHistoryThatItIsCheckedAgainst() {
        Path history = Path.of("..", "schemas", "src", "test", "history");

        assertThat(Topics.all())
                .allSatisfy(topic -> assertThat(history.resolve(topic.subject()).resolve("1.avsc"))
                        .exists());
    }

    @Test
    void theDispatchersInputsHaveEqualNumbersOfPartitions() {
        assertThat(Topics.all().stream()
                        .filter(Topic::dispatcherInput)
                        .map(Topic::partitions)
                        .distinct())
                .hasSize(1);
    }

    @Test
    void anInstallationHasAsManyPartitionsAsWereChosen() {
        assertThat(Topics.all(Topics.PARTITIONS)).isEqualTo(Topics.all());
        assertThat(Topics.all(16))
                .filteredOn(Topic::dispatcherInput)
                .extracting(Topic::partitions)
                .containsOnly(16);
        assertThat(Topics.all(16)).extracting(Topic::name).isEqualTo(names(Topics.all()));
        assertThat(TopicAdmin.chosen(Map.of("job-requests", 16, "jobs", 9))).isEqualTo(16);
        assertThat(TopicAdmin.chosen(Map.of("jobs", 9))).isEqualTo(4);
    }

    private static List<String> names(List<Topic<?>> topics) {
        return topics.stream().map(Topic::name).toList();
    }

    @Test
    void aKeyLiesWhereKafkasOwnPartitionerPutsIt() {
        assertThat(List.of("default", "pool-1", "größe", "").stream().map(key -> Topics.partitionOf(key, 4)))
                .containsExactly(
                        partitionerOfKafka("default"),
                        partitionerOfKafka("pool-1"),
                        partitionerOfKafka("größe"),
                        partitionerOfKafka(""));
        assertThat(Topics.partitionOf("default", 1)).isZero();
    }

    private static int partitionerOfKafka(String key) {
        return BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), 4);
    }

    @Test
    void unequalInputsAreNamedWithTheirNumbers() {
        Map<String, Integer> partitions = Map.of(
                "job-requests",
                4,
                "splits",
                4,
                "worker-heartbeats",
                6,
                "client-heartbeats",
                4,
                "consumption",
                4,
                "jobs",
                9);

        assertThat(TopicAdmin.unequalInputs(partitions))
                .contains("the dispatcher's inputs must have equal numbers of partitions, have client-heartbeats 4,"
                        + " consumption 4, job-requests 4, splits 4, worker-heartbeats 6");
        assertThat(TopicAdmin.unequalInputs(Map.of("job-requests", 4, "splits", 4, "jobs", 9)))
                .isEqualTo(Optional.empty());
    }

    // names hold any sign but control characters: neither pools nor jobs may ever share a key
    @Test
    void noTwoPoolsShareAKeyWhateverTheyAreCalled() {
        List<String> names =
                List.of("", "a", "a/b", "b/c", "/", "%", "%2F", "%25", "a%2Fb", "a%252Fb", "pool:a@b", "a@b");
        Set<String> keys = new HashSet<>();
        for (String pool : names) {
            for (String tenant : names) {
                keys.add(Topics.cacheKey(pool, tenant, "abc"));
            }
        }
        assertThat(keys).hasSize(names.size() * names.size());
        assertThat(Topics.cacheKey("default", "team 1", "abc")).isEqualTo("default/team 1/abc");

        Set<String> subjects = new HashSet<>();
        names.forEach(pool -> subjects.add(Topics.scalingSubject(pool)));
        assertThat(subjects).hasSize(names.size()).doesNotContain(Topics.scalingSubject("a", "b"));
        assertThat(Topics.scalingSubject("pool 1/a")).isEqualTo("pool 1/a");
    }

    @Test
    void aTopicIsCompactedOrHasARetention() {
        assertThatThrownBy(() -> new Topic<>(
                        "t",
                        Topics.JOBS.type(),
                        Topics.JOBS.schema(),
                        1,
                        Cleanup.COMPACT,
                        Duration.ofDays(1),
                        "job",
                        false))
                .hasMessage("t must be compacted or have a retention, is COMPACT with PT24H");
    }
}
