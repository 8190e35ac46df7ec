package io.praline.worker.planning;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.praline.schema.FailureKind;
import io.praline.schema.GraphContent;
import io.praline.schema.Guarantee;
import io.praline.schema.PipelineEntry;
import io.praline.schema.PlanCompleted;
import io.praline.schema.PlanFailed;
import io.praline.schema.PlanMessage;
import io.praline.schema.PlanSplits;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.schema.SplitPage;
import io.praline.worker.graph.PipelineGraph;
import io.praline.worker.graph.Pipelines;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.stage.ObjectIndexes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

class PlannerTest {
    private static final int KIB = 1 << 10;

    @TempDir
    private Path directory;

    private final Told told = new Told();

    /** What a planner told, in order. */
    private static final class Told implements Planner.Output {
        private final List<PipelineEntry> entries = new ArrayList<>();
        private final List<PlanMessage> messages = new ArrayList<>();

        @Override
        public void pipeline(PipelineEntry entry, PipelineGraph graph) {
            entries.add(entry);
        }

        @Override
        public void message(PlanMessage message) {
            messages.add(message);
        }

        List<SplitPage> pages() {
            return messages.stream()
                    .map(PlanMessage::getBody)
                    .filter(SplitPage.class::isInstance)
                    .map(SplitPage.class::cast)
                    .toList();
        }

        List<Split> splits() {
            return pages().stream().flatMap(page -> page.getSplits().stream()).toList();
        }

        Object ending() {
            return messages.get(messages.size() - 1).getBody();
        }

        GraphContent graph() {
            assertThat(entries).hasSize(1);
            return (GraphContent) entries.get(0).getBody();
        }
    }

    private void plan(byte[] inline, Optional<String> address, List<String> globs) {
        new Planner(
                        new Planner.Identity("p", "w1", "i1"),
                        Pipelines.ANY_OP,
                        directory,
                        new FileStores(S3Settings.USUAL),
                        ObjectIndexes.none())
                .plan(
                        PlanSplits.newBuilder()
                                .setJob("j")
                                .setPlan(1)
                                .setPipelineName("")
                                .setGraph(ByteBuffer.wrap(inline))
                                .setGraphAddress(address.orElse(null))
                                .setComponentNames(List.of())
                                .setDataGlobs(globs)
                                .setGuarantee(Guarantee.EXACTLY_ONCE)
                                .setStrict(false)
                                .build(),
                        told);
    }

