package io.praline.tests.rig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;

/**
 * What a program ended with.
 *
 * @param code its exit code
 * @param out what it printed
 * @param err what it printed as errors
 */
public record Ended(int code, String out, String err) {

    /** All that it printed, the errors last. */
    public List<String> lines() {
        return (out + err).lines().toList();
    }

    /** The last line that it printed, read as JSON. */
    public JsonNode lastObject() throws IOException {
        List<String> lines = out.lines().toList();
        return new ObjectMapper().readTree(lines.get(lines.size() - 1));
    }
}
