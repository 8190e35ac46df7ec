package io.praline.worker.graph.source;

import io.praline.worker.storage.glob.ListedPaths;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * One source of a pipeline, as it is to be cut into splits.
 *
 * @param fileNames the file names that the graph itself holds, in their order, the steps not applied; empty where it holds
 *     none
 * @param steps what the pipeline does with the list of its files first, in order; holds for names of a data glob too
 * @param shuffled whether the pipeline shuffles its list of files, which is left to the planner
 * @param rangeable whether a split may be a range of a file (RECORD_RANGE); whole files only where false
 * @param numbered whether elements are numbered as they come out of a split, so that nobody can count them beside the graph
 * @param opened whether a step makes the records of files of each integer, or of each slice, so that each is a split
 * @param directory the folder within which relative ones of these names are read; empty where there are none, or other files
 *     are read
 */
public record PipelineSource(
        SourceKind kind,
        List<String> fileNames,
        List<FileStep> steps,
        boolean shuffled,
        boolean rangeable,
        boolean numbered,
        boolean opened,
        Optional<String> directory) {
    public PipelineSource {
        fileNames = List.copyOf(fileNames);
        steps = List.copyOf(steps);
        if (rangeable && numbered) {
            throw new IllegalArgumentException("rangeable must be false where elements are numbered as they come out");
        }
    }

    /** One whose elements are its records. */
    public PipelineSource(
            SourceKind kind,
            List<String> fileNames,
            List<FileStep> steps,
            boolean shuffled,
            boolean rangeable,
            Optional<String> directory) {
        this(kind, fileNames, steps, shuffled, rangeable, false, false, directory);
    }

    /** One without files. */
    static PipelineSource of(SourceKind kind) {
        return new PipelineSource(kind, List.of(), List.of(), false, false, Optional.empty());
    }

    /** The same with its elements numbered as they come out, in whole files. */
    public PipelineSource asNumbered() {
        return new PipelineSource(kind, fileNames, steps, shuffled, false, true, opened, directory);
    }

    /** The same, each of whose elements files are opened by. */
    PipelineSource asOpened() {
        return new PipelineSource(kind, fileNames, steps, shuffled, rangeable, numbered, true, directory);
    }

    /** The same in an order that is left to the planner. */
    PipelineSource asShuffled() {
        return new PipelineSource(kind, fileNames, steps, true, rangeable, numbered, opened, directory);
    }

    /** Whether a data glob may stand in for the graph's own file names. */
    public boolean readsFiles() {
        return kind instanceof SourceKind.TfRecord
                || kind instanceof SourceKind.TextLines
                || kind instanceof SourceKind.FixedLength
                || kind instanceof SourceKind.FileNames;
    }

    /**
     * The paths that splits have of the graph's own files, by their names as they were written; without those that are addresses, and
     * without any where no folder is said.
     */
    public Map<String, String> paths() {
        return directory
                .map(folder -> ListedPaths.of(fileNames, Path.of(folder)))
                .orElse(Map.of());
    }

    /** The files that are read, of these names: the graph's own, or those of a data glob. */
    public List<String> select(List<String> names) {
        List<String> selected = names;
        for (FileStep step : steps) {
            selected = step.apply(selected);
        }
        return List.copyOf(selected);
    }

    /** What it is, for people: {@code TFRecord files (gzip)}. */
    public String words() {
        return kind.match(WORDS);
    }

    private static String files(String what, String compression) {
        return what + (compression.isEmpty() ? "" : " (" + compression.toLowerCase(Locale.ROOT) + ")");
    }

    private static final SourceKind.Cases<String> WORDS = new SourceKind.Cases<>() {
        @Override
        public String tfRecord(SourceKind.TfRecord files) {
            return files("TFRecord files", files.compression());
        }

        @Override
        public String textLines(SourceKind.TextLines files) {
            return files("lines of text files", files.compression());
        }

        @Override
        public String fixedLength(SourceKind.FixedLength files) {
            return files("records of " + files.recordBytes() + " bytes", files.compression());
        }

        @Override
        public String fileNames(SourceKind.FileNames names) {
            return "whole files, by their names";
        }

        @Override
        public String integers(SourceKind.Integers range) {
            return "integers from " + range.from() + " to " + range.until() + " by " + range.step();
        }

        @Override
        public String indexes(SourceKind.Indexes constant) {
            return constant.count() + " slices of a constant";
        }

        @Override
        public String whole(SourceKind.Whole graph) {
            return "the graph as it stands";
        }
    };
}
