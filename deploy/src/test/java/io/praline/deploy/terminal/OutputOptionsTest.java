package io.praline.deploy.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class OutputOptionsTest {
    @Command(name = "it")
    private static final class It {
        @Mixin
        private OutputOptions output = new OutputOptions();
    }

    private static String said(String text) {
        StringWriter out = new StringWriter();
        It it = new It();
        CommandLine command = new CommandLine(it).setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
        command.parseArgs();
        it.output.line(text);
        it.output.note(text);
        return out.toString();
    }

    // as a pipe whose other end was closed
    @Test
    void thatNobodyReadsIsKnownWhenALineCannotBeWritten() {
        AtomicBoolean gone = new AtomicBoolean();
        Writer pipe = new FilterWriter(new StringWriter()) {
            @Override
            public void flush() throws IOException {
                if (gone.get()) {
                    throw new IOException("Broken pipe");
                }
            }
        };
        It it = new It();
        new CommandLine(it).setOut(new PrintWriter(pipe)).parseArgs();
        it.output.line("a");
        assertThat(it.output.isUnread()).isFalse();
        gone.set(true);
        it.output.line("b");
        assertThat(it.output.isUnread()).isTrue();
    }

    private static String twice(String line) {
        return line + System.lineSeparator() + line + System.lineSeparator();
    }

    // clears the screen, rings, and writes from right to left
    @Test
    void whatSomebodyWroteOnATopicDoesNothingToTheTerminal() {
        assertThat(said("by \u001b[2Jx\u0007\u202e\u009b1m")).isEqualTo(twice("by ?[2Jx???1m"));
    }

    @Test
    void linesColumnsAndLettersOfAllLanguagesStay() {
        String text = "a\tb\nc \u00fc\u05d0\u4e2d";
        assertThat(said(text)).isEqualTo(twice(text));
    }
}
