package io.praline.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * What this was built from.
 *
 * @param number the project's version
 * @param commit the commit of the sources, abbreviated, with {@code -dirty} behind it where they were changed since; empty
 *     where they were built outside of git
 */
record Version(String number, String commit) {
    private static final String RESOURCE = "/io/praline/deploy/version.properties";

    /** As the build wrote it down. */
    static Version built() {
        try (InputStream file = Version.class.getResourceAsStream(RESOURCE)) {
            Properties written = new Properties();
            written.load(file);
            return new Version(written.getProperty("version"), written.getProperty("commit"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE + ": " + e.getMessage(), e);
        }
    }

    /** For people: {@code praline 1.2.0, commit 0123456789ab}. */
    String line() {
        return "praline " + number + ", " + (commit.isEmpty() ? "commit not known" : "commit " + commit);
    }

    /** Read only when somebody asks. */
    static final class Line implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {built().line()};
        }
    }
}
