package io.praline.worker.graph.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.FunctionText;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.DataType;

/** Functions of a batch {@code x} and a captured {@code k}: do they take some of the batch's rows by their places? */
class LeadingSlicesTest {
    private static boolean taken(String... lines) {
        Map<String, DataType> arguments = new LinkedHashMap<>();
        arguments.put("x", DataType.DT_INT32);
        arguments.put("k", DataType.DT_INT32);
        return LeadingSlices.takenBy(Optional.of(FunctionText.of("f", arguments, Map.of(), lines)), 1);
    }

    private static boolean sliced(String bounds) {
        return taken("a = StridedSlice x " + bounds, "-> a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1] [9] [1]",
                "[0] [3] [1] begin_mask=1",
                "[1] [0] [1] end_mask=1",
                "[0] [0] [2] begin_mask=1 end_mask=1",
                "[0] [1] [1] begin_mask=1 end_mask=1 shrink_axis_mask=1",
            })
    void rowsFromOneToAnotherOrEveryOtherAreSome(String bounds) {
        assertThat(sliced(bounds)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[0] [0] [1] begin_mask=1 end_mask=1",
                "[0] [0] [-1] begin_mask=1 end_mask=1",
                "[0] [3] [1] ellipsis_mask=1",
                "[0] [3] [1] new_axis_mask=1",
                "[0,1] [0,2] [1,1] begin_mask=1 end_mask=1",
            })
    void allRowsOrWhatIsWithinEachAreNotSome(String bounds) {
        assertThat(sliced(bounds)).isFalse();
    }

    // as TensorFlow's frames of waves do: up to where the batch ends, whatever lies behind
    @Test
    void whatEndsWhereTheBatchDoesIsAllOfIt() {
        String[] frames = {
            "s = Shape x out_type=int32",
            "parts = SplitV s [1,1] 0 num_split=2",
            "end = ConcatV2 parts [8] 0",
            "a = StridedSlice x [0,0] end [1,1]",
            "-> a"
        };
        assertThat(taken(frames)).isFalse();
        frames[3] = "a = StridedSlice x [0,0] end [1,1] shrink_axis_mask=1";
        assertThat(taken(frames)).isTrue();
        frames[3] = "a = StridedSlice x [1,0] end [1,1]";
        assertThat(taken(frames)).isTrue();
        frames[3] = "a = StridedSlice x [0,0] end [1,1]";
        frames[0] = "s = Shape k out_type=int32";
        assertThat(taken(frames)).isTrue();
    }

    @Test
    void placesThatAreWrittenDownAreOfSomeRows() {
        assertThat(taken("a = Slice x [1] [-1]", "-> a")).isTrue();
        assertThat(taken("a = Slice x [0] [3]", "-> a")).isTrue();
        assertThat(taken("a = Slice x [0] [-1]", "-> a")).isFalse();
        assertThat(taken("a = GatherV2 x [0,2] 0", "-> a")).isTrue();
        assertThat(taken("a = GatherV2 x [0,2] 1", "-> a")).isFalse();
        assertThat(taken("a = GatherV2 x k 0", "-> a")).isFalse();
        assertThat(taken("a = Split 0 x num_split=2", "-> a")).isTrue();
        assertThat(taken("a = Split 1 x num_split=2", "-> a")).isFalse();
        assertThat(taken("a = SplitV x [2,2] 0 num_split=2", "-> a")).isTrue();
        assertThat(taken("a = SplitV x [2,2] 1 num_split=2", "-> a")).isFalse();
    }

    @Test
    void whatIsCapturedIsNoBatch() {
        for (String op : new String[] {"Slice k [1] [-1]", "GatherV2 k [0,2] 0", "Split 0 k num_split=2"}) {
            assertThat(taken("a = " + op, "-> a")).as(op).isFalse();
        }
        assertThat(taken("a = StridedSlice k [1] [9] [1]", "-> a")).isFalse();
        assertThat(LeadingSlices.takenBy(Optional.empty(), 1)).isFalse();
    }
}
