package io.praline.worker.graph.source.opening;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.worker.graph.FunctionText;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.graph.spelling.SpellOut;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.FunctionDef;

/** The dataset of a split's elements, of the split's fields and of what the pipeline's functions captured. */
class OpenFunctionTest {
    private static String opened(String pipeline) {
        PipelineGraph bound = new BindSplits().apply(new SpellOut().apply(Pipelines.parse(pipeline)));
        FunctionDef open = bound.functions().get("praline_open_0");
        List<String> names = new ArrayList<>();
        for (SplitField field : SplitField.values()) {
            names.add(field.nodeName());
        }
        while (names.size() < open.getSignature().getInputArgCount()) {
            names.add("captured_" + (names.size() - SplitField.values().length));
        }
        return FunctionText.shown(open, names);
    }

    // what is read of a file begins at a byte, of a range of constants at a slice, and ends where the split does
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "integers | TakeDataset(RangeDataset(from, until, step), take)",
                "file_names | TakeDataset(TensorSliceDataset(captured_0 SLICED), take)",
                "tensor_slices | TakeDataset(TensorSliceDataset(captured_0 SLICED, captured_1 SLICED), take)",
                "tensor_slices_opened |"
                        + " TakeDataset(UnbatchDataset(MapDataset(BatchDatasetV2(TensorSliceDataset(paths), 4, false))),"
                        + " limit)",
                "interleave_parallel | Identity(RECORDS, ^NoOp), ^TensorSliceDataset(Reshape(Reshape(paths, []),"
                        + " [-1]))",
                "parallel_reads | Identity(RECORDS, ^NoOp), ^RECORDS",
                "gzip_tfrecord | Identity(TakeDataset(GZIPPED, take), ^NoOp), ^TakeDataset(GZIPPED, take)",
                "text_lines | Identity(TakeDataset(LINES, take), ^NoOp), ^TakeDataset(LINES, take)",
                "fixed_length | Identity(TakeDataset(FIXED, take), ^NoOp), ^TakeDataset(FIXED, take)",
                "take | TakeDataset(TakeDataset(captured_0, take), limit)",
                "words_filtered | TakeDataset(UnbatchDataset(MapDataset(MapDataset(Identity(LINES, ^NoOp)))), limit),"
                        + " ^LINES",
                "unbatch_rows | TakeDataset(UnbatchDataset(MapDataset(MapDataset(Identity(RECORDS, ^NoOp)))), limit),"
                        + " ^RECORDS",
                "flat_map_elements"
                        + " | TakeDataset(FlatMapDataset(MapDataset(Identity(RECORDS, ^NoOp))), limit), ^RECORDS",
                "interleave_nested"
                        + " | TakeDataset(Identity(TakeDataset(MapDataset(RECORDS), 40), ^NoOp), limit),"
                        + " ^TensorSliceDataset(Reshape(Reshape(paths, []), [-1]))",
            })
    void aSplitIsOpenedAsTheUsersProgramOpensWhatIsInIt(String pipeline, String opened) {
        String written = opened.replace("captured_0 SLICED", sliced("captured_0"))
                .replace("captured_1 SLICED", sliced("captured_1"))
                .replace("RECORDS", "TakeDataset(TFRecordDatasetV2(paths, , 262144, Reshape(from, [1])), take)")
                .replace("GZIPPED", "TFRecordDataset(paths, GZIP, 262144)")
                .replace("LINES", "TextLineDataset(paths, , 262144)")
                .replace(
                        "FIXED",
                        "FixedLengthRecordDatasetV2(paths, Maximum(from, 4), 12, Maximum(until, 2), 262144, )");

        assertThat(opened(pipeline).replaceAll("<f=\\w+>", "")).isEqualTo(written);
    }

    private static String sliced(String constant) {
        return "StridedSlice(" + constant + ", Reshape(from, [1]), Reshape(until, [1]), [1])";
    }
}
