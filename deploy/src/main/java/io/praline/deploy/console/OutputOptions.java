package io.praline.deploy.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Results go to standard output, as lines for people or as an object a line; all else goes to standard error. */
public final class OutputOptions {

    private static final ObjectMapper JSON = new ObjectMapper();

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
            out().println(text);
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

    /** A line on how it goes. */
    public void note(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(text);
        err.flush();
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }
}
