package io.praline.tests.bench;

import com.sun.management.OperatingSystemMXBean;
import io.praline.worker.engine.EngineBatch;
import io.praline.worker.engine.FeedSplit;
import io.praline.worker.engine.GraphSession;
import io.praline.worker.engine.TensorFlowOps;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.planning.RecordCounter;
import io.praline.worker.planning.RecordFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What tickets cost: the same pipeline over the same files with and without them, in turns, in this process. Where elements
 * can be counted they carry no tickets; what those would cost is told too.
 *
 * <pre>
 *   java -cp ... io.praline.tests.bench.TicketBenchmark PIPELINE.pb ROUNDS FILE...
 * </pre>
 *
 * Prints the median rates in elements/s, and the shares that carried tickets and counting take, of the time and of the
 * processor's. A rate is elements over the time from the first
 * batch to the last.
 */
public final class TicketBenchmark {
    private TicketBenchmark() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
        PipelineGraph pipeline = PipelineGraph.parse(Files.readAllBytes(Path.of(args[0])), new TensorFlowOps());
        int rounds = Integer.parseInt(args[1]);
        String[] files = Arrays.copyOfRange(args, 2, args.length);
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        boolean counts = analysis.counting().isPresent();
        run(pipeline, CARRIED, files);
        long elements = elements(pipeline, files);
        Rates carried = new Rates(rounds);
        Rates counted = new Rates(rounds);
        Rates without = new Rates(rounds);
        for (int round = 0; round < rounds; round++) {
            carried.add(elements, run(pipeline, CARRIED, files));
            counted.add(elements, run(pipeline, CARRIED.withCounted(counts), files));
            without.add(elements, run(pipeline, CARRIED.withTracked(false), files));
        }
        System.out.printf(
                Locale.ROOT,
                "{\"elements\":%d,\"counts\":%b,\"carried\":%.0f,\"counted\":%.0f,\"without\":%.0f,"
                        + "\"costCarried\":%.3f,\"costCounted\":%.3f,\"processorCostCarried\":%.3f,"
                        + "\"processorCostCounted\":%.3f}%n",
                elements,
                counts,
                median(carried.bySecond),
                median(counted.bySecond),
                median(without.bySecond),
                1 - median(carried.bySecond) / median(without.bySecond),
                1 - median(counted.bySecond) / median(without.bySecond),
                1 - median(carried.byProcessorSecond) / median(without.byProcessorSecond),
                1 - median(counted.byProcessorSecond) / median(without.byProcessorSecond));
    }

    /** Elements for each second that went by, and for each that a processor worked: the latter differs less beside others. */
    private static final class Rates {
        private final double[] bySecond;
        private final double[] byProcessorSecond;
        private int rounds;

        Rates(int rounds) {
            bySecond = new double[rounds];
            byProcessorSecond = new double[rounds];
        }

        void add(long elements, Run run) {
            bySecond[rounds] = elements / run.seconds();
            byProcessorSecond[rounds] = elements / run.processorSeconds();
            rounds++;
        }
    }

    private record Run(double seconds, double processorSeconds) {}

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static final TaskSettings CARRIED = TaskSettings.of(
                    Runtime.getRuntime().availableProcessors())
            .withTracked(true)
            .withSeed(1)
            .withPack(true);

    private static GraphSession open(PipelineGraph pipeline, TaskSettings settings, String[] files) {
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        GraphSession session = new GraphSession(TaskGraphs.build(pipeline, analysis, settings));
        RecordFormat format = RecordFormat.of(analysis.sources().get(0).kind()).orElseThrow();
        long ordinal = 0;
        for (String file : files) {
            FeedSplit split = FeedSplit.file(ordinal++, 0, file);
            session.enqueue(settings.counted() ? split.counted(records(file, format)) : split);
        }
        session.closeQueue();
        return session;
    }

    private static long records(String file, RecordFormat format) {
        try {
            return RecordCounter.count(file, format, () -> true);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static long elements(PipelineGraph pipeline, String[] files) {
        long elements = 0;
        try (GraphSession session = open(pipeline, CARRIED, files)) {
            for (Optional<EngineBatch> batch = session.next(); batch.isPresent(); batch = session.next()) {
                elements += batch.get().tickets().length;
                batch.get().close();
            }
        }
        return elements;
    }

    /** From the first batch to the last. */
    private static Run run(PipelineGraph pipeline, TaskSettings settings, String[] files) {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        try (GraphSession session = open(pipeline, settings, files)) {
            long first = 0;
            long last = 0;
            long worked = 0;
            for (Optional<EngineBatch> batch = session.next(); batch.isPresent(); batch = session.next()) {
                last = System.nanoTime();
                if (first == 0) {
                    first = last;
                    worked = system.getProcessCpuTime();
                }
                batch.get().close();
            }
            return new Run((last - first) / 1e9, (system.getProcessCpuTime() - worked) / 1e9);
        }
    }
}
