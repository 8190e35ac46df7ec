package io.praline.tests.rig;

import io.praline.client.pipeline.Pipeline;
import io.praline.deploy.sample.TfRecordWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/**
 * Files of numbered records: file {@code f} holds {@code 1000 f}, {@code 1000 f + 1}, ... as text, where no other first number is asked for.
 *
 * @param folder where they lie
 * @param all every number, in order
 */
public record Numbers(Path folder, List<Long> all) {

    public static Numbers write(Path folder, int files, int perFile) throws IOException {
        return write(folder, files, perFile, 0);
    }

    /** With numbers that are higher by so many, in place of the files that were there. */
    public static Numbers write(Path folder, int files, int perFile, long higher) throws IOException {
        Files.createDirectories(folder);
        List<Long> all = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            try (TfRecordWriter out = new TfRecordWriter(folder.resolve("numbers-" + file + ".tfrecord"))) {
                for (int record = 0; record < perFile; record++) {
                    long number = 1000L * file + record + higher;
                    out.write(Long.toString(number).getBytes(StandardCharsets.UTF_8));
                    all.add(number);
                }
            }
        }
        return new Numbers(folder, all);
    }

    public String glob() {
        return folder.resolve("*.tfrecord").toString();
    }

    /** The numbers as int64, in batches. */
    public static Pipeline inBatchesOf(long size) {
        return Pipeline.tfRecords()
                .map("parse", (tf, x) -> tf.strings.toNumber(x.as(TString.class), TInt64.class))
                .batch(size)
                .names("number");
    }
}
