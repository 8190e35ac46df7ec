package io.praline.worker.attempt;

import io.praline.schema.FailureKind;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.graph.analysis.PipelineAnalysis;
import io.praline.worker.planning.Compression;
import io.praline.worker.planning.CorruptFile;
import io.praline.worker.planning.DataFile;
import io.praline.worker.planning.DataReader;
import io.praline.worker.planning.RecordCounter;
import io.praline.worker.planning.RecordCuts;
import io.praline.worker.planning.RecordFormat;
import io.praline.worker.planning.SplitPlanner;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.FileVersion;
import io.praline.worker.storage.stage.ObjectIndexes;
import io.praline.worker.storage.stage.RecordIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** How many records a split holds, found out beside the graph that reads it. */
public final class SplitRecords {
    private SplitRecords() {}

    /**
     * Records of a split; of a damaged file, where that is tolerated or the pipeline leaves out what fails, those before the
     * damage and the damaged one.
     * Empty where nobody can count but the graph.
     *
     * @param reader for whom the split is at hand, if it lies in a store
     * @param skipBad how many bad records are tolerated
     * @param wanted whether somebody still waits for it
     * @throws AttemptFailed where the file cannot be read
     * @throws CancellationException once it is not wanted
     */
    public static OptionalLong count(
            DataReader reader, Split split, PipelineAnalysis analysis, int skipBad, BooleanSupplier wanted) {
        boolean numbered = split.getSource() < analysis.sources().size()
                && analysis.sources().get(split.getSource()).numbered();
        if (numbered) {
            return OptionalLong.empty();
        }
        if (split.getRecords().isPresent()) {
            return OptionalLong.of(split.getRecords().get());
        }
        Optional<RecordFormat> format = split.getSource() < analysis.sources().size()
                ? RecordFormat.of(analysis.sources().get(split.getSource()).kind())
                : Optional.empty();
        if (format.isEmpty() || split.getPaths().isEmpty()) {
            return OptionalLong.empty();
        }
        String path = split.getPaths().get(0);
        try {
            return OptionalLong.of(counted(reader, split, analysis, format.get(), wanted));
        } catch (CorruptFile e) {
            if (skipBad > 0 || analysis.ignoresErrors()) {
                return OptionalLong.of(e.record() + 1);
            }
            throw corrupt(e);
        } catch (IOException e) {
            throw unreadable(reader.worker(), path, e);
        }
    }

    /** What is counted anyhow says where a large object may be cut by jobs to come. */
    private static long counted(
            DataReader reader, Split split, PipelineAnalysis analysis, RecordFormat format, BooleanSupplier wanted)
            throws IOException {
        String path = split.getPaths().get(0);
        DataFile file = reader.file(split, path);
        boolean cuttable = split.getKind() == SplitKind.FILE
                && FileStores.givesRanges(path)
                && analysis.sources().get(split.getSource()).rangeable()
                && format instanceof RecordFormat.TfRecords
                && split.getBytes() > SplitPlanner.RANGE_BYTES;
        ObjectIndexes indexes = reader.staged().indexes();
        FileVersion version = cuttable
                ? FileVersion.parse(split.getVersions().get(0))
                : new FileVersion(FileVersion.Kind.LENGTH, split.getBytes(), "");
        if (!indexes.lack(path, version)) {
            return RecordCounter.count(file, format, wanted);
        }
        RecordIndex index = RecordCuts.ofTfRecords(file, version.bytes(), SplitPlanner.RANGE_BYTES, wanted);
        indexes.keep(path, version, index);
        return index.cuts().stream().mapToLong(RecordIndex.Cut::records).sum();
    }

    /**
     * Fails where TensorFlow would fail on a split's file again each time that it is asked for more, so that whatever passes over
     * failures would ask without end: where the file is not there, is no number of records of one length, or cannot be
     * decompressed. A TFRecord file it leaves at its first damage.
     *
     * @param reader for whom the split is at hand
     * @param wanted whether somebody still waits for it
     */
    static void requireThatItEnds(DataReader reader, Split split, PipelineAnalysis analysis, BooleanSupplier wanted) {
        if (split.getKind() != SplitKind.FILE && split.getKind() != SplitKind.RECORD_RANGE) {
            return;
        }
        RecordFormat format = RecordFormat.of(
                        analysis.sources().get(split.getSource()).kind())
                .orElseThrow();
        boolean compressed = format.compression() != Compression.NONE;
        for (String path : split.getPaths()) {
            try {
                DataFile file = reader.file(split, path);
                if (!Files.exists(file.path())) {
                    throw new NoSuchFileException(path);
                }
                boolean looked = split.getKind() == SplitKind.FILE
                        && (compressed
                                ? !(format instanceof RecordFormat.TfRecords)
                                : format instanceof RecordFormat.FixedLength);
                if (looked) {
                    RecordCounter.count(file, format, wanted);
                }
            } catch (CorruptFile e) {
                if (!compressed) {
                    throw AttemptFailed.ofRecords(
                            e.getMessage(),
                            "; TensorFlow reads nothing of such a file, so that none of its records can be passed over:"
                                    + " repair the file");
                }
            } catch (IOException e) {
                throw unreadable(reader.worker(), path, e);
            }
        }
    }

    /** A file is damaged. */
    static AttemptFailed corrupt(CorruptFile e) {
        return AttemptFailed.ofRecords(e.getMessage(), "; repair the file, or tolerate such records with --skip-bad N");
    }

    /** A file that was there when the job was planned cannot be read. */
    static AttemptFailed unreadable(String worker, String path, IOException e) {
        return e instanceof NoSuchFileException
                ? new AttemptFailed(
                        FailureKind.REFUSED,
                        "worker " + worker + " sees no file " + path
                                + " any more, which was there when the job was planned; put it back and submit again")
                : new AttemptFailed(FailureKind.REFUSED, "worker " + worker + " cannot read " + path + ": " + e);
    }
}
