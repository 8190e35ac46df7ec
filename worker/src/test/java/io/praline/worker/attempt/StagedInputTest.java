package io.praline.worker.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.praline.identity.Ticket;
import io.praline.schema.AssignedSplit;
import io.praline.schema.Split;
import io.praline.schema.SplitKind;
import io.praline.worker.assignment.Settlement;
import io.praline.worker.planning.DataReader;
import io.praline.worker.storage.FileStores;
import io.praline.worker.storage.S3Settings;
import io.praline.worker.storage.StageSettings;
import io.praline.worker.storage.stage.Staging;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StagedInputTest {
    @TempDir
    private Path folder;

    private static AssignedSplit split(String address, int bytes) {
        Split split = Split.newBuilder()
                .setKind(SplitKind.FILE)
                .setSource(0)
                .setPaths(List.of(address))
                .setVersions(List.of("etag " + bytes + " \"one\""))
                .setFrom(0)
                .setUntil(0)
                .setStep(0)
                .setBytes((long) bytes)
                .build();
        return new AssignedSplit(0L, split, ByteBuffer.allocate(0));
    }

    // it was fetched to be counted, and by the time that it was fed another job had made an entry of it
    @Test
    void whatAnEntryStandsInForDoesNotStayToTheAttemptsEnd() throws Exception {
        byte[] content = new byte[40];
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/a", asked -> {
            asked.getResponseHeaders().set("ETag", "\"one\"");
            asked.sendResponseHeaders(200, content.length);
            asked.getResponseBody().write(content);
            asked.close();
        });
        server.start();
        AssignedSplit split = split("http://127.0.0.1:" + server.getAddress().getPort() + "/a", content.length);
        Settlement settlement = new Settlement();
        settlement.assigned(split);
        try (Staging staging =
                Staging.open(new FileStores(S3Settings.USUAL), new StageSettings(folder, OptionalLong.of(1 << 20)))) {
            DataReader reader = new DataReader("w1", staging.reading());
            StagedInput input = new StagedInput(reader, settlement);
            input.tracked(true);
            reader.staged().ahead(split).get();
            input.spare(split, 1);
            assertThat(reader.staged().isEmpty()).isFalse();

            settlement.counted(0, 1);
            settlement.delivered(new long[] {Ticket.of(0, 0)});
            input.spare(split, 1);
            assertThat(reader.staged().isEmpty()).isTrue();
        } finally {
            server.stop(0);
        }
    }
}
