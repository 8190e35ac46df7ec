package io.praline.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.dispatcher.replay.JournalFile;
import io.praline.schema.JournalEntry;
import io.praline.schema.Observed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleCommandTest {

    @TempDir
    private Path folder;

    private Path journal;

    @BeforeEach
    void writes() throws Exception {
        journal = folder.resolve("train-7.avro");
        JournalFile.write(
                journal,
                List.of(JournalEntry.newBuilder()
                        .setJob("train-7")
                        .setPool("default")
                        .setSequence(0)
                        .setAtMillis(1_000)
                        .setObservation(new Observed("planWanted", "train-7", Map.of(), Map.of()))
                        .setDecision(List.of())
                        .setReason("it was submitted")
                        .setNumbers(Map.of())
                        .build()));
    }

    private static void assertLine(int code, String line, String... args) {
        StringWriter told = new StringWriter();
        PrintWriter both = new PrintWriter(told, true);
        assertThat(Praline.run(both, both, args)).as(told.toString()).isEqualTo(code);
        assertThat(told.toString().lines()).singleElement().asString().contains(line);
    }

    @Test
    void aFileThatIsNoWholeJournalIsRefusedInOneLine() throws Exception {
        byte[] whole = Files.readAllBytes(journal);
        Path cut = Files.write(folder.resolve("cut.avro"), Arrays.copyOf(whole, whole.length - 20));
        Path text = Files.writeString(folder.resolve("text.avro"), "job,state\n");
        assertLine(3, "cut.avro is cut off", "console", "--journal", cut.toString());
        assertLine(3, "text.avro is no Avro container file", "console", "--journal", text.toString());
        assertLine(3, "none.avro cannot be read", "console", "--journal", folder.resolve("none.avro") + "");
    }

    @Test
    void anAddressThatCannotBeHadIsWrongUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = taken.getLocalPort() + "";
            assertLine(2, "cannot listen on 127.0.0.1:" + port, "console", "--journal", journal + "", "--port", port);
        }
        assertLine(2, "--port must be at most 65535", "console", "--journal", journal + "", "--port", "70000");
        assertLine(2, "set a token by --token-file", "console", "--journal", journal + "", "--host", "0.0.0.0");
        Path token = Files.writeString(folder.resolve("token"), "short\n");
        assertLine(
                2,
                "the token must have at least 16 characters, has 5",
                "console",
                "--journal",
                journal + "",
                "--token-file",
                token.toString());
    }
}
