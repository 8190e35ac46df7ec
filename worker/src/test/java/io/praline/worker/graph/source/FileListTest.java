package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Protos;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.VersionDef;

/** What a program does to its list of files before it opens any, as the planner does it. */
class FileListTest {
    private static final List<String> NAMES = List.of("/a", "/b", "/c");

    /** Steps on a list, each of which gives the one behind it what it makes. */
    private static final class Written {
        private final List<NodeDef> nodes = new ArrayList<>();
        private String last = "";

        static Written list(TensorProto names) {
            return new Written().then("TensorSliceDataset", names);
        }

        Written then(NodeDef.Builder node, TensorProto... numbers) {
            if (!last.isEmpty()) {
                node.addInput(last);
            }
            last = "step_" + nodes.size();
            node.setName(last);
            for (TensorProto number : numbers) {
                String constant = "number_" + nodes.size();
                nodes.add(Protos.constant(constant, number).build());
                node.addInput(constant);
            }
            nodes.add(node.build());
            return this;
        }

        Written then(String op, TensorProto... numbers) {
            return then(Protos.node("", op), numbers);
        }

        Written then(String op, long... numbers) {
            TensorProto[] constants = new TensorProto[numbers.length];
            for (int i = 0; i < numbers.length; i++) {
                constants[i] = Protos.int64(numbers[i]);
            }
            return then(op, constants);
        }

        Optional<FileList> found() {
            PipelineGraph graph = new PipelineGraph(nodes, List.of(), last, VersionDef.getDefaultInstance());
            return FileList.at(last, graph.scope());
        }
    }

    private static TensorProto strings(List<String> names, long... shape) {
        TensorProto.Builder tensor =
                TensorProto.newBuilder().setDtype(DataType.DT_STRING).setTensorShape(Protos.shape(shape));
        names.forEach(name -> tensor.addStringVal(ByteString.copyFromUtf8(name)));
        return tensor.build();
    }

    private static Written list() {
        return Written.list(strings(NAMES, 3));
    }

    private static FileList of(List<FileStep> steps, boolean shuffled, long epochs) {
        return new FileList(NAMES, steps, shuffled, epochs, false, Optional.empty());
    }

    @Test
    void stepsStandInTheOrderInWhichTheyAreDone() {
        assertThat(list().then("SkipDataset", 1)
                        .then("TakeDataset", 2)
                        .then("ShardDataset", 5, 3)
                        .found())
                .contains(of(List.of(new FileStep.Skip(1), new FileStep.Take(2), new FileStep.Shard(5, 3)), false, 1));
    }

    @Test
    void whatChangesNothingIsPassed() {
        assertThat(list().then("CacheDataset", strings(List.of(""), 1))
                        .then("PrefetchDataset", 2)
                        .then("AssertCardinalityDataset", 3)
                        .then("Identity", new long[0])
                        .found())
                .contains(of(List.of(), false, 1));
    }

    // the order of splits is the job's own: only what is taken of a shuffled list must be chosen by the shuffle
    @Test
    void aShuffleIsAStepOnlyWhereSomethingIsTakenOfIt() {
        assertThat(list().then("ShuffleDataset", 3, 5, 7).found()).contains(of(List.of(), true, 1));
        assertThat(list().then("TakeDataset", 2).then("ShuffleDataset", 3, 5, 7).found())
                .contains(of(List.of(new FileStep.Take(2)), true, 1));
        assertThat(list().then("ShuffleDataset", 3, 5, 7).then("TakeDataset", 2).found())
                .contains(of(List.of(new FileStep.SeededShuffle(5, 7, 3, true), new FileStep.Take(2)), true, 1));
        assertThat(list().then("ShuffleDataset", 3, 5, 0).then("TakeDataset", 2).found())
                .contains(of(List.of(new FileStep.SeededShuffle(5, 0, 3, true), new FileStep.Take(2)), true, 1));
        assertThat(list().then("ShuffleDataset", 3, 0, 0).then("TakeDataset", 2).found())
                .contains(of(List.of(new FileStep.Shuffle(0), new FileStep.Take(2)), true, 1));
    }

