package io.praline.worker.planning;

import com.google.protobuf.ByteString;
import io.praline.schema.CachePoint;
import io.praline.schema.Component;
import io.praline.schema.FailureKind;
import io.praline.schema.GraphContent;
import io.praline.schema.Guarantee;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.Split;
import io.praline.topics.Agreements;
import io.praline.topics.BoundedText;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpCatalogue;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RefusedPipeline;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.graph.caching.CachePoints;
import io.praline.worker.graph.source.PipelineSource;
import io.praline.worker.graph.source.SourceKind;
import io.praline.worker.graph.source.opening.ReadStaged;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.StoreFailed;
import io.praline.worker.storage.StoredFile;
import io.praline.worker.storage.glob.FileGlob;
import io.praline.worker.storage.patience.Asking;
import io.praline.worker.storage.stage.ObjectIndexes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Makes a plan: what the pipeline is, and the splits of what it reads, page by page. Every failure that the user can do
 * something about becomes the plan's answer.
 */
public final class Planner {
    private final Identity identity;
    private final OpCatalogue ops;
    private final Path base;
    private final FileStores stores;
    private final ObjectIndexes indexes;

    /** Who plans: goes into every message. */
    public record Identity(String pool, String worker, String incarnation) {}

    /** Where a plan goes, in the order it is made. */
    public interface Output {
        /** The pipeline as it was understood: once all is planned, and before that is told. */
        void pipeline(PipelineEntry entry, PipelineGraph graph);

        void message(PlanMessage message);
    }

    /**
     * Plans.
     *
     * @param base against which relative paths are read
     * @param stores where names lead that are no paths
     * @param indexes where objects of theirs may be cut
     */
    public Planner(Identity identity, OpCatalogue ops, Path base, FileStores stores, ObjectIndexes indexes) {
        this.identity = identity;
        this.ops = ops;
        this.base = base;
        this.stores = stores;
        this.indexes = indexes;
    }

    /** Makes the plan that was ordered; how it ended is the last message. */
    public void plan(PlanSplits order, Output output) {
        Object ending;
        try {
            ending = made(order, output);
        } catch (RefusedPipeline | UnseenPath | IllegalArgumentException e) {
            ending = new PlanFailed(FailureKind.REFUSED, oneLine(e.getMessage()));
        } catch (StoreFailed e) {
            ending = new PlanFailed(
                    e.kind().passing() ? FailureKind.UNREACHABLE : FailureKind.REFUSED,
                    "worker " + identity.worker() + " cannot plan: " + oneLine(e.getMessage()));
        } catch (UncheckedIOException e) {
            ending = new PlanFailed(
                    FailureKind.FAILED,
                    "worker " + identity.worker() + " cannot plan: "
                            + oneLine(e.getCause().toString()));
        }
        output.message(message(order, ending));
    }

    /** The answer to an order that could not even be refused in order. */
    public PlanMessage broken(PlanSplits order, Throwable why) {
        return message(
                order,
                new PlanFailed(
                        FailureKind.FAILED,
                        "planning broke on worker " + identity.worker() + ": " + oneLine(why.toString())));
    }

    /** The answer to an order of which a file system keeps the plan. */
    public PlanMessage unanswered(PlanSplits order, String file, Duration time) {
        return message(
                order,
                new PlanFailed(
                        FailureKind.UNREACHABLE,
                        "worker " + identity.worker() + " cannot plan: " + oneLine(file) + " has not answered for "
                                + time.toSeconds() + " s; see to the file system that it lies on, there"));
    }

