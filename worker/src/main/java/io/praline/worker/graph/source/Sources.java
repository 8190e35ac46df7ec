package io.praline.worker.graph.source;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.RelativeNames;
import io.praline.worker.graph.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;

/**
 * Where a pipeline's elements come from, found by a walk from its root. The first node that can be fed by splits ends the
 * walk; what nothing here understands is one split as a whole.
 */
public final class Sources {
    private static final String COMPUTED = " yields what only running it tells";

    private final PipelineGraph pipeline;
    private final Scope scope;
    private final DatasetKinds kinds;
    private final BatchUse batches;
    private final SharedInputs shared;
    private final List<FoundSource> found = new ArrayList<>();
    private final List<String> bypassed = new ArrayList<>();
    private final List<NodeDef> path = new ArrayList<>();
    private final Set<String> inside = new HashSet<>();
    private final Set<String> visited = new HashSet<>();
    private final Deque<NodeDef> above = new ArrayDeque<>();
    private Optional<FoundSource> wholeFrom = Optional.empty();
    private long epochs = 1;

    private Sources(PipelineGraph pipeline) {
        this.pipeline = pipeline;
        this.scope = pipeline.scope();
        this.kinds = new DatasetKinds(pipeline, scope);
        this.batches = new BatchUse(pipeline);
        this.shared = new SharedInputs(pipeline, scope, kinds);
    }

    public static Sources of(PipelineGraph pipeline) {
        Sources sources = new Sources(pipeline);
        sources.walk(pipeline.root(), false);
        Optional<String> higher =
                sources.found.size() == 1 && sources.found.get(0).how() == FoundSource.How.WHOLE
                        ? WholePart.higher(sources.scope, sources.found.get(0).node(), sources.path)
                        : Optional.empty();
        if (higher.isEmpty()) {
            return sources;
        }
        Sources again = new Sources(pipeline);
        again.wholeFrom =
                higher.map(node -> FoundSource.whole(node, sources.found.get(0).why()));
        again.walk(pipeline.root(), false);
        return again;
    }

    public List<FoundSource> found() {
        return found;
    }

    /** Dataset nodes that are left out, since something else does their work. */
    public List<String> bypassed() {
        return bypassed;
    }

    /** The dataset nodes that elements pass, from the sources on. */
    public List<NodeDef> path() {
        return path;
    }

    /** Names of those nodes of the path that lie below what is taken as a whole: tickets are made behind them. */
    public Set<String> inside() {
        return inside;
    }

    /** Whether several tasks have chance choose among rows of batches of other elements than one process. */
    public boolean mixesByChance(NodeDef node) {
        return found.stream().noneMatch(source -> source.how() == FoundSource.How.WHOLE) && batches.mixesByChance(node);
    }

    /** Whether several tasks may make a row of a batch or a group of others, which chance has brought into it. */
    public boolean mixesShuffled(NodeDef node) {
        return found.stream().noneMatch(source -> source.how() == FoundSource.How.WHOLE) && batches.mixesShuffled(node);
    }

    /** Whether several tasks lay out rows of other batches than one process in rows of a grid. */
    public boolean laysInAGrid(NodeDef node) {
        return found.stream().noneMatch(source -> source.how() == FoundSource.How.WHOLE) && batches.laysInAGrid(node);
    }

    /** How often the whole pipeline is to run; -1 for ever. */
    public long epochs() {
        return epochs;
    }

    /** Repetitions of repetitions; -1 for ever. */
    static long times(long epochs, long count) {
        return epochs < 0 || count < 0 ? -1 : epochs * count;
    }

    /** Whether a branch of several may repeat on its own is what {@code branch} says: then repeats are no epochs. */
    private void walk(String ref, boolean branch) {
        NodeDef node = scope.node(Scope.nodeOf(ref));
        OpTraits traits = OpTraits.of(node);
        visited.add(node.getName());
        if (node.getOp().equals("Identity")) {
            walk(node.getInput(0), branch);
            return;
        }
        if (wholeFrom.filter(found -> found.node().equals(node.getName())).isPresent()) {
            below(node);
            found.add(wholeFrom.get());
            return;
        }
        if (shared.readTwice(node)) {
            whole(node, node.getOp() + " reads a dataset twice");
            return;
        }
        if (traits.isReader()) {
            readerOnTop(node);
            return;
        }
        if (names(ref, node)) {
            path.add(node);
            return;
        }
        Optional<String> hangs = batches.hangsOnOthers(node).or(() -> shared.hangsOnReadings(node));
        if (hangs.isPresent()) {
            whole(node, node.getOp() + hangs.get());
            return;
        }
        switch (traits.family()) {
            case INTERLEAVE -> interleave(node, branch);
            case SLICES -> slices(node);
            case RANGE -> range(node);
            case ZIP -> zip(node, branch);
            case CONCATENATE -> several(node, node.getInputList());
            case CHOOSE -> choose(node);
            case REPEAT -> repeat(node, branch);
            case CACHE, SNAPSHOT, ASSERT -> bypass(node, branch);
            default -> {
                Optional<String> across = batches.looksAcross(node);
                if (kinds.takesEverything(node)) {
                    bypass(node, branch);
                } else if (traits.position()) {
                    whole(node, node.getOp() + " looks at an element's place among all");
                } else if (across.isPresent()) {
                    whole(node, node.getOp() + across.get());
                } else if (node.getInputCount() == 0 || !kinds.isDataset(node.getInput(0))) {
                    whole(node, node.getOp() + " is no source that can be cut");
                } else if (traits.family() == OpTraits.Family.SHUFFLE) {
                    shuffle(node, branch);
                } else {
                    pass(node, node.getInput(0), branch);
                }
            }
        }
    }

