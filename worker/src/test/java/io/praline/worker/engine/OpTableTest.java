package io.praline.worker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.DeclaredOps;
import io.praline.worker.graph.OpTraits;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.tensorflow.TensorFlow;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.OpDef;

/** The table of what ops do against the ops that the native library has. */
class OpTableTest {
    private static final Pattern DATASET = Pattern.compile(".*Dataset(V\\d+)?");
    private static final Pattern CHANCE = Pattern.compile("(?!Stateless).*(Random|Sampler).*");

    /** Attributes of ops that draw though they are not called stateful. */
    private static final Set<String> CHANCES = Set.of("noise", "pseudo_random");

    private static final Map<String, OpDef> CATALOGUE = TensorFlow.registeredOpList().getOpList().stream()
            .collect(Collectors.toMap(OpDef::getName, Function.identity()));

    @Test
    void hasARowForEveryOpThatDoesMoreThanComputeFromItsInputs() {
        assertThat(CATALOGUE.values().stream()
                        .filter(op -> op.getIsStateful()
                                || DATASET.matcher(op.getName()).matches()
                                || CHANCE.matcher(op.getName()).matches()
                                || op.getAttrList().stream().anyMatch(each -> CHANCES.contains(each.getName())))
                        .map(OpDef::getName))
                .isSubsetOf(OpTraits.ops());
    }

    @Test
    void namesNoOpThatTensorFlowLacks() {
        assertThat(CATALOGUE.keySet()).containsAll(OpTraits.ops()).containsAll(twins());
    }

    // a dataset is what yields a variant under a dataset's name; a table for datasets is no dataset
    @Test
    void tellsDatasetsFromOtherOps() {
        assertThat(OpTraits.ops().stream()
                        .filter(op -> OpTraits.of(op).grain() != OpTraits.Grain.VALUE)
                        .toList())
                .isEqualTo(OpTraits.ops().stream()
                        .filter(op -> DATASET.matcher(op).matches())
                        .filter(op -> yieldsAVariant(CATALOGUE.get(op)))
                        .toList());
    }

    @Test
    void placesOfInputsAreWithinWhatTheOpTakes() {
        assertThat(OpTraits.ops().stream().map(OpTraits::of).filter(row -> row.inputs().values().stream()
                        .anyMatch(place -> place >= CATALOGUE.get(row.op()).getInputArgCount()
                                || -place > CATALOGUE.get(row.op()).getInputArgCount())))
                .isEmpty();
    }

    /** Tests without TensorFlow stand on it. */
    @Test
    void opsAreDeclaredAsTensorFlowDeclaresThem() {
        for (OpDef declared : DeclaredOps.all()) {
            assertThat(plain(CATALOGUE.get(declared.getName()))).isEqualTo(declared);
        }
    }

    private static OpDef plain(OpDef op) {
        OpDef.Builder plain = OpDef.newBuilder().setName(op.getName()).setIsStateful(op.getIsStateful());
        op.getInputArgList().forEach(argument -> plain.addInputArg(plain(argument)));
        op.getOutputArgList().forEach(argument -> plain.addOutputArg(plain(argument)));
        op.getAttrList().stream()
                .filter(each -> each.getName().equals("metadata"))
                .forEach(each -> plain.addAttrBuilder().setName(each.getName()).setType(each.getType()));
        return plain.build();
    }

    private static OpDef.ArgDef plain(OpDef.ArgDef argument) {
        return argument.toBuilder()
                .clearDescription()
                .clearHandleData()
                .clearExperimentalFullType()
                .build();
    }

    private static boolean yieldsAVariant(OpDef op) {
        return op.getOutputArgList().stream()
                .map(OpDef.ArgDef::getType)
                .toList()
                .equals(List.of(DataType.DT_VARIANT));
    }

    private static Collection<String> twins() {
        return OpTraits.ops().stream()
                .flatMap(op -> OpTraits.of(op).stateless().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