    private PlanCompleted made(PlanSplits order, Output output) {
        ByteString submitted = graphBytes(order);
        PipelineGraph graph = PipelineGraph.parse(submitted, ops);
        PipelineAnalysis analysis = PipelineAnalysis.of(graph);
        if (order.getStrict() && order.getGuarantee() == Guarantee.EXACTLY_ONCE && !analysis.exactlyOnce()) {
            throw new RefusedPipeline("the pipeline cannot be visited exactly once: "
                    + String.join("; ", analysis.reasons()) + "; ask for at least once, or change it");
        }
        for (PipelineGraph.Folder folder : graph.folders()) {
            String path = FileGlob.absolute(
                    folder.name(), folder.directory().map(Path::of).orElse(base));
            if (!AskedFiles.asking(path, () -> Files.isDirectory(Path.of(path)))) {
                throw new UnseenPath("worker " + identity.worker() + " sees no saved dataset at " + path
                        + "; save it there, or mount it");
            }
        }
        List<Component> components = PlannedComponents.of(analysis.components(), order.getComponentNames());
        SplitPages pages = new SplitPages(page -> output.message(message(order, page)));
        SplitPlanner splits = new SplitPlanner(
                identity.worker(),
                SplitPlanner.RANGE_BYTES,
                indexes,
                split -> pages.add(analysis.sources().get(split.getSource()).numbered() ? uncounted(split) : split));
        // what is opened besides the split's records would find a part of the object only
        cut(order, analysis, ReadStaged.openings(graph) == 1, leavesMissingOut(graph), splits);
        pages.flush();
        CachePoints cached = CachePoints.of(graph, analysis, order.getSeed());
        PlanCompleted completed = new PlanCompleted(
                pages.splits(),
                splits.bytes(),
                graph.digest(),
                guarantee(analysis),
                analysis.guaranteeReasons(),
                analysis.singleTask(),
                components,
                notes(order, analysis, pages.splits(), splits),
                (int) Math.min(Integer.MAX_VALUE, Math.max(1, analysis.epochs())),
                analysis.renewable(),
                points(cached),
                BoundedText.reason(cached.blocked()));
        // last of all: who is told of no plan knows of no graph that must go with the job
        publish(order, submitted, graph, output);
        return completed;
    }

    /** Cache points as they are told. */
    public static List<CachePoint> points(CachePoints cached) {
        return cached.points().stream()
                .map(point -> new CachePoint(point.number(), point.step(), point.prefix()))
                .toList();
    }

    private List<String> notes(PlanSplits order, PipelineAnalysis analysis, long planned, SplitPlanner splits) {
        List<String> notes = new ArrayList<>(analysis.notes());
        nothing(order, analysis, planned, splits.bytes()).ifPresent(notes::add);
        order.getDataGlobs().stream()
                .filter(glob -> Collections.frequency(order.getDataGlobs(), glob) > 1)
                .findFirst()
                .ifPresent(glob -> notes.add("the data names " + glob
                        + " more than once, and is read once an epoch all the same: a list of files in the pipeline is"
                        + " read as often as it names each"));
        if (!splits.missing().isEmpty()) {
            notes.add("worker " + identity.worker() + " sees no file "
                    + splits.missing().get(0)
                    + (splits.missing().size() == 1
                            ? ": what is made of it"
                            : ", nor " + (splits.missing().size() - 1)
                                    + " more of those that the pipeline names: what is made of them")
                    + " is left out, since the pipeline ignores errors");
        }
        if (splits.uncertain() > 0) {
            notes.add("the store tells the contents of " + splits.uncertain()
                    + (splits.uncertain() == 1 ? " file" : " files")
                    + " apart by length and time of change alone: that one was changed may go unnoticed");
        }
        return notes;
    }

    /** A training job that ends at once, and well, is what hardly anybody asked for: it is said why. */
    private Optional<String> nothing(PlanSplits order, PipelineAnalysis analysis, long planned, long bytes) {
        if (planned == 0) {
            return Optional.of("there is nothing to read: " + source(analysis)
                    + (analysis.sources().stream().anyMatch(PipelineSource::readsFiles)
                            ? ", and the pipeline takes none of them"
                            : ", and there is none"));
        }
        boolean onlyFiles = analysis.sources().stream()
                .allMatch(source ->
                        source.readsFiles() && RecordFormat.of(source.kind()).isPresent());
        if (!onlyFiles || bytes > 0) {
            return Optional.empty();
        }
        List<String> asked =
                order.getDataGlobs().isEmpty() ? analysis.sources().get(0).fileNames() : order.getDataGlobs();
        return Optional.of("there is nothing to read: worker " + identity.worker() + " sees "
                + (planned == 1 ? "one file, and it has" : planned + " files, and each has")
                + " a length of zero: " + asked.get(0) + "; check what wrote it");
    }

