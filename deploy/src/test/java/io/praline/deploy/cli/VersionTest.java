package io.praline.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class VersionTest {

    @Test
    void tellsTheCommitWhereItIsKnown() {
        assertThat(new Version("1.2.0", "0123456789ab").line()).isEqualTo("praline 1.2.0, commit 0123456789ab");
        assertThat(new Version("1.2.0", "").line()).isEqualTo("praline 1.2.0, commit not known");
    }

    // Maven has filled in what it found, which is the version only where the sources are no checkout
    @Test
    void theOptionShowsWhatTheBuildWroteDown() {
        StringWriter out = new StringWriter();

        int code = Praline.run(new PrintWriter(out), new PrintWriter(new StringWriter()), "--version");

        assertThat(code).isZero();
        assertThat(out.toString())
                .matches("praline \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?, commit (not known|[0-9a-f]{12,}(-dirty)?)\\R");
    }
}
