package io.praline.worker.graph.analysis;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.source.FileStep;
import io.praline.worker.graph.source.FoundSource;
import io.praline.worker.graph.source.Sources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** What a pipeline does to its elements, in words: each transformation with a name that no other one has. */
public final class Transformations {
    private static final String BY_CHANCE =
            "its function makes rows of others of their batch, which chance chooses: batches"
                    + " hold other elements than in one process";

    private static final String IN_A_GRID =
            "its function lays the rows of a batch out in a grid: which of them stand in one row of it follows from which share"
                    + " a batch, which are others than in one process";

    private static final String NOT_READ_BACK =
            "what its reader_func leaves out, repeats or changes, where it is read again, comes as it was written";

    private final Map<String, Transformation> byNode = new LinkedHashMap<>();

    private Transformations() {}

    public static Transformations of(PipelineGraph pipeline) {
        Sources sources = Sources.of(pipeline);
        Map<String, FoundSource> read =
                sources.found().stream().collect(Collectors.toMap(FoundSource::node, found -> found));
        Transformations all = new Transformations();
        Set<String> taken = new HashSet<>();
        int place = 0;
        for (NodeDef node : sources.path()) {
            FoundSource source = read.get(node.getName());
            String fallback = (source == null ? DatasetOps.word(node.getOp()) : "read") + "_" + place++;
            String name = DatasetOps.userName(node).orElse(fallback);
            if (!taken.add(name)) {
                name = fallback;
                taken.add(name);
            }
            all.byNode.put(
                    node.getName(),
                    new Transformation(
                            name,
                            node.getOp(),
                            functionOps(node, pipeline.functions()),
                            DatasetOps.components(node),
                            Stream.of(
                                            source != null
                                                    ? note(source)
                                                    : sources.inside().contains(node.getName())
                                                                    || isLeftToSplits(node, sources)
                                                            ? ""
                                                            : OpTraits.of(node).perTask(),
                                            sources.mixesByChance(node) ? BY_CHANCE : "",
                                            sources.laysInAGrid(node) ? IN_A_GRID : "",
                                            changesWhatItReads(node, pipeline.functions()) ? NOT_READ_BACK : "",
                                            unkeyed(node, pipeline.functions()))
                                    .filter(said -> !said.isEmpty())
                                    .collect(Collectors.joining("; "))));
        }
        return all;
    }

    /** Whether a shuffle's work is done by the order of splits. */
    private static boolean isLeftToSplits(NodeDef node, Sources sources) {
        return OpTraits.of(node).family() == OpTraits.Family.SHUFFLE
                && sources.bypassed().contains(node.getName());
    }

    /** Whether a snapshot's reader does more than read all that was written, in some order. */
    private static boolean changesWhatItReads(NodeDef node, Map<String, FunctionDef> functions) {
        return OpTraits.of(node).family() == OpTraits.Family.SNAPSHOT
                && node.containsAttr("reader_func")
                && PipelineGraph.reachedFunctions(
                                List.of(NodeDef.newBuilder()
                                        .putAttr("f", node.getAttrOrThrow("reader_func"))
                                        .build()),
                                functions)
                        .stream()
                        .flatMap(name -> functions.get(name).getNodeDefList().stream())
                        .filter(DatasetOps::isDataset)
                        .anyMatch(step -> switch (OpTraits.of(step).family()) {
                            case INTERLEAVE, SHUFFLE, TRANSPARENT -> false;
                            default -> true;
                        });
    }

    /** What is drawn in its functions and cannot be drawn from a key. */
    private static String unkeyed(NodeDef node, Map<String, FunctionDef> functions) {
        String ops = PipelineGraph.reachedFunctions(List.of(node), functions).stream()
                .flatMap(name -> functions.get(name).getNodeDefList().stream())
                .filter(inner -> OpTraits.of(inner).draws() == OpTraits.Draws.UNKEYABLE)
                .map(NodeDef::getOp)
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        return ops.isEmpty()
                ? ""
                : "draws by " + ops + ", which cannot be keyed: an element that is read again draws other numbers";
    }

    List<Transformation> list() {
        return List.copyOf(byNode.values());
    }

    /** Names by the dataset nodes' own. */
    public Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        byNode.forEach((node, transformation) -> names.put(node, transformation.name()));
        return names;
    }

    /** What a distributed run does not keep, a line each. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (Transformation transformation : byNode.values()) {
            if (!transformation.note().isEmpty()) {
                notes.add(transformation.name() + ": " + transformation.note());
            }
        }
        return notes;
    }

    private static List<String> functionOps(NodeDef node, Map<String, FunctionDef> functions) {
        Set<String> ops = new TreeSet<>();
        for (String name : PipelineGraph.reachedFunctions(List.of(node), functions)) {
            functions.get(name).getNodeDefList().stream()
                    .map(NodeDef::getOp)
                    .filter(op -> !functions.containsKey(op))
                    .forEach(ops::add);
        }
        return List.copyOf(ops);
    }

    private static String note(FoundSource source) {
        if (source.how() == FoundSource.How.WHOLE) {
            return "a single task runs it, since " + source.why();
        }
        boolean chosen = source.source().steps().stream().anyMatch(FileStep.Shuffle.class::isInstance);
        boolean seeded = source.source().steps().stream()
                .anyMatch(step -> step instanceof FileStep.SeededShuffle shuffle && shuffle.reshuffles());
        String order = source.source().shuffled() ? "the order of files follows from the job's seed instead" : "";
        if (chosen) {
            order += "; which of them are taken or skipped is the same in every epoch and every job, by their names";
        }
        if (seeded) {
            order += "; which of them are taken or skipped is the same in every epoch, as in the first";
        }
        if (source.how() != FoundSource.How.FUNCTION && source.how() != FoundSource.How.SLICES) {
            return order;
        }
        String whole = source.how() == FoundSource.How.SLICES
                ? "each task holds the constant, and reads ranges of it"
                : "each task reads its files one after another";
        return order.isEmpty() ? whole : whole + "; " + order;
    }
}
