package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.identity.Ticket;
import io.praline.identity.TicketRuns;
import io.praline.schema.AssignSplits;
import io.praline.schema.AssignedSplit;
import io.praline.schema.AttemptProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.FinishAttempt;
import io.praline.schema.Guarantee;
import io.praline.schema.OpenedSplit;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.Split;
import io.praline.schema.SplitPage;
import io.praline.worker.EngineStart;
import io.praline.worker.assignment.TicketSet;
import io.praline.worker.attempt.input.KnownPipeline;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.task.AsItStands;
import io.praline.worker.planning.Planner;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.stage.ObjectIndexes;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.roaringbitmap.RoaringBitmap;

/** Pipelines written in Python, planned and run: every element of every split is accounted for. */
@Tag("long")
class EveryPipelineTest {
    private static final long SECONDS_90 = 90_000;

    /** What the builder writes, but for what only benchmarks run, and for crops that are larger than our pictures. */
    private static final Map<String, String> BUILT = Map.of(
            "builder/examples.pb", "data/examples-*.tfrecord",
            "builder/folders.pb", "data/flowers/*/*.jpg",
            "builder/lines.pb", "data/text-*.txt",
            "builder/range.pb", "-",
            "builder/raw.pb", "data/fixed-*.bin",
            "builder/seeded.pb", "data/jpegs-*.tfrecord");

    private static final TensorFlowOps OPS = EngineStart.warm();

    private final ExecutorService counting = Executors.newSingleThreadExecutor();

    @AfterEach
    void stopCounting() {
        counting.shutdownNow();
    }

