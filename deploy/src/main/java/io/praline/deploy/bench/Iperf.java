package io.praline.deploy.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.deploy.embedded.Ports;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/** iperf3 over loopback, where it is installed. */
public final class Iperf {

    private Iperf() {}

    /** MB/s of one TCP connection with 1 MiB writes; empty where iperf3 is not installed or did not work. */
    public static OptionalDouble measure(int seconds) throws InterruptedException {
        Process server = null;
        try {
            String port = Integer.toString(Ports.free(1).get(0));
            server = quiet(List.of("iperf3", "-s", "-1", "-B", "127.0.0.1", "-p", port))
                    .start();
            double bitsPerSecond = 0;
            for (int attempt = 0; attempt < 10 && bitsPerSecond == 0; attempt++) {
                TimeUnit.MILLISECONDS.sleep(100);
                bitsPerSecond = client(port, seconds)
                        .path("end")
                        .path("sum_received")
                        .path("bits_per_second")
                        .asDouble();
            }
            return bitsPerSecond == 0 ? OptionalDouble.empty() : OptionalDouble.of(bitsPerSecond / 8e6);
        } catch (IOException notInstalled) {
            return OptionalDouble.empty();
        } finally {
            if (server != null) {
                server.destroyForcibly();
            }
        }
    }

    /** Its report; one without an end while the server does not listen yet. */
    private static JsonNode client(String port, int seconds) throws IOException, InterruptedException {
        Process client = new ProcessBuilder(
                        "iperf3", "-c", "127.0.0.1", "-p", port, "-l", "1M", "-t", Integer.toString(seconds), "-J")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        JsonNode report = new ObjectMapper().readTree(client.getInputStream());
        client.waitFor();
        return report;
    }

    private static ProcessBuilder quiet(List<String> command) {
        return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    }
}
