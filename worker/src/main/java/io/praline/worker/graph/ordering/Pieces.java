package io.praline.worker.graph.ordering;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.ordering.Cuts.Segment;
import io.praline.worker.graph.ordering.function.Body;
import io.praline.worker.graph.ordering.function.Effects;
import io.praline.worker.graph.ordering.step.OpKinds;
import io.praline.worker.graph.ordering.step.StepWords;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * A map's function in as many pieces as there are steps in it. What TensorFlow's own functions write down as several ops stays
 * together: the dimension that a picture is given for a resize and loses again, scaling by several constants, both ends of a
 * clip.
 */
final class Pieces {
    private final Body body;
    private final Effects effects;
    private final Map<String, ElementComponent> types;
    private final int components;

    /**
     * One of them as a function by itself.
     *
     * @param captured places of what it captures among what the whole captured
     * @param word what it does
     */
    record Piece(FunctionDef function, List<Integer> captured, List<ElementComponent> yields, String word) {}

    Pieces(Body body, Effects effects, Map<String, ElementComponent> types, int components) {
        this.body = body;
        this.effects = effects;
        this.types = types;
        this.components = components;
    }

    /** In order; a single one where nothing can be cut. */
    List<Piece> all() {
        if (body.nodes().stream().anyMatch(node -> effects.isStateful(node) || effects.keepsArrays(node))) {
            return List.of();
        }
        List<Segment> steps = together(returned(Cuts.of(body, effects, types, components)));
        List<Piece> pieces = new ArrayList<>();
        if (steps.size() > 1) {
            steps.forEach(step -> pieces.add(piece(step, pieces.size() + 1)));
        }
        return pieces;
    }

    /** Segments from one that gives a picture a dimension up to the one that takes it back as one. */
    private List<Segment> returned(List<Segment> atoms) {
        List<Segment> steps = new ArrayList<>();
        for (int i = 0; i < atoms.size(); i++) {
            Segment step = atoms.get(i);
            int until = returnsAt(atoms, i);
            while (i < until) {
                step = step.with(atoms.get(++i));
            }
            steps.add(step);
        }
        return steps;
    }

    private int returnsAt(List<Segment> atoms, int from) {
        OptionalInt slot = changed(atoms.get(from));
        boolean needed = takesBatches(atoms.get(from));
        if (slot.isEmpty() || !(needed || isNeutral(atoms.get(from)))) {
            return from;
        }
        int rank = rank(atoms.get(from).in().get(slot.getAsInt()));
        if (rank < 0 || rank(atoms.get(from).out().get(slot.getAsInt())) == rank) {
            return from;
        }
        for (int i = from + 1; i < Math.min(atoms.size(), from + 9); i++) {
            if (!changed(atoms.get(i)).equals(slot)) {
                return from;
            }
            needed |= takesBatches(atoms.get(i));
            if (rank(atoms.get(i).out().get(slot.getAsInt())) == rank) {
                return needed ? i : from;
            }
        }
        return from;
    }

    private static boolean takesBatches(Segment segment) {
        return segment.nodes().stream().anyMatch(OpKinds::takesBatches);
    }

    private int rank(String ref) {
        ElementComponent type = types.get(ref);
        return type.rankKnown() ? type.shape().size() : -1;
    }

    private List<Segment> together(List<Segment> apart) {
        List<Segment> steps = new ArrayList<>();
        for (Segment next : apart) {
            Optional<Segment> last = steps.isEmpty() ? Optional.empty() : Optional.of(steps.get(steps.size() - 1));
            if (last.filter(before -> belongTogether(before, next)).isPresent()) {
                steps.set(steps.size() - 1, last.get().with(next));
            } else {
                steps.add(next);
            }
        }
        int end = steps.size() - 1;
        if (end > 0 && isCheck(steps.get(end))) {
            Segment check = steps.remove(end);
            steps.set(end - 1, steps.get(end - 1).with(check));
        }
        return steps;
    }

    /** Whether it changes nothing: it looks at what comes, for the sake of what follows. */
    private static boolean isCheck(Segment segment) {
        return segment.in().equals(segment.out());
    }

    private boolean belongTogether(Segment one, Segment next) {
        if (isCheck(one)) {
            return true;
        }
        OptionalInt slot = changed(next);
        boolean onlyChecks = next.nodes().stream().allMatch(node -> node.getOp().equals("EnsureShape"))
                || one.nodes().stream().allMatch(node -> node.getOp().equals("EnsureShape"));
        if (slot.isEmpty() || !slot.equals(changed(one))) {
            return false;
        }
        return onlyChecks
                || shapesWhatIsDecoded(one, next, slot.getAsInt())
                || (are(one, OpKinds.AFFINE) && are(next, OpKinds.AFFINE))
                || (are(one, OpKinds.CLIPS) && are(next, OpKinds.CLIPS));
    }