    @Test
    void aShuffleThatDoesNotReshuffleHasItsFirstOrderAlways() {
        NodeDef.Builder once =
                Protos.node("", "ShuffleDataset").putAttr("reshuffle_each_iteration", Protos.bool(false));
        assertThat(list().then(once, Protos.int64(3), Protos.int64(0), Protos.int64(7))
                        .then("TakeDataset", 2)
                        .found())
                .contains(of(List.of(new FileStep.SeededShuffle(0, 7, 3, false), new FileStep.Take(2)), true, 1));
    }

    // by names: of a buffer that only running it tells the order is not TensorFlow's
    @Test
    void aShuffleOfWhichNotAllIsKnownIsOneByNames() {
        TensorProto several = Protos.int64s(List.of(1L, 2L));
        assertThat(list().then("ShuffleDataset", several, Protos.int64(5), Protos.int64(7))
                        .then("TakeDataset", 2)
                        .found())
                .contains(of(List.of(new FileStep.Shuffle(31 * 5 + 7), new FileStep.Take(2)), true, 1));
    }

    @Test
    void repetitionsAreEpochs() {
        assertThat(list().then("RepeatDataset", 3).then("RepeatDataset", 2).found())
                .contains(of(List.of(), false, 6));
        assertThat(list().then("RepeatDataset", 3).then("RepeatDataset", -1).found())
                .contains(of(List.of(), false, -1));
        assertThat(list().then("TakeDataset", 2).then("RepeatDataset", 3).found())
                .contains(of(List.of(new FileStep.Take(2)), false, 3));
    }

    @Test
    void whatIsTakenOfRepetitionsIsNoListOfEpochs() {
        assertThat(list().then("RepeatDataset", 3).then("TakeDataset", 4).found())
                .isEmpty();
        assertThat(list().then("RepeatDataset", 0).found()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TakeDataset", "SkipDataset", "ShardDataset", "RepeatDataset"})
    void numbersThatOnlyRunningItTellsMakeNoList(String op) {
        TensorProto several = Protos.int64s(List.of(1L, 2L));
        assertThat(list().then(op, several, several).found()).isEmpty();
    }

    @Test
    void oneThatIsCountedByAnUnknownShardIsNone() {
        assertThat(list().then("ShardDataset", Protos.int64(5), Protos.int64s(List.of(1L, 2L)))
                        .found())
                .isEmpty();
    }

    @Test
    void whatMakesSomethingOfNamesEndsTheList() {
        assertThat(list().then("MapDataset", new long[0]).found()).isEmpty();
        assertThat(list().then("BatchDatasetV2", 2).found()).isEmpty();
    }

    @Test
    void onlyARowOfStringsIsAListOfNames() {
        assertThat(Written.list(strings(NAMES, 3, 1)).found()).isEmpty();
        assertThat(Written.list(strings(List.of("/a"))).found()).isEmpty();
        assertThat(Written.list(Protos.int64s(List.of(1L, 2L))).found()).isEmpty();
        assertThat(new Written()
                        .then("TensorSliceDataset", strings(NAMES, 3), strings(NAMES, 3))
                        .found())
                .isEmpty();
    }

    @Test
    void whatTensorFlowCallsFilesIsDeclared() {
        NodeDef.Builder files = Protos.node("", "TensorSliceDataset").putAttr("is_files", Protos.bool(true));
        NodeDef.Builder others = Protos.node("", "TensorSliceDataset").putAttr("is_files", Protos.bool(false));

        assertThat(new Written().then(files, strings(NAMES, 3)).found())
                .contains(new FileList(NAMES, List.of(), false, 1, true, Optional.empty()));
        assertThat(new Written().then(others, strings(NAMES, 3)).found()).contains(of(List.of(), false, 1));
    }
}
