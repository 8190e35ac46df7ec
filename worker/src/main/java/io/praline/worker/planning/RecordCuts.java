package io.praline.worker.planning;

import io.praline.worker.storage.stage.RecordIndex;
import io.praline.worker.storage.stage.RecordIndex.Cut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Where a file of records is cut into ranges of about equal size, each of whole records. */
public final class RecordCuts {
    private RecordCuts() {}

    /** How large each range of a file is to be, where it is to come near this size. */
    static long aim(long bytes, long rangeBytes) {
        long pieces = (bytes + rangeBytes - 1) / rangeBytes;
        return (bytes + pieces - 1) / pieces;
    }

    /**
     * Cuts of an uncompressed TFRecord file.
     *
     * @param wanted whether somebody still waits for it; asked again and again
     * @throws CorruptFile where its records cannot be told apart
     */
    public static RecordIndex ofTfRecords(DataFile file, long bytes, long rangeBytes, BooleanSupplier wanted)
            throws IOException {
        long aim = aim(bytes, rangeBytes);
        List<Cut> found = new ArrayList<>();
        long[] open = {0, 0};
        TfRecordScanner.scan(file, 0, Long.MAX_VALUE, TfRecordScanner.Check.LENGTHS, (index, offset, end) -> {
            RecordCounter.requireWanted(file, wanted);
            open[1]++;
            if (end - open[0] >= aim || end == bytes) {
                found.add(new Cut(open[0], end, open[1]));
                open[0] = end;
                open[1] = 0;
            }
            return true;
        });
        return new RecordIndex(found);
    }

    /** Cuts of an uncompressed file of records of one length, without looking at it; none where it is cut off. */
    static List<Cut> ofFixedLength(RecordFormat.FixedLength format, long bytes, long rangeBytes) {
        long body = bytes - format.headerBytes() - format.footerBytes();
        if (body <= 0 || body % format.recordBytes() != 0) {
            return List.of();
        }
        long records = body / format.recordBytes();
        long each = Math.max(1, aim(bytes, rangeBytes) / format.recordBytes());
        List<Cut> cuts = new ArrayList<>();
        for (long done = 0; done < records; done += each) {
            long from = format.headerBytes() + done * format.recordBytes();
            long take = Math.min(each, records - done);
            cuts.add(new Cut(from, from + take * format.recordBytes(), take));
        }
        return cuts;
    }
}