    static Path pipelines() {
        try {
            return Path.of(EveryPipelineTest.class.getResource("/pipelines").toURI());
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Those of {@code index.tsv}, the same by an older TensorFlow, and what the Java builder writes. */
    static Stream<Arguments> pipelineAndData() throws IOException {
        Map<String, String> data = Files.readAllLines(pipelines().resolve("index.tsv")).stream()
                .skip(1)
                .map(line -> line.split("\t", -1))
                .filter(columns -> !columns[0].startsWith("refused/"))
                .collect(Collectors.toMap(columns -> columns[0], columns -> columns[1], (a, b) -> a, TreeMap::new));
        names("tf215").forEach(name -> data.put("tf215/" + name, data.get(name)));
        data.putAll(BUILT);
        return data.entrySet().stream().map(one -> Arguments.of(one.getKey(), one.getValue()));
    }

    private static List<String> names(String folder) throws IOException {
        try (Stream<Path> files = Files.list(pipelines().resolve(folder))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    static final class Plan implements Planner.Output {
        final List<Split> splits = new ArrayList<>();
        Optional<PipelineGraph> graph = Optional.empty();
        Optional<Object> ending = Optional.empty();

        @Override
        public void pipeline(PipelineEntry entry, PipelineGraph understood) {
            graph = Optional.of(understood);
        }

        @Override
        public void message(PlanMessage message) {
            if (message.getBody() instanceof SplitPage page) {
                splits.addAll(page.getSplits());
            } else {
                ending = Optional.of(message.getBody());
            }
        }
    }

    /** A pipeline planned over its data. */
    static Plan plan(String pipeline, String data) {
        Plan plan = new Plan();
        new Planner(
                        new Planner.Identity("p", "w1", "i1"),
                        OPS,
                        pipelines(),
                        new FileStores(S3Settings.USUAL),
                        ObjectIndexes.none())
                .plan(
                        PlanSplits.newBuilder()
                                .setJob("j")
                                .setPlan(1)
                                .setPipelineName("")
                                .setGraph(ByteBuffer.wrap(bytes(pipeline)))
                                .setComponentNames(List.of())
                                .setDataGlobs(globs(pipeline, data))
                                .setGuarantee(Guarantee.EXACTLY_ONCE)
                                .setStrict(false)
                                .build(),
                        plan);
        return plan;
    }

    /** A graph that runs as it stands reads its files relative to the process, and those are elsewhere. */
    private static byte[] bytes(String pipeline) {
        return Pipelines.bytesHere(pipeline.substring(0, pipeline.length() - ".pb".length()));
    }

    /** A glob stands in for one list of files; pipelines with several name their own. */
    private static List<String> globs(String pipeline, String data) {
        PipelineGraph graph = PipelineGraph.parse(bytes(pipeline), OPS);
        List<PipelineSource> sources = PipelineAnalysis.of(graph).sources();
        return sources.size() == 1 && sources.get(0).readsFiles() ? List.of(data) : List.of();
    }

    private AttemptProgress run(
            KnownPipeline known, int attempt, List<AssignedSplit> splits, boolean deliverTail, TakenBatches sink)
            throws InterruptedException {
        AttemptRun run = new AttemptRun(
                Starts.of(known).setAttempt(attempt).build(),
                new Surroundings("w1", new TaskShare(2, 0), digest -> known, counting, () -> {}),
                sink);
        run.start();
        run.assign(new AssignSplits("j", 0, attempt, 1, splits));
        run.finish(new FinishAttempt("j", 0, attempt, 1, deliverTail, deliverTail));
        assertThat(run.awaitOver(SECONDS_90)).as("the attempt ends").isTrue();
        AttemptProgress told = run.report().take(1 << 20, 0);
        assertThat(told.getFailure()).isEmpty();
        return told;
    }

    /** What an attempt told to be left out. */
    static TicketSet excluded(AttemptProgress told) {
        TicketSet excluded = TicketSet.NONE;
        for (Exclusion exclusion : told.getExcluded()) {
            excluded = excluded.plus(TicketSet.of(TicketRuns.decode(exclusion.getTickets())));
        }
        return excluded;
    }

    /** All splits, without these elements. */
    static List<AssignedSplit> assigned(List<Split> splits, TicketSet skip) {
        List<AssignedSplit> assigned = new ArrayList<>();
        for (Split split : splits) {
            RoaringBitmap unwanted = skip.recordsOf(assigned.size());
            ByteBuffer bytes = ByteBuffer.allocate(unwanted.isEmpty() ? 0 : unwanted.serializedSizeInBytes());
            if (!unwanted.isEmpty()) {
                unwanted.serialize(bytes);
                bytes.flip();
            }
            assigned.add(new AssignedSplit((long) assigned.size(), split, bytes));
        }
        return assigned;
    }

    /** How many batches came out, and their bytes: all there is to compare where elements have no tickets. */
    private record Made(long batches, long bytes) {}

    private static Made madeByTheGraphAsItStands(String pipeline) {
        long batches = 0;
        long bytes = 0;
        PipelineGraph graph = PipelineGraph.parse(bytes(pipeline), OPS);
        try (GraphSession session = new GraphSession(AsItStands.of(graph))) {
            for (Optional<EngineBatch> next = session.next(); next.isPresent(); next = session.next()) {
                batches++;
                bytes += next.get().bytes();
                next.get().close();
            }
        }
        return new Made(batches, bytes);
    }

    @ParameterizedTest
    @MethodSource("pipelineAndData")
    void accountsForEveryElement(String pipeline, String data) throws InterruptedException {
        Plan plan = plan(pipeline, data);
        assertThat(plan.ending.orElseThrow()).as(pipeline).isInstanceOf(PlanCompleted.class);
        KnownPipeline known =
                new KnownPipeline(plan.graph.orElseThrow(), PipelineAnalysis.of(plan.graph.orElseThrow()));

        TakenBatches first = new TakenBatches();
        AttemptProgress told = run(known, 0, assigned(plan.splits, TicketSet.NONE), false, first);
        if (!known.analysis().exactlyOnce()) {
            assertThat(new Made(told.getBatches(), told.getBytes())).isEqualTo(madeByTheGraphAsItStands(pipeline));
            assertThat(told.getEnd().orElseThrow().getRemainder().remaining()).isZero();
            return;
        }
        TicketSet all = TicketSet.NONE;
        for (OpenedSplit split : told.getOpened()) {
            all = all.plus(TicketSet.of(LongStream.range(0, split.getRecords())
                    .map(record -> Ticket.of(split.getOrdinal(), record))
                    .toArray()));
        }
        assertThat(all.count()).isPositive();
        TicketSet remainder =
                TicketSet.of(TicketRuns.decode(told.getEnd().orElseThrow().getRemainder()));
        TicketSet settled = first.set().plus(excluded(told));
        assertThat(settled.plus(remainder)).isEqualTo(all);
        assertThat(settled.count() + remainder.count()).isEqualTo(all.count());
        assertThat(first.tickets()).hasSize((int) first.set().count());
        if (remainder.isEmpty()) {
            return;
        }
        TakenBatches last = new TakenBatches();
        AttemptProgress rest = run(known, 1, assigned(plan.splits, settled), true, last);
        assertThat(last.set().plus(excluded(rest))).isEqualTo(remainder);
        assertThat(last.tickets()).hasSize((int) last.set().count());
        assertThat(rest.getEnd().orElseThrow().getRemainder().remaining()).isZero();
    }
}
