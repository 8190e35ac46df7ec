package io.praline.deploy.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All feeds of a Python process: opens what it asks for until it is gone. */
public final class Feeds {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Connections connections;
    private final List<Thread> open = new ArrayList<>();

    public Feeds(Connections connections) {
        this.connections = connections;
    }

    /**
     * Serves until {@code in} ends, and then until all feeds are closed.
     *
     * @param in lines as the package's description has them
     * @param out gets a line for each
     * @param gone run when {@code in} has ended
     */
    public void serve(InputStream in, PrintStream out, Runnable gone) throws InterruptedException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                out.println(Told.text(start(line)));
                out.flush();
            }
        } catch (IOException broken) {
            // the same as its end
        }
        gone.run();
        for (Thread feed : open) {
            feed.join();
        }
    }

    private static Pipe pipe(Path descriptors, JsonNode said, Arena arena) throws IOException {
        try {
            return Pipe.open(
                    descriptors.resolve(said.path("commands").asText()),
                    descriptors.resolve(said.path("events").asText()));
        } catch (IOException refused) {
            arena.close();
            throw refused;
        }
    }

    private Map<String, String> start(String line) {
        try {
            JsonNode said = JSON.readTree(line);
            Path descriptors = Path.of("/proc", said.path("pid").asText(), "fd");
            Arena arena = Arena.map(
                    descriptors.resolve(said.path("memory").asText()),
                    said.path("bytes").asLong());
            Pipe pipe = pipe(descriptors, said, arena);
            Thread feed = new Thread(new Feed(pipe, arena, connections), "feed");
            feed.setDaemon(true);
            feed.start();
            open.removeIf(one -> !one.isAlive());
            open.add(feed);
            return Map.of();
        } catch (IOException refused) {
            return Map.of("error", "the pipes and memory of Python cannot be opened: " + refused.getMessage());
        }
    }
}
