package io.praline.worker.graph.source;

/** What a pipeline reads, and so what its splits are. */
public sealed interface SourceKind {

    <R> R match(Cases<R> cases);

    /** One place for each kind. */
    interface Cases<R> {
        R tfRecord(TfRecord files);

        R textLines(TextLines files);

        R fixedLength(FixedLength files);

        R fileNames(FileNames names);

        R integers(Integers range);

        R indexes(Indexes constant);

        R whole(Whole graph);
    }

    /**
     * TFRecord files, one split each, or ranges of one.
     *
     * @param compression empty, {@code GZIP} or {@code ZLIB}
     */
    record TfRecord(String compression) implements SourceKind {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.tfRecord(this);
        }
    }

    /**
     * Text files, an element a line.
     *
     * @param compression empty, {@code GZIP} or {@code ZLIB}
     */
    record TextLines(String compression) implements SourceKind {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.textLines(this);
        }
    }

    /**
     * Files of records of one length.
     *
     * @param headerBytes bytes before the first record
     * @param recordBytes bytes of a record
     * @param footerBytes bytes behind the last record
     * @param compression empty, {@code GZIP} or {@code ZLIB}
     */
    record FixedLength(long headerBytes, long recordBytes, long footerBytes, String compression) implements SourceKind {
        public FixedLength {
            if (recordBytes < 1) {
                throw new IllegalArgumentException("recordBytes must be positive, is " + recordBytes);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.fixedLength(this);
        }
    }

    /** The file's name is the element; the pipeline reads the file itself. Splits are runs of names. */
    record FileNames() implements SourceKind {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.fileNames(this);
        }
    }

    /**
     * A range of integers.
     *
     * @param from the first
     * @param until the bound, exclusive
     * @param step the difference between neighbours, never 0
     */
    record Integers(long from, long until, long step) implements SourceKind {
        public Integers {
            if (step == 0) {
                throw new IllegalArgumentException("step must not be 0");
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.integers(this);
        }
    }

    /**
     * Slices of a constant that the graph holds.
     *
     * @param count how many slices there are
     */
    record Indexes(long count) implements SourceKind {
        public Indexes {
            if (count < 0) {
                throw new IllegalArgumentException("count must not be negative, is " + count);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.indexes(this);
        }
    }

    /** The graph as it stands: one split, one task. */
    record Whole() implements SourceKind {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.whole(this);
        }
    }
}