    private List<String> write(int files) {
        return IntStream.range(0, files)
                .mapToObj(number -> TfRecordFiles.write(
                                directory.resolve("part-%05d".formatted(number)), TfRecordFiles.records(1, 8))
                        .toString())
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "999, 1", "1000, 1", "1001, 2", "2001, 3"})
    void filesGoOutInPagesOfAThousand(int files, int pages) {
        List<String> names = write(files);

        plan(Pipelines.bytes("batch"), Optional.empty(), List.of(directory + "/part-*"));

        assertThat(told.pages())
                .extracting(SplitPage::getPage)
                .isEqualTo(IntStream.range(0, pages).boxed().toList());
        assertThat(told.pages().subList(0, pages - 1))
                .allSatisfy(page -> assertThat(page.getSplits()).hasSize(1_000));
        assertThat(told.splits().stream().map(Split::getPaths))
                .isEqualTo(names.stream().map(List::of).toList());
        assertThat(((PlanCompleted) told.ending()).getSplits()).isEqualTo(files);
    }

    // a split holds 1,200 bytes of names, so of names with more than 600 each has one
    @Test
    void longNamesGoOutInPagesOfAThousandSplits() throws IOException {
        Path folder =
                Files.createDirectories(directory.resolve(String.join("/", Collections.nCopies(3, "d".repeat(200)))));
        List<String> names = new ArrayList<>();
        for (int number = 0; number < 1_100; number++) {
            names.add(Files.createFile(folder.resolve("%05d".formatted(number))).toString());
        }

        plan(Pipelines.bytes("tensor_slices_opened"), Optional.empty(), List.of(folder + "/*"));

        assertThat(told.pages()).extracting(page -> page.getSplits().size()).containsExactly(1_000, 100);
        assertThat(told.splits()).extracting(Split::getKind).containsOnly(SplitKind.NAMES);
        assertThat(told.splits().stream().map(Split::getPaths))
                .containsExactlyElementsOf(names.stream().map(List::of).toList());
    }

    @Test
    void aSavedDatasetThatIsNotThereIsToldWithWorkerAndFolder() throws IOException {
        byte[] graph =
                Files.readAllBytes(Pipelines.folder().resolveSibling("corpus").resolve("loaded_and_shuffled.pb"));

        plan(graph, Optional.empty(), List.of());

        assertThat(((PlanFailed) told.ending()).getReason())
                .isEqualTo("worker w1 sees no saved dataset at " + directory.resolve("elsewhere_batches")
                        + "; save it there, or mount it");
    }

    /** A graph that is larger by a constant which nothing reads. */
    private static byte[] larger(String pipeline, int bytes) throws IOException {
        TensorProto ballast = TensorProto.newBuilder()
                .setDtype(DataType.DT_STRING)
                .setTensorShape(TensorShapeProto.getDefaultInstance())
                .addStringVal(ByteString.copyFrom(new byte[bytes]))
                .build();
        return GraphDef.parseFrom(Pipelines.bytes(pipeline)).toBuilder()
                .addNode(NodeDef.newBuilder()
                        .setName("ballast")
                        .setOp("Const")
                        .putAttr(
                                "dtype",
                                AttrValue.newBuilder()
                                        .setType(DataType.DT_STRING)
                                        .build())
                        .putAttr(
                                "value",
                                AttrValue.newBuilder().setTensor(ballast).build()))
                .build()
                .toByteArray();
    }

    @Test
    void aLargeGraphIsReadByItsAddressAndGoesOnByIt() throws IOException {
        write(3);
        byte[] graph = larger("batch", 600 * KIB);
        String address = Files.write(directory.resolve("graph.pb"), graph).toString();

        plan(new byte[0], Optional.of(address), List.of(directory + "/part-*"));

        assertThat(told.graph()).isEqualTo(new GraphContent(ByteBuffer.allocate(0), address));
        assertThat(told.splits()).hasSize(3);
        assertThat(((PlanCompleted) told.ending()).getPipelineDigest())
                .isEqualTo(PipelineGraph.parse(graph, Pipelines.ANY_OP).digest());
    }

    @Test
    void aSmallGraphGoesOnByTheLogThoughItCameByItsAddress() throws IOException {
        write(3);
        byte[] graph = larger("batch", 100 * KIB);
        String address = Files.write(directory.resolve("graph.pb"), graph).toString();

        plan(new byte[0], Optional.of(address), List.of(directory + "/part-*"));

        assertThat(told.graph()).isEqualTo(new GraphContent(ByteBuffer.wrap(graph), null));
    }

    @Test
    void aLargeGraphThatCameByTheLogGoesOnByIt() throws IOException {
        write(3);
        byte[] graph = larger("batch", 600 * KIB);

        plan(graph, Optional.empty(), List.of(directory + "/part-*"));

        assertThat(told.graph()).isEqualTo(new GraphContent(ByteBuffer.wrap(graph), null));
    }

    // exactly 512 KiB is not too large
    @Test
    void theLargestGraphThatGoesByTheLogHasHalfAMebibyte() throws IOException {
        write(1);
        int rest = 512 * KIB - larger("batch", 500 * KIB).length;
        String address = Files.write(directory.resolve("graph.pb"), larger("batch", 500 * KIB + rest))
                .toString();
        assertThat(Files.size(Path.of(address))).isEqualTo(512 * KIB);

        plan(new byte[0], Optional.of(address), List.of(directory + "/part-*"));

        assertThat(told.graph().getAddress()).isEmpty();
        assertThat(told.graph().getGraph().remaining()).isEqualTo(512 * KIB);
    }

    @Test
    void aGraphThatIsNotAtItsAddressIsRefusedWithWorkerAndPath() {
        plan(new byte[0], Optional.of("gone.pb"), List.of());

        assertThat(told.messages)
                .singleElement()
                .extracting(PlanMessage::getBody)
                .isEqualTo(new PlanFailed(
                        FailureKind.REFUSED,
                        "worker w1 cannot read the pipeline's graph at " + directory
                                + "/gone.pb (it is not there); put it where workers can read it"));
        assertThat(told.entries).isEmpty();
    }

    // whoever is told of no plan knows of no graph that should go with the job
    @Test
    void aPlanThatFailsLeavesNoGraph() {
        plan(Pipelines.bytes("batch"), Optional.empty(), List.of(directory + "/none-*"));

        assertThat(told.ending()).isInstanceOf(PlanFailed.class);
        assertThat(told.entries).isEmpty();
    }

    // it would be the folder in which the worker was started
    @Test
    void aPatternThatIsEmptyIsRefused() {
        plan(Pipelines.bytes("batch"), Optional.empty(), List.of(" "));

        assertThat(told.ending())
                .isEqualTo(new PlanFailed(
                        FailureKind.REFUSED,
                        "a pattern of the data's files is empty; name them, such as /data/train-*.tfrecord"));
    }

    @Test
    void aFileOfLengthZeroIsPlannedAndNamed() throws IOException {
        Files.createFile(directory.resolve("part-00000"));

        plan(Pipelines.bytes("batch"), Optional.empty(), List.of(directory + "/part-*"));

        assertThat(told.splits()).hasSize(1);
        assertThat(((PlanCompleted) told.ending()).getNotes())
                .contains("there is nothing to read: worker w1 sees one file, and it has a length of zero: " + directory
                        + "/part-*; check what wrote it");
    }

    @Test
    void aFileThatTheDataNamesTwiceIsPlannedOnceAndThatIsSaid() throws IOException {
        String part = TfRecordFiles.write(directory.resolve("part-00000"), TfRecordFiles.records(3, 8))
                .toString();

        plan(Pipelines.bytes("batch"), Optional.empty(), List.of(part, part));

        assertThat(told.splits()).hasSize(1);
        assertThat(((PlanCompleted) told.ending()).getNotes())
                .contains(
                        "the data names " + part + " more than once, and is read once an epoch all the same: a list of"
                                + " files in the pipeline is read as often as it names each");
    }

    @Test
    void dataForAPipelineThatOneTaskRunsAsItStandsIsRefusedWithTheStepThatMakesItSo() {
        plan(Pipelines.bytes("../corpus/enumerate_behind_filter"), Optional.empty(), List.of("/data/*"));

        assertThat(told.messages)
                .singleElement()
                .extracting(PlanMessage::getBody)
                .isEqualTo(new PlanFailed(
                        FailureKind.REFUSED,
                        "the data /data/* cannot be given to a pipeline that one task runs as it stands: ZipDataset pairs"
                                + " elements by their places; leave it out, and name the files in the pipeline"));
    }

    // the folder has none of the seventeen; one process never ends where it opens a dataset of records of such a file
    @Test
    void namesOfNoFilesAreSaidWherePartsOfThePipelineThatFailAreLeftOut() {
        plan(Pipelines.bytes("../corpus/whole_files_of_which_one_is_missing"), Optional.empty(), List.of());

        assertThat(((PlanCompleted) told.ending()).getNotes())
                .contains("worker w1 sees no file " + directory
                        + "/data/reviews/missing.txt, nor 16 more of those that the"
                        + " pipeline names: what is made of them is left out, since the pipeline ignores errors");

        plan(Pipelines.bytes("../corpus/errors_ignored_of_a_file_without_records"), Optional.empty(), List.of());
        assertThat(told.ending()).isInstanceOf(PlanFailed.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "empty_slices | there is nothing to read: 0 slices of a constant, and there is none",
                "range_of_nothing | there is nothing to read: integers from 5 to 5 by 1, and there is none",
                "empty_list_of_files | there is nothing to read: TFRecord files, and the pipeline takes none of them",
            })
    void aPlanOfNothingHasNoSplitAndSaysSo(String program, String note) {
        plan(Pipelines.bytes("../corpus/" + program), Optional.empty(), List.of());

        assertThat(told.pages()).isEmpty();
        PlanCompleted plan = (PlanCompleted) told.ending();
        assertThat(plan.getSplits()).isZero();
        assertThat(plan.getNotes()).contains(note);
    }
}
