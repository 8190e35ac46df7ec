package io.praline.tests.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The dashboard that is handed out, by the metrics that it names. */
public final class Dashboard {
    private static final Path FILE = Path.of("..", "deploy", "grafana.json");
    private static final Pattern METRIC = Pattern.compile("praline_[a-z_]+");

    private Dashboard() {}

    /** Metrics in its expressions whose names begin so. */
    public static Set<String> named(String prefix) throws IOException {
        Set<String> named = METRIC.matcher(Files.readString(FILE))
                .results()
                .map(MatchResult::group)
                .filter(name -> name.startsWith(prefix))
                .collect(Collectors.toCollection(TreeSet::new));
        if (named.isEmpty()) {
            throw new IllegalStateException(FILE + " names no metric that begins with " + prefix);
        }
        return named;
    }

    /** Metrics in an answer of {@code /metrics}. */
    public static Set<String> exposed(String told) {
        return told.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.replaceFirst("[ {].*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
