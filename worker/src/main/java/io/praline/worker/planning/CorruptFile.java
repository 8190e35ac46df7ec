package io.praline.worker.planning;

/** A file of records that cannot be read from some record on. The message is one line: file, record, offset, cause. */
public final class CorruptFile extends RuntimeException {
    private final long record;

    /**
     * @param record index of the first record that cannot be read, counted from 0
     * @param offset where that record begins, in bytes; of the decompressed content where the file is compressed
     * @param cause what is wrong with it, as the end of a sentence
     */
    public CorruptFile(String path, long record, long offset, String cause) {
        super(path + ": record " + record + " at byte " + offset + " " + cause);
        this.record = record;
    }

    /** Index of the first record that cannot be read, which is also the number of records before it. */
    public long record() {
        return record;
    }
}
