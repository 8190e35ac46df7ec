package io.praline.tests.flow;

import io.praline.client.Batch;
import io.praline.client.BatchStream;
import io.praline.client.ClientConfig;
import io.praline.client.JobResult;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.client.pipeline.Images;
import io.praline.client.pipeline.Pipeline;
import io.praline.topics.KafkaSettings;
import java.nio.FloatBuffer;
import java.nio.file.Path;

/** The program that the README shows: what stands between the marks, to the letter. */
final class ReadmeProgram {
    private ReadmeProgram() {}

    static JobResult run(String bootstrap, String registry, Path secret, String data, Training training) {
        // [README
        Pipeline pipeline = Pipeline.tfRecords()
                .map("decode", Images.decodeJpeg(3))
                .map("resize", Images.resize(224, 224))
                .map("flip", Images.flipLeftRight(8))
                .batch(32)
                .names("image");
        ClientConfig config = ClientConfig.of(KafkaSettings.of(bootstrap, registry), secret);
        try (PralineClient client = PralineClient.connect(config);
                BatchStream batches =
                        client.submit(JobSpec.of(pipeline).data(data).epochs(2).seed(7))) {
            while (batches.hasNext()) {
                try (Batch batch = batches.next()) {
                    FloatBuffer images = batch.component("image").floats(); // direct memory, no copy
                    training.step(batch.epoch(), batch.component("image").shape(), images);
                }
            }
            return batches.result();
        }
        // README]
    }

    /** A step of somebody's training. */
    interface Training {
        void step(int epoch, long[] shape, FloatBuffer images);
    }
}
