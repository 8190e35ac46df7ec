package io.praline.worker.graph.ordering.function;

import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/** Of each node of a function, what its outputs follow from. */
public final class Flows {
    /** Give shapes of what they are given. */
    public static final Set<String> SHAPES = Set.of("Shape", "ShapeN", "Size", "Rank");

    /** Run one of several functions. */
    public static final Set<String> CHOICES = Set.of("If", "StatelessIf", "Case", "StatelessCase");

    /** What an output follows from. */
    public enum From {
        /** The values of the element. */
        VALUES,
        /** Shapes of what follows from its values. */
        SHAPES,
        DRAWS,
        /** Tensors that the function captured. */
        CAPTURED
    }

    private final Map<String, Set<From>> byName = new HashMap<>();
    private boolean drawsFromShape;

    private Flows() {}

    /**
     * Through all nodes of a function.
     *
     * @param arguments what each argument follows from
     */
    public static Flows of(Body body, Effects effects, List<Set<From>> arguments) {
        Flows flows = new Flows();
        for (int i = 0; i < arguments.size(); i++) {
            flows.byName.put(body.arguments().get(i).getName(), arguments.get(i));
        }
        for (NodeDef node : body.nodes()) {
            flows.byName.put(node.getName(), flows.through(node, effects));
        }
        return flows;
    }

    /** Arguments of a map: first the element's components, then what is captured. */
    public static Flows ofMap(Body body, Effects effects, int components) {
        List<Set<From>> arguments = new ArrayList<>();
        for (int i = 0; i < body.arguments().size(); i++) {
            arguments.add(Set.of(i < components ? From.VALUES : From.CAPTURED));
        }
        return of(body, effects, arguments);
    }

    private Set<From> through(NodeDef node, Effects effects) {
        Set<From> given = EnumSet.noneOf(From.class);
        node.getInputList().forEach(input -> given.addAll(of(input)));
        if (SHAPES.contains(node.getOp())) {
            if (given.remove(From.VALUES)) {
                given.add(From.SHAPES);
            }
            return given;
        }
        boolean fromData = given.contains(From.SHAPES) || given.contains(From.VALUES);
        if (effects.draws(node)) {
            drawsFromShape |= fromData && !CHOICES.contains(node.getOp());
            given.add(From.DRAWS);
        } else if (given.contains(From.DRAWS) && given.contains(From.SHAPES) && !given.contains(From.VALUES)) {
            // a draw that is fitted to a shape, as the corner of a random crop
            drawsFromShape = true;
        }
        return given;
    }

    /** What an output follows from; nothing where it is a constant. */
    public Set<From> of(String ref) {
        return byName.getOrDefault(Scope.nodeOf(ref), Set.of());
    }

    public boolean carriesValues(NodeDef node) {
        return of(node.getName()).contains(From.VALUES);
    }

    /** Whether range or shape of a draw follows from the data. */
    public boolean drawsFromShape() {
        return drawsFromShape;
    }
}
