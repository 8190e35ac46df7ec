package io.praline.worker.graph.ticket;

import io.praline.worker.graph.ElementComponent;
import io.praline.worker.graph.FunctionArguments;
import io.praline.worker.graph.Protos;
import io.praline.worker.graph.Scope;
import io.praline.worker.graph.source.WholeBatches;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.NodeDef;

/** Tickets through transformations that run the user's functions on elements. */
record FunctionCarry(WidenedFunctions functions, Widening widening) {

    Carried map(Scope scope, NodeDef node) {
        List<ElementComponent> given =
                WholeBatches.given(scope, node.getInput(0), input -> widening.readsSplits(scope, input));
        int arity = given.size();
        Carried carried = widening.carry(scope, node.getInput(0));
        Carried input = WholeBatches.areWanted(node, functions.byName(), given, carried.full())
                ? widening.wholeOnes(scope, carried)
                : carried;
        FunctionDef.Builder widened = functions.withTicket(functions.calledBy(node, "f"), arity);
        widened.getSignatureBuilder().addOutputArg(Protos.arg(TrackProvenance.TICKET, DataType.DT_INT64));
        widened.putRet(TrackProvenance.TICKET, TrackProvenance.TICKET);
        return Widening.done(
                scope,
                node.toBuilder()
                        .setInput(0, input.ref())
                        .putAttr("f", FunctionArguments.called(node, "f", functions.add(widened.build()))),
                input);
    }

    Carried filter(Scope scope, NodeDef node) {
        int arity = scope.components(node.getInput(0)).size();
        Carried input = widening.carry(scope, node.getInput(0));
        FunctionDef.Builder widened = functions.withTicket(functions.calledBy(node, "predicate"), arity);
        Told.rejected(widened, false);
        return Widening.done(
                scope,
                node.toBuilder()
                        .setInput(0, input.ref())
                        .putAttr(
                                "predicate",
                                FunctionArguments.called(node, "predicate", functions.add(widened.build()))),
                input);
    }

    Carried group(Scope scope, NodeDef node) {
        List<ElementComponent> components = scope.components(node.getInput(0));
        Carried input = widening.carry(scope, node.getInput(0));
        FunctionDef.Builder key = functions.withTicket(functions.calledBy(node, "key_func"), components.size());

        FunctionDef reduce = functions.calledBy(node, "reduce_func");
        String window = reduce.getSignature().getInputArg(1).getName();
        Scope body = Scope.ofFunction(reduce, Map.of(window, components));
        widening.window(body, new Carried(window, input.ticket(), Optional.empty()));
        String result = reduce.getSignature().getOutputArg(0).getName();
        Carried inner = widening.carry(body, reduce.getRetOrThrow(result));
        FunctionDef.Builder widened =
                reduce.toBuilder().clearNodeDef().addAllNodeDef(body.nodes()).putRet(result, inner.ref());
        widened.getSignatureBuilder()
                .setName(functions.freshName(reduce.getSignature().getName()));
        return Widening.done(
                scope,
                node.toBuilder()
                        .setInput(0, input.ref())
                        .putAttr("key_func", FunctionArguments.called(node, "key_func", functions.add(key.build())))
                        .putAttr(
                                "reduce_func",
                                FunctionArguments.called(node, "reduce_func", functions.add(widened.build()))),
                inner);
    }
}
