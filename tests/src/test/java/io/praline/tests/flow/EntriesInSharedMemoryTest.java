package io.praline.tests.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.CacheMode;
import io.praline.client.ChannelPath;
import io.praline.client.ClientConfig;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.local.ChildProcess;
import io.praline.deploy.local.LocalCluster;
import io.praline.schema.JobState;
import io.praline.tests.rig.Cluster;
import io.praline.tests.rig.Numbers;
import io.praline.worker.WorkerMain;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** Batches that are put together from entries where the client sees them, while entries break under the worker. */
@Tag("long")
class EntriesInSharedMemoryTest {
    private static final String POOL = "entries-in-memory";
    private static final int FILES = 8;
    private static final int EACH = 105;
    private static final int EPOCHS = 12;

    /** A batch of 10 elements has 320 kB: from 64 KiB on they come in shared memory. */
    private static final int WIDTH = 4_000;

    private final Cluster cluster = Cluster.shared();
    private final Random random = new Random(5);

    /** Each number as often as an element is wide, so that every byte of it is held against its number. */
    private static Pipeline pipeline() {
        return Pipeline.tfRecords()
                .map("parse", (tf, x) -> tf.strings.toNumber(x.as(TString.class), TInt64.class))
                .map("widen", (tf, x) -> tf.broadcastTo(x.as(TInt64.class), tf.constant(new int[] {WIDTH})))
                .batch(10)
                .names("number");
    }

    private Path cache() {
        return cluster.folder().resolve("entries-in-memory");
    }

    private ChildProcess worker() {
        return ChildProcess.start(new ChildProcess.Spec(
                "worker " + POOL,
                WorkerMain.class.getName(),
                List.of(
                        "--bootstrap",
                        cluster.kafka().bootstrap(),
                        "--registry",
                        cluster.kafka().registryUrl(),
                        "--secret-file",
                        cluster.secretFile().toString(),
                        "--id",
                        POOL,
                        "--pool",
                        POOL,
                        "--unix-socket",
                        cluster.folder().resolve("entries-in-memory.sock").toString(),
                        "--cache-dir",
                        cache().toString(),
                        "--cache-bytes",
                        Long.toString(1L << 30)),
                cluster.folder().resolve("entries-in-memory.log"),
                LocalCluster.WORKER_HEAP_MB,
                LocalCluster.WORKER_DIRECT_MB,
                Map.of()));
    }

    /** Another bit somewhere in an entry, of which neither its size nor its time tells. */
    private void breakOne() throws IOException {
        List<Path> entries;
        try (Stream<Path> all = Files.walk(cache().resolve("entries"))) {
            entries = all.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().matches("[0-9a-f]{64}"))
                    .sorted()
                    .toList();
        }
        if (entries.isEmpty()) {
            return;
        }
        Path entry = entries.get(random.nextInt(entries.size()));
        try {
            FileTime time = Files.getLastModifiedTime(entry);
            byte[] bytes = Files.readAllBytes(entry);
            bytes[random.nextInt(bytes.length)] ^= 0x10;
            Files.write(entry, bytes);
            Files.setLastModifiedTime(entry, time);
        } catch (NoSuchFileException gone) {
            // it was found to be broken by somebody else
        }
    }

    private static void take(Batch batch, List<Long> into) {
        LongBuffer values = batch.component("number").longs();
        while (values.hasRemaining()) {
            long number = values.get();
            for (int i = 1; i < WIDTH; i++) {
                assertThat(values.get()).isEqualTo(number);
            }
            into.add(number);
        }
    }

    @Test
    void nothingOfAnEntryThatIsNotWholeReachesTheLoop() throws IOException {
        Numbers numbers = Numbers.write(cluster.folder().resolve("entries-in-memory-data"), FILES, EACH);
        JobSpec spec = JobSpec.of(pipeline())
                .data(numbers.glob())
                .seed(7)
                .order(JobSpec.Order.OFF)
                .cache(CacheMode.FULL)
                .epochs(EPOCHS);
        Map<Integer, List<Long>> taken = new TreeMap<>();
        JobResult result;
        try (ChildProcess worker = worker();
                PralineClient client = PralineClient.connect(ClientConfig.of(cluster.kafka(), cluster.secretFile())
                        .withPool(POOL)
                        .withPath(ChannelPath.SHARED));
                BatchStream stream = client.submit(spec)) {
            int epoch = 0;
            while (stream.hasNext()) {
                try (Batch batch = stream.next()) {
                    if (batch.epoch() > epoch) {
                        epoch = batch.epoch();
                        breakOne();
                    }
                    take(batch, taken.computeIfAbsent(batch.epoch(), number -> new ArrayList<>()));
                }
            }
            assertThat(worker.alive()).isTrue();
            result = stream.result();
        }
        assertThat(result.state()).isEqualTo(JobState.COMPLETED);
        assertThat(result.missing()).hasValue(0);
        assertThat(result.duplicates()).hasValue(0);
        assertThat(taken).hasSize(EPOCHS);
        taken.values().forEach(epoch -> assertThat(epoch).containsExactlyInAnyOrderElementsOf(numbers.all()));
        assertThat(result.cache().hits()).isGreaterThan(FILES * EACH);
    }
}