    private void repeat(NodeDef node, boolean branch) {
        Optional<Long> count = Constants.integer(scope, node.getInput(1));
        // of what is repeated never nothing comes; one element is no epoch, it is repeated to make many; what is
        // remembered is so beyond an epoch, and a task's epochs begin anew
        if (branch
                || count.filter(times -> times != 0).isEmpty()
                || kinds.isOne(node.getInput(0))
                || batches.rememberedBelow(node.getInput(0), kinds)) {
            whole(node, node.getOp() + " repeats a part of it, or without a number that is known");
            return;
        }
        epochs = times(epochs, count.get());
        bypass(node, branch);
    }

    private void bypass(NodeDef node, boolean branch) {
        bypassed.add(node.getName());
        pass(node, node.getInput(0), branch);
    }

    /** Of single elements that files are opened by the order is that of their splits, as it is of a list of files. */
    private void shuffle(NodeDef node, boolean branch) {
        int sources = found.size();
        int steps = path.size();
        pass(node, node.getInput(0), branch);
        boolean single = found.get(sources).isList()
                && path.subList(steps, path.size()).stream().allMatch(Children::areOfOne);
        if (single && Children.areRecords(above, scope, pipeline.functions()).isPresent()) {
            bypassed.add(node.getName());
            found.set(sources, found.get(sources).asShuffled());
        }
    }

    private void pass(NodeDef node, String input, boolean branch) {
        above.push(node);
        walk(input, branch);
        above.pop();
        path.add(node);
    }

    private void readerOnTop(NodeDef node) {
        Optional<Reader> reader = Reader.of(node, scope);
        Optional<TensorProto> names = Constants.value(scope, node.getInput(0));
        if (reader.isEmpty() || names.isEmpty()) {
            whole(
                    node,
                    node.getOp()
                            + (names.isEmpty()
                                    ? " reads files that only running it names"
                                    : " reads an unknown kind of file"));
            return;
        }
        add(
                node,
                FoundSource.How.READER,
                new PipelineSource(
                        reader.get().kind(),
                        Constants.strings(names.get()),
                        List.of(),
                        false,
                        reader.get().rangeable(),
                        RelativeNames.directory(node)));
    }

    /** A list of names of files that are opened later, or that are declared to be such: elements are made of the names. */
    private boolean names(String ref, NodeDef node) {
        Optional<FileList> list = FileList.at(ref, scope)
                .filter(each -> each.declared() || new ComponentUse(pipeline).opensFiles(Set.of(0), node, above));
        list.ifPresent(names -> {
            epochs = times(epochs, names.epochs());
            found.add(new FoundSource(
                    node.getName(),
                    new PipelineSource(
                            new SourceKind.FileNames(),
                            names.names(),
                            names.steps(),
                            names.shuffled(),
                            false,
                            names.directory()),
                    FoundSource.How.NAMES));
        });
        return list.isPresent();
    }

    private void interleave(NodeDef node, boolean branch) {
        if (kinds.opensEndless(node)) {
            whole(node, node.getOp() + " opens datasets without an end");
            return;
        }
        Optional<FileList> files = FileList.at(node.getInput(0), scope);
        FunctionDef function =
                pipeline.functions().get(node.getAttrOrThrow("f").getFunc().getName());
        Optional<Reader> reader =
                files.isEmpty() || function == null ? Optional.empty() : Reader.in(function, pipeline.functions());
        if (reader.isEmpty() || (branch && files.get().epochs() != 1)) {
            pass(node, node.getInput(0), branch);
            return;
        }
        epochs = times(epochs, files.get().epochs());
        PipelineSource source = new PipelineSource(
                reader.get().kind(),
                files.get().names(),
                files.get().steps(),
                files.get().shuffled(),
                reader.get().rangeable() && above.stream().noneMatch(DatasetOps::ignoresErrors),
                files.get().directory());
        add(
                node,
                new FoundSource(
                        node.getName(),
                        source,
                        FoundSource.How.FUNCTION,
                        !reader.get().recordByRecord(),
                        Reads.of(node, scope, above),
                        ""));
    }

