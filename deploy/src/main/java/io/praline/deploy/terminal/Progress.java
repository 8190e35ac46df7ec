package io.praline.deploy.terminal;

import java.time.Duration;
import java.util.function.Consumer;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** How far something is, on standard error: a bar on a terminal, a line now and then elsewhere. Any thread. */
public final class Progress implements AutoCloseable {

    private static final int WIDTH = 100;

    private final ProgressBar bar;

    private Progress(ProgressBar bar) {
        this.bar = bar;
    }

    /**
     * Begins.
     *
     * @param unit what is counted, such as {@code images}
     * @param total how many there will be; -1 where nobody knows
     */
    public static Progress of(String task, String unit, long total) {
        boolean terminal = Boolean.getBoolean("praline.terminal");
        return new Progress(new ProgressBarBuilder()
                .setTaskName(task)
                .setInitialMax(total)
                .setUnit(" " + unit, 1)
                .showSpeed()
                .setStyle(terminal ? ProgressBarStyle.COLORFUL_UNICODE_BLOCK : ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis((int)
                        Duration.ofSeconds(terminal ? 0 : 5).plusMillis(200).toMillis())
                .setConsumer(
                        terminal
                                ? new ConsoleProgressBarConsumer(System.err, WIDTH)
                                : new DelegatingProgressBarConsumer(new NewLines(System.err::println), WIDTH))
                .build());
    }

    public void by(long more) {
        bar.stepBy(more);
    }

    public void to(long now) {
        bar.stepTo(now);
    }

    public void total(long known) {
        bar.maxHint(known);
    }

    /** What stands behind the bar, such as how many workers there are. */
    public void note(String text) {
        bar.setExtraMessage(" " + OutputOptions.plain(text));
    }

    @Override
    public void close() {
        bar.close();
    }

    /** The bar says its last line once more at the end; a log wants it once. */
    public static final class NewLines implements Consumer<String> {

        private final Consumer<String> out;
        private String last = "";

        public NewLines(Consumer<String> out) {
            this.out = out;
        }

        @Override
        public synchronized void accept(String line) {
            if (!line.equals(last)) {
                last = line;
                out.accept(line);
            }
        }
    }
}
