package io.praline.worker.engine;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.source.SourceKind;
import io.praline.worker.graph.source.opening.ReadStaged.Renaming;
import io.praline.worker.graph.task.TaskGraph;
import io.praline.worker.graph.task.TaskSettings;
import io.praline.worker.storage.stage.StagedName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.roaringbitmap.RoaringBitmap;
import org.tensorflow.proto.DataType;

/** Runs graphs to their end and writes down what they yield. */
final class Running {
    private Running() {}

    /** Files are opened as a worker lets them be: what is no address keeps its name. */
    static TaskSettings settings(boolean tracked) {
        Renaming addresses = new Renaming(
                StagedName.PATTERN,
                StagedName.rewrite("/nowhere"),
                StagedName.RANGE_PATTERN,
                StagedName.rewriteRange("/nowhere"));
        return TaskSettings.of(2).withTracked(tracked).withSeed(1).withRenaming(Optional.of(addresses));
    }

    /** What one fetch gave: each component's values, and the tickets. */
    record Batch(List<Long> tickets, List<Values> components) {

        /** The elements of the batch one by one; the batch itself where it has no common leading dimension. */
        List<List<String>> rows() {
            List<List<String>> rows = new ArrayList<>();
            boolean stacked = components.stream().noneMatch(values -> values.shape.isEmpty());
            long count = stacked ? components.get(0).shape.get(0) : 1;
            for (int i = 0; i < count; i++) {
                List<String> row = new ArrayList<>();
                for (Values values : components) {
                    int each = values.flat.size() / (int) count;
                    row.add(values.flat.subList(i * each, (i + 1) * each).toString());
                }
                rows.add(row);
            }
            return rows;
        }
    }

    record Values(int dtype, List<Long> shape, List<String> flat) {}

    /** All splits at once, then the end. */
    static List<Batch> all(TaskGraph task, List<FeedSplit> splits) {
        try (GraphSession session = new GraphSession(task)) {
            splits.forEach(session::enqueue);
            session.allowTail();
            session.closeQueue();
            return rest(session);
        }
    }

    static List<Batch> rest(GraphSession session) {
        List<Batch> batches = new ArrayList<>();
        for (Optional<EngineBatch> next = session.next(); next.isPresent(); next = session.next()) {
            batches.add(read(next.get()));
        }
        return batches;
    }

    static Batch read(EngineBatch taken) {
        try (taken) {
            List<Long> tickets = new ArrayList<>();
            for (long ticket : taken.tickets()) {
                tickets.add(ticket);
            }
            return new Batch(
                    tickets, taken.tensors().stream().map(Running::values).toList());
        }
    }

    private static Values values(EngineTensor tensor) {
        int count = Math.toIntExact(tensor.shape().stream().reduce(1L, (a, b) -> a * b));
        List<String> flat = new ArrayList<>();
        ByteBuf body = tensor.body();
        for (int i = 0; i < count; i++) {
            if (tensor.dtype() == DataType.DT_STRING_VALUE) {
                long from = body.getLongLE(i * 8);
                long until = body.getLongLE((i + 1) * 8);
                flat.add(ByteBufUtil.hexDump(body, (int) ((count + 1L) * 8 + from), (int) (until - from)));
            } else {
                int size = body.readableBytes() / count;
                flat.add(ByteBufUtil.hexDump(body, i * size, size));
            }
        }
        return new Values(tensor.dtype(), tensor.shape(), flat);
    }

    /** The splits a planner would make of a pipeline's own file names, in their order. */
    static List<FeedSplit> splits(PipelineAnalysis analysis) {
        List<FeedSplit> splits = new ArrayList<>();
        for (int source = 0; source < analysis.sources().size(); source++) {
            int number = source;
            PipelineSource each = analysis.sources().get(source);
            List<String> files = each.select(each.fileNames());
            each.kind().match(new SourceKind.Cases<Void>() {
                @Override
                public Void tfRecord(SourceKind.TfRecord kind) {
                    files.forEach(file -> splits.add(FeedSplit.file(splits.size(), number, file)));
                    return null;
                }

                @Override
                public Void textLines(SourceKind.TextLines kind) {
                    files.forEach(file -> splits.add(FeedSplit.file(splits.size(), number, file)));
                    return null;
                }

                @Override
                public Void fixedLength(SourceKind.FixedLength kind) {
                    files.forEach(file -> splits.add(FeedSplit.file(splits.size(), number, file)));
                    return null;
                }

                @Override
                public Void fileNames(SourceKind.FileNames kind) {
                    for (int i = 0; i < files.size(); i += 5) {
                        splits.add(FeedSplit.names(
                                splits.size(), number, files.subList(i, Math.min(i + 5, files.size()))));
                    }
                    return null;
                }

                @Override
                public Void integers(SourceKind.Integers range) {
                    for (long from = range.from(); from < range.until(); from += 20 * range.step()) {
                        long until = Math.min(from + 20 * range.step(), range.until());
                        splits.add(FeedSplit.integers(splits.size(), number, from, until, range.step()));
                    }
                    return null;
                }

                @Override
                public Void indexes(SourceKind.Indexes constant) {
                    for (long from = 0; from < constant.count(); from += 25) {
                        splits.add(
                                FeedSplit.indexes(splits.size(), number, from, Math.min(from + 25, constant.count())));
                    }
                    return null;
                }

                @Override
                public Void whole(SourceKind.Whole graph) {
                    splits.add(new FeedSplit(
                            splits.size(),
                            number,
                            List.of(),
                            0,
                            0,
                            1,
                            OptionalLong.empty(),
                            OptionalLong.empty(),
                            new RoaringBitmap()));
                    return null;
                }
            });
        }
        return splits;
    }
}
