package io.praline.deploy.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Results go to standard output, as lines for people or as an object a line; all else goes to standard error. What was read
 * from a topic is part of many lines, and whoever wrote it must not move the cursor of who looks, or turn letters around.
 */
public final class OutputOptions {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Control characters, those of other directions among them; lines and columns are the command's own. */
    private static final Pattern CONTROLS =
            Pattern.compile("[\\p{Cc}\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069&&[^\\n\\t]]");

    @Option(names = "--json", description = "Print results as JSON, one object a line.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    boolean json() {
        return json;
    }

    /** A line of results for people; nothing where results are wanted as JSON. */
    public void line(String text) {
        if (!json) {
            out().println(plain(text));
            out().flush();
        }
    }

    /** A result as an object; nothing where results are wanted for people. */
    public void object(Map<String, ?> result) {
        if (json) {
            try {
                out().println(JSON.writeValueAsString(result));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("cannot be written as JSON: " + result, e);
            }
            out().flush();
        }
    }

    /** Whether what reads the results is gone, as 'head' is behind its lines: who would go on for ever ends then. */
    public boolean isUnread() {
        return out().checkError();
    }

    /** A line on how it goes. */
    public void note(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(plain(text));
        err.flush();
    }

    /** As a terminal may be shown it. */
    static String plain(String text) {
        return CONTROLS.matcher(text).replaceAll("?");
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
