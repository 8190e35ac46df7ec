package io.praline.worker.planning;

import io.praline.worker.graph.source.SourceKind;
import java.util.Optional;

/** How records lie in a file. */
public sealed interface RecordFormat {

    /** How the file is compressed. */
    Compression compression();

    <R> R match(Cases<R> cases);

    /** The format of a source's files; empty where it reads none record by record. */
    static Optional<RecordFormat> of(SourceKind source) {
        return source.match(new SourceKind.Cases<>() {
            @Override
            public Optional<RecordFormat> tfRecord(SourceKind.TfRecord files) {
                return Optional.of(new TfRecords(Compression.named(files.compression())));
            }

            @Override
            public Optional<RecordFormat> textLines(SourceKind.TextLines files) {
                return Optional.of(new TextLines(Compression.named(files.compression())));
            }

            @Override
            public Optional<RecordFormat> fixedLength(SourceKind.FixedLength files) {
                return Optional.of(new FixedLength(
                        Compression.named(files.compression()),
                        files.headerBytes(),
                        files.recordBytes(),
                        files.footerBytes()));
            }

            @Override
            public Optional<RecordFormat> fileNames(SourceKind.FileNames names) {
                return Optional.empty();
            }

            @Override
            public Optional<RecordFormat> integers(SourceKind.Integers range) {
                return Optional.empty();
            }

            @Override
            public Optional<RecordFormat> indexes(SourceKind.Indexes constant) {
                return Optional.empty();
            }

            @Override
            public Optional<RecordFormat> whole(SourceKind.Whole graph) {
                return Optional.empty();
            }
        });
    }

    interface Cases<R> {
        R tfRecords(TfRecords format);

        R textLines(TextLines format);

        R fixedLength(FixedLength format);
    }

    /** TFRecord: length, checksum, bytes, checksum. */
    record TfRecords(Compression compression) implements RecordFormat {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.tfRecords(this);
        }
    }

    /** Lines that end in a line feed, or in the file's end. */
    record TextLines(Compression compression) implements RecordFormat {
        @Override
        public <R> R match(Cases<R> cases) {
            return cases.textLines(this);
        }
    }

    /** Records of equal length between a header and a footer; all lengths in bytes. */
    record FixedLength(Compression compression, long headerBytes, long recordBytes, long footerBytes)
            implements RecordFormat {
        public FixedLength {
            if (headerBytes < 0 || footerBytes < 0) {
                throw new IllegalArgumentException(
                        "header and footer must not be negative, are " + headerBytes + " and " + footerBytes);
            }
            if (recordBytes < 1) {
                throw new IllegalArgumentException("recordBytes must be at least 1, is " + recordBytes);
            }
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.fixedLength(this);
        }
    }
}
