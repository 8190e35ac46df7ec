package io.praline.worker.graph.spelling;

import io.praline.worker.graph.Scope;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** How a variable of a graph is used, by its nodes and in all functions that are given its handle. */
final class VariableUse {
    /** What a function may do with a variable of which it is given the handle. */
    interface Kind {
        boolean is(FunctionDef function, String variable, NodeDef node);
    }

    /** What is found of several is the last of what is found of each, in this order. */
    private enum Found {
        NOTHING,
        THIS_USE,
        ANOTHER_USE;

        private Found with(Found other) {
            return compareTo(other) < 0 ? other : this;
        }
    }

    private final Map<String, FunctionDef> functions;
    private final Kind kind;
    private final Set<Argument> followed = new HashSet<>();

    private VariableUse(Map<String, FunctionDef> functions, Kind kind) {
        this.functions = functions;
        this.kind = kind;
    }

    /** Whether a variable is used so in functions, at least once, and in no other way anywhere. */
    static boolean isOnly(String variable, Scope scope, Map<String, FunctionDef> functions, Kind kind) {
        VariableUse use = new VariableUse(functions, kind);
        Found found = Found.NOTHING;
        for (NodeDef node : scope.nodes()) {
            // what it begins with is known by now
            if (!node.getOp().equals("AssignVariableOp")) {
                found = found.with(use.by(node, scope, variable, direct -> false));
            }
        }
        return found == Found.THIS_USE;
    }

    /** @param isKind whether a node that is given the handle uses the variable so */
    private Found by(NodeDef node, Scope scope, String variable, Predicate<NodeDef> isKind) {
        Found found = Found.NOTHING;
        // who is given what an Identity hands on is asked as well
        if (!node.getOp().equals("Identity")) {
            for (int i = 0; i < node.getInputCount(); i++) {
                String input = node.getInput(i);
                if (!input.startsWith("^") && stands(scope, input, variable)) {
                    found = found.with(isKind.test(node) ? Found.THIS_USE : handedOn(node, i));
                }
            }
        }
        return found;
    }

    /** By functions that a node hands the handle on to; where these are not known it may be used in any way. */
    private Found handedOn(NodeDef node, int input) {
        List<Argument> arguments = Argument.given(node, input, functions);
        boolean loop = node.getOp().equals("While") || node.getOp().equals("StatelessWhile");
        Found found = arguments.isEmpty() ? Found.ANOTHER_USE : Found.NOTHING;
        for (Argument argument : arguments) {
            if (followed.add(argument)) {
                found = found.with(within(argument, loop));
            }
        }
        return found;
    }

    /** @param loop whether the function is a loop's, which hands its variables on */
    private Found within(Argument argument, boolean loop) {
        FunctionDef function = functions.get(argument.function());
        String name = function.getSignature().getInputArg(argument.place()).getName();
        Scope body = Scope.ofFunction(function);
        boolean returned = function.getRetMap().values().stream().anyMatch(ref -> stands(body, ref, name));
        Found found = returned && !loop ? Found.ANOTHER_USE : Found.NOTHING;
        for (NodeDef node : function.getNodeDefList()) {
            found = found.with(by(node, body, name, each -> kind.is(function, name, each)));
        }
        return found;
    }

    private static boolean stands(Scope scope, String ref, String variable) {
        return Scope.nodeOf(scope.behindIdentities(ref)).equals(variable);
    }
}
