package io.praline.worker.engine;

import io.praline.worker.engine.Running.Batch;
import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.task.TaskGraphs;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/** Pipelines in other orders, and what they yield. */
final class Variant {
    private static final OpCatalogue OPS = Pipelines.ANY_OP;

    private Variant() {}

    /** The random pipelines that Python wrote. */
    static List<PipelineGraph> random() {
        List<PipelineGraph> pipelines = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new GZIPInputStream(new ByteArrayInputStream(
                Files.readAllBytes(Pipelines.folder().resolve("ordering").resolve("random.gz")))))) {
            byte[] length = in.readNBytes(4);
            while (length.length == 4) {
                int bytes = (length[0] & 0xff) | (length[1] & 0xff) << 8 | (length[2] & 0xff) << 16;
                pipelines.add(PipelineGraph.parse(in.readNBytes(bytes), OPS));
                length = in.readNBytes(4);
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return pipelines;
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