    private void slices(NodeDef node) {
        long count = kinds.rows(node);
        if (count < 0) {
            whole(node, node.getOp() + COMPUTED);
            return;
        }
        list(node, FoundSource.How.SLICES, new SourceKind.Indexes(count));
    }

    private void range(NodeDef node) {
        Optional<Long> from = Constants.integer(scope, node.getInput(0));
        Optional<Long> until = Constants.integer(scope, node.getInput(1));
        Optional<Long> step = Constants.integer(scope, node.getInput(2));
        boolean counts = DatasetKinds.isCounter(node) || kinds.endless(node.getName());
        if (counts || from.isEmpty() || until.isEmpty() || step.isEmpty() || step.get() == 0) {
            whole(node, node.getOp() + (counts ? " counts without an end" : COMPUTED));
            return;
        }
        list(node, FoundSource.How.RANGE, new SourceKind.Integers(from.get(), until.get(), step.get()));
    }

    private void list(NodeDef node, FoundSource.How how, SourceKind kind) {
        FoundSource source = new FoundSource(node.getName(), PipelineSource.of(kind), how);
        Optional<NodeDef> opens = Children.areRecords(above, scope, pipeline.functions());
        add(node, opens.map(by -> source.asOpened(Reads.of(by, scope, above))).orElse(source));
    }

    /**
     * Follows the one input that holds data. Beside it may stand what has no end, if nothing reads it, since each task would
     * begin it anew, or if it is the same everywhere or chance.
     */
    private void zip(NodeDef node, boolean branch) {
        List<String> inputs = Scope.given(node).toList();
        List<Integer> weights = inputs.stream().map(kinds::weight).toList();
        int heaviest = weights.stream().mapToInt(Integer::intValue).max().orElse(0);
        boolean alone = weights.stream()
                        .filter(weight -> weight == heaviest || weight > 1)
                        .count()
                == 1;
        int data = weights.indexOf(heaviest);
        if (heaviest == 0 || !alone || kinds.placesAreRead(node, inputs, data, new ComponentUse(pipeline), above)) {
            whole(node, node.getOp() + " pairs elements by their places");
            return;
        }
        pass(node, inputs.get(data), branch);
    }

    private void choose(NodeDef node) {
        if (kinds.takesAll(node)) {
            several(node, node.getInputList().subList(1, node.getInputCount()));
        } else {
            whole(node, node.getOp() + " takes elements by what came before");
        }
    }

    private void several(NodeDef node, List<String> inputs) {
        Sources trial = new Sources(pipeline);
        Optional<String> why = Optional.empty();
        for (String input : inputs) {
            Sources branch = new Sources(pipeline);
            branch.above.addAll(above);
            branch.above.push(node);
            branch.walk(input, true);
            why = why.or(() -> branch.found.stream()
                            .map(FoundSource::why)
                            .filter(since -> !since.isEmpty())
                            .findFirst())
                    .or(() -> branch.epochs == 1
                            ? Optional.empty()
                            : Optional.of("a dataset that " + node.getOp() + " joins repeats by itself"));
            trial.visited.addAll(branch.visited);
            trial.found.addAll(branch.found);
            trial.bypassed.addAll(branch.bypassed);
            trial.path.addAll(branch.path);
            trial.inside.addAll(branch.inside);
        }
        inside.addAll(trial.inside);
        if (why.isPresent()) {
            whole(node, why.get());
            return;
        }
        visited.addAll(trial.visited);
        found.addAll(trial.found);
        bypassed.addAll(trial.bypassed);
        path.addAll(trial.path);
        path.add(node);
    }

    private void whole(NodeDef node, String why) {
        below(node);
        found.add(FoundSource.whole(node.getName(), why));
    }

    /** The nodes below one that is taken as it stands are on the path too, for the description. */
    private void below(NodeDef node) {
        kinds.datasetInputs(node).forEach(input -> {
            NodeDef inner = scope.node(Scope.nodeOf(input));
            if (visited.add(inner.getName()) && inside.add(inner.getName())) {
                below(inner);
            }
        });
        path.add(node);
    }

    private void add(NodeDef node, FoundSource.How how, PipelineSource source) {
        add(node, new FoundSource(node.getName(), source, how));
    }

    private void add(NodeDef node, FoundSource source) {
        found.add(source);
        path.add(node);
    }
}
