package io.praline.worker.engine;

import io.praline.worker.engine.Running.Batch;
import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** Pipelines in other orders, and what they yield. */
final class Variant {
    private static final OpCatalogue OPS = Pipelines.ANY_OP;

    private Variant() {}

    /** The pipelines of a file that Python wrote, by their titles. */
    static Map<String, PipelineGraph> all(String file) {
        Map<String, PipelineGraph> pipelines = new LinkedHashMap<>();
        try (InputStream in = new GZIPInputStream(
                Files.newInputStream(Pipelines.folder().resolve("ordering").resolve(file + ".gz")))) {
            for (byte[] title = next(in); title.length > 0; title = next(in)) {
                pipelines.put(new String(title, StandardCharsets.UTF_8), PipelineGraph.parse(next(in), OPS));
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return pipelines;
    }

    private static byte[] next(InputStream in) throws IOException {
        byte[] length = in.readNBytes(4);
        return length.length < 4
                ? length
                : in.readNBytes(
                        ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt());
    }

    /** What it yields as a tracked task with the user's own splits: each row by its ticket. */
    static Map<Long, List<String>> rows(PipelineGraph pipeline) {
        PipelineAnalysis analysis = PipelineAnalysis.of(pipeline);
        Map<Long, List<String>> rows = new TreeMap<>();
        for (Batch batch :
                Running.all(TaskGraphs.build(pipeline, analysis, Running.settings(true)), Running.splits(analysis))) {
            List<List<String>> each = batch.rows();
            for (int i = 0; i < batch.tickets().size(); i++) {
                rows.put(batch.tickets().get(i), each.get(i));
            }
        }
        return rows;
    }
}