    /** What comes out of it is counted when it has been read. */
    private static Split uncounted(Split split) {
        return Split.newBuilder(split).setRecords(null).build();
    }

    private ByteString graphBytes(PlanSplits order) {
        Optional<String> address = order.getGraphAddress();
        if (address.isEmpty()) {
            return ByteString.copyFrom(order.getGraph().duplicate());
        }
        Path file = Path.of(FileGlob.absolute(address.get(), base));
        Asking.about(file.toString());
        try {
            return GraphFile.read(file);
        } catch (IOException e) {
            throw new UnseenPath("worker " + identity.worker() + " cannot read the pipeline's graph at " + file + " ("
                    + e.getMessage() + "); put it where workers can read it");
        } finally {
            Asking.nothing();
        }
    }

    /** The graph goes out as it was submitted: its canonical form is for its digest, and does not run. */
    private void publish(PlanSplits order, ByteString submitted, PipelineGraph graph, Output output) {
        boolean byAddress = submitted.size() > Agreements.INLINE_GRAPH_BYTES
                && order.getGraphAddress().isPresent();
        GraphContent content = byAddress
                ? new GraphContent(
                        ByteBuffer.allocate(0), order.getGraphAddress().orElseThrow())
                : new GraphContent(submitted.asReadOnlyByteBuffer(), null);
        output.pipeline(new PipelineEntry(graph.digest(), content), graph);
    }

    /**
     * Whether one process leaves out what is made of a name of which no file is there. It does where an op reads the file: a dataset of
     * its records stays at a file that it cannot open, and asks for it for ever.
     */
    private static boolean leavesMissingOut(PipelineGraph graph) {
        return graph.work().anyMatch(DatasetOps::ignoresErrors)
                && graph.work()
                        .noneMatch(node -> OpTraits.of(node).grain() == OpTraits.Grain.SOURCE
                                && OpTraits.of(node).inputs().containsKey(OpTraits.Input.FILES));
    }

    private void cut(
            PlanSplits order, PipelineAnalysis analysis, boolean objects, boolean leftOut, SplitPlanner splits) {
        List<PipelineSource> sources = analysis.sources();
        List<String> globs = order.getDataGlobs();
        long reading = sources.stream().filter(PipelineSource::readsFiles).count();
        if (!globs.isEmpty() && reading == 0 && analysis.singleTask()) {
            throw new IllegalArgumentException(
                    "the data " + globs.get(0) + " cannot be given to a pipeline that one task"
                            + " runs as it stands: " + analysis.whole().orElseThrow()
                            + "; leave it out, and name the files in the pipeline");
        }
        if (!globs.isEmpty() && reading != 1) {
            throw new IllegalArgumentException("the data " + globs.get(0) + " cannot be given to a pipeline that "
                    + (reading == 0
                            ? "has no list of files to put it in place of (" + source(analysis) + ")"
                            : "reads files in " + reading + " places, which its graph names")
                    + "; leave it out");
        }
        for (int i = 0; i < sources.size(); i++) {
            cut(i, sources.get(i), globs, objects, leftOut, splits);
        }
    }

