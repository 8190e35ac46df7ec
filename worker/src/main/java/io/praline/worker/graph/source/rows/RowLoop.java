package io.praline.worker.graph.source.rows;

import io.praline.worker.graph.Constants;
import io.praline.worker.graph.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/**
 * A loop that takes one row of a batch in each of its turns, from the first to the last, and makes one of it: as {@code map_fn}
 * does. One that carries anything else from turn to turn may make a row of those before.
 *
 * @param inputs what its variables are at first
 * @param depth how many calls it is within
 */
record RowLoop(Scope body, NodeDef node, List<RowPlace> inputs, Map<String, FunctionDef> functions, int depth) {
    private static final int MOST_PASSES = 4;
    private static final int DEEPEST = 20;

    /** A condition is made of these alone. */
    private static final Set<String> CONDITION = Set.of("Less", "LogicalAnd", "Identity");

    /** Of each of its variables, behind it. */
    List<RowPlace> made() {
        FunctionDef turn = functions.get(node.getAttrOrThrow("body").getFunc().getName());
        FunctionDef condition =
                functions.get(node.getAttrOrThrow("cond").getFunc().getName());
        if (inputs.stream().allMatch(input -> input.isFree() && !FreeValues.tell(input))) {
            return List.of(RowPlace.FREE);
        }
        List<RowPlace> unknown =
                List.of(inputs.stream().anyMatch(RowPlace::isMixed) ? RowPlace.MIXED : RowPlace.UNKNOWN);
        if (turn == null || condition == null || depth == DEEPEST) {
            return unknown;
        }
        Scope within = Scope.ofFunction(turn);
        List<RowPlace> given = new ArrayList<>(inputs);
        for (int i = 0; i < given.size(); i++) {
            if (isCounted(turn, within, i)) {
                given.set(i, RowPlace.TURN);
            }
        }
        if (!takesAll(condition, given)) {
            return unknown;
        }
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            List<RowPlace> behind = behind(turn, within, given);
            if (behind.contains(RowPlace.UNKNOWN)) {
                return unknown;
            }
            if (behind.equals(given)) {
                return behind.stream()
                        .map(place -> place.isTurn() ? RowPlace.SIZE : place)
                        .toList();
            }
            given = behind;
        }
        return unknown;
    }

    /** Whether a variable begins at zero and grows by one in each turn. */
    private boolean isCounted(FunctionDef turn, Scope within, int variable) {
        String argument = turn.getSignature().getInputArg(variable).getName();
        Optional<NodeDef> next = within.producer(within.behindIdentities(Scope.result(turn, variable)));
        return Constants.integer(body, node.getInput(variable))
                        .filter(first -> first == 0)
                        .isPresent()
                && next.filter(add -> add.getOp().equals("AddV2")
                                && within.behindIdentities(add.getInput(0)).equals(argument)
                                && Constants.integer(within, add.getInput(1))
                                        .filter(step -> step == 1)
                                        .isPresent())
                        .isPresent();
    }

    /** Whether it goes on to the last row, whatever is in the rows. */
    private boolean takesAll(FunctionDef condition, List<RowPlace> given) {
        Scope within = Scope.ofFunction(condition);
        List<String> arguments = new ArrayList<>();
        condition.getSignature().getInputArgList().forEach(argument -> arguments.add(argument.getName()));
        for (NodeDef each : condition.getNodeDefList()) {
            boolean limits = !each.getOp().equals("Less")
                    || (given(within, each.getInput(0), arguments, given).isTurn()
                            && given(within, each.getInput(1), arguments, given).isCount());
            if (!CONDITION.contains(each.getOp()) || !limits) {
                return false;
            }
        }
        return condition.getNodeDefList().stream().anyMatch(each -> each.getOp().equals("Less"));
    }

    private static RowPlace given(Scope within, String ref, List<String> arguments, List<RowPlace> given) {
        int place = arguments.indexOf(within.behindIdentities(ref));
        return place < 0 ? RowPlace.UNKNOWN : given.get(place);
    }

    /** What its variables are behind a turn; one that may not be carried on is unknown. */
    private List<RowPlace> behind(FunctionDef turn, Scope within, List<RowPlace> given) {
        List<RowPlace> made = RowFlow.returned(turn, given, functions, depth + 1);
        List<RowPlace> behind = new ArrayList<>();
        for (int i = 0; i < given.size(); i++) {
            String argument = turn.getSignature().getInputArg(i).getName();
            boolean kept = within.behindIdentities(Scope.result(turn, i)).equals(argument);
            RowPlace next = made.get(i);
            boolean list = next.is(RowPlace.Kind.LIST)
                    && (given.get(i).isFree() || given.get(i).is(RowPlace.Kind.LIST));
            boolean free = next.isFree() && !next.isSize() && given.get(i).isFree();
            if (kept || given.get(i).isTurn()) {
                behind.add(given.get(i));
            } else if (free && !next.isDrawn()) {
                // what is another in each turn tells which one it is
                behind.add(RowPlace.NUMBERED);
            } else {
                behind.add(list || free ? next : RowPlace.UNKNOWN);
            }
        }
        return behind;
    }
}