    /** Bytes have no size in the graph before they are given one: together they have. */
    private boolean shapesWhatIsDecoded(Segment one, Segment next, int slot) {
        return one.nodes().stream().allMatch(node -> node.getOp().equals("DecodeRaw"))
                && next.nodes().stream().allMatch(node -> node.getOp().equals("Reshape"))
                && types.get(next.out().get(slot)).isStatic();
    }

    private boolean isNeutral(Segment segment) {
        return segment.nodes().stream().allMatch(node -> OpKinds.isNeutral(node, types.get(node.getInput(0))));
    }

    /** Whether its nodes calculate by such ops from one tensor and constants. */
    private boolean are(Segment segment, Set<String> ops) {
        Set<String> made = new TreeSet<>();
        segment.in().forEach(ref -> made.add(ref));
        for (NodeDef node : segment.nodes()) {
            long read = node.getInputList().stream()
                    .filter(input -> made.contains(input) || made.contains(Scope.nodeOf(input)))
                    .count();
            if (!ops.contains(node.getOp()) || read != 1) {
                return false;
            }
            made.add(node.getName());
        }
        return true;
    }

    /** The only component that a segment changes, where it changes one. */
    private static OptionalInt changed(Segment segment) {
        if (segment.in().size() != segment.out().size()) {
            return OptionalInt.empty();
        }
        OptionalInt changed = OptionalInt.empty();
        for (int i = 0; i < segment.in().size(); i++) {
            if (!segment.in().get(i).equals(segment.out().get(i))) {
                if (changed.isPresent()) {
                    return OptionalInt.empty();
                }
                changed = OptionalInt.of(i);
            }
        }
        return changed;
    }

    private Piece piece(Segment step, int number) {
        Map<String, NodeDef> nodes = new LinkedHashMap<>();
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < step.in().size(); i++) {
            given.putIfAbsent(step.in().get(i), "praline_in_" + i);
        }
        step.out().forEach(ref -> copy(ref, given, nodes));
        step.nodes().forEach(node -> copy(node.getName(), given, nodes));
        FunctionDef.Builder function =
                FunctionDef.newBuilder().putAllAttr(body.function().getAttrMap());
        OpDef.Builder signature = function.getSignatureBuilder()
                .setName(body.function().getSignature().getName() + "_piece_" + number);
        for (int i = 0; i < step.in().size(); i++) {
            signature.addInputArg(
                    Protos.arg("praline_in_" + i, types.get(step.in().get(i)).dtype()));
        }
        List<Integer> captured = captured(nodes.values(), step.out());
        for (int place : captured) {
            signature.addInputArg(body.arguments().get(components + place));
        }
        List<ElementComponent> yields = new ArrayList<>();
        for (int i = 0; i < step.out().size(); i++) {
            String ref = step.out().get(i);
            yields.add(types.get(ref));
            signature.addOutputArg(Protos.arg("praline_out_" + i, types.get(ref).dtype()));
            function.putRet("praline_out_" + i, given.getOrDefault(ref, ref));
        }
        for (NodeDef node : nodes.values()) {
            NodeDef.Builder renamed = node.toBuilder().clearInput();
            node.getInputList().forEach(input -> renamed.addInput(given.getOrDefault(input, input)));
            function.addNodeDef(renamed);
            if (body.kept().contains(node.getName())) {
                function.putControlRet(node.getName(), node.getName());
                signature.addControlOutput(node.getName());
            }
        }
        signature.setIsStateful(effects.isDeclaredStateful(nodes.values()));
        return new Piece(function.build(), captured, yields, word(step));
    }

    /** A node with all that it reads up to what the piece is given. */
    private void copy(String ref, Map<String, String> given, Map<String, NodeDef> nodes) {
        if (given.containsKey(ref) || nodes.containsKey(Scope.nodeOf(ref))) {
            return;
        }
        body.producer(ref).ifPresent(node -> {
            node.getInputList().forEach(input -> copy(input, given, nodes));
            nodes.put(node.getName(), node);
        });
    }

    private List<Integer> captured(Iterable<NodeDef> nodes, List<String> out) {
        Set<String> read = new TreeSet<>(out);
        nodes.forEach(node -> read.addAll(node.getInputList()));
        List<Integer> captured = new ArrayList<>();
        for (int i = components; i < body.arguments().size(); i++) {
            if (read.contains(body.arguments().get(i).getName())) {
                captured.add(i - components);
            }
        }
        return captured;
    }

    private String word(Segment step) {
        String word = StepWords.of(step.nodes(), effects.functions());
        return step.nodes().stream().anyMatch(effects::draws) ? "random_" + word : word;
    }
}