    private void cut(
            int number,
            PipelineSource source,
            List<String> globs,
            boolean objects,
            boolean leftOut,
            SplitPlanner splits) {
        Optional<RecordFormat> format = RecordFormat.of(source.kind());
        if (source.readsFiles()) {
            Iterator<StoredFile> files = selected(source, globs.isEmpty() ? named(source) : found(globs));
            if (format.isPresent()) {
                splits.files(number, files, format.get(), source.rangeable(), objects);
            } else {
                splits.names(number, files, leftOut);
            }
        } else if (source.kind() instanceof SourceKind.Integers range) {
            splits.integers(number, range.from(), range.until(), range.step(), source.opened());
        } else if (source.kind() instanceof SourceKind.Indexes constant) {
            splits.indexes(number, constant.count(), source.opened());
        } else {
            splits.whole();
        }
    }

    /** What the pipeline takes of its list of files; read as it goes where it takes all. */
    private static Iterator<StoredFile> selected(PipelineSource source, Iterator<StoredFile> files) {
        if (source.steps().isEmpty()) {
            return files;
        }
        Map<String, StoredFile> byName = new LinkedHashMap<>();
        List<String> names = new ArrayList<>();
        files.forEachRemaining(file -> {
            byName.put(file.name(), file);
            names.add(file.name());
        });
        return source.select(names).stream().map(byName::get).iterator();
    }

    private Iterator<StoredFile> named(PipelineSource source) {
        Path within = source.directory().map(Path::of).orElse(base);
        Map<String, String> paths = source.paths();
        // where the name is what the pipeline is given, and no folder is said, it is as it was written, if that leads
        // there
        boolean asWritten = source.kind() instanceof SourceKind.FileNames
                && source.directory().isEmpty()
                && base.toAbsolutePath().equals(Path.of("").toAbsolutePath());
        return source.fileNames().stream()
                .map(name -> {
                    boolean itself = name.startsWith("/") || (asWritten && !FileStores.isRemote(name));
                    Optional<String> path = itself ? Optional.of(name) : Optional.ofNullable(paths.get(name));
                    return path.map(StoredFile::local).orElseGet(() -> stores.look(name, within));
                })
                .iterator();
    }

    private Iterator<StoredFile> found(List<String> globs) {
        List<Iterator<StoredFile>> found = new ArrayList<>();
        for (String glob : globs) {
            if (glob.isBlank()) {
                throw new IllegalArgumentException(
                        "a pattern of the data's files is empty; name them, such as /data/train-*.tfrecord");
            }
            String pattern = FileStores.absolute(glob, base);
            Iterator<StoredFile> files =
                    new AskedFiles(AskedFiles.asking(pattern, () -> stores.find(List.of(glob), base)), pattern);
            found.add(files);
            if (!files.hasNext() && !unreadableReason(glob)) {
                throw new UnseenPath("worker " + identity.worker() + " sees no file that matches "
                        + pattern + "; check that the path is right"
                        + (FileStores.isRemote(glob) ? "" : " and mounted there"));
            }
        }
        return FileStores.merged(found);
    }

    /** A plain path that is no file is told by what is there; never returns then. */
    private boolean unreadableReason(String glob) {
        if (!FileStores.isRemote(glob)
                && FileGlob.isPlain(glob)
                && Files.isDirectory(Path.of(FileGlob.absolute(glob, base)))) {
            throw new UnseenPath("worker " + identity.worker() + " sees a directory at " + FileGlob.absolute(glob, base)
                    + "; name the files in it, such as " + glob + "/*");
        }
        return false;
    }

    private static String source(PipelineAnalysis analysis) {
        return analysis.sources().stream().map(PipelineSource::words).collect(Collectors.joining("; "));
    }

    private static Guarantee guarantee(PipelineAnalysis analysis) {
        return analysis.exactlyOnce() ? Guarantee.EXACTLY_ONCE : Guarantee.AT_LEAST_ONCE;
    }

    private PlanMessage message(PlanSplits order, Object body) {
        return new PlanMessage(
                identity.pool(), order.getJob(), order.getPlan(), identity.worker(), identity.incarnation(), body);
    }

    private static String oneLine(String text) {
        return BoundedText.reason(text.strip().replaceAll("\\s*\\R\\s*", "; "));
    }
}
