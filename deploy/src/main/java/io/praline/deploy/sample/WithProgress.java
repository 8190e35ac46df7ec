package io.praline.deploy.sample;

import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.deploy.terminal.Progress;
import java.util.function.Consumer;

/** Trains and shows on standard error how far it is. */
public final class WithProgress {

    private WithProgress() {}

    /**
     * Runs the job to its end.
     *
     * @param say gets a line where nothing comes for long, with the reason
     */
    public static Trainer.Outcome train(
            Trainer trainer, PralineClient client, JobSpec spec, String unit, Consumer<String> say)
            throws InterruptedException {
        Waits waits = new Waits(say);
        try (Progress progress = Progress.of("training", unit, -1)) {
            return trainer.train(client, spec, moment -> {
                if (moment.expected() > 0) {
                    progress.total(moment.expected());
                }
                show(progress, waits, moment);
            });
        }
    }

    /**
     * As one more loop of a job that is there; how much of it comes here, nobody knows.
     *
     * @param say gets a line where nothing comes for long, with the reason
     */
    public static Trainer.Outcome attend(
            Trainer trainer, PralineClient client, String job, int consumer, boolean replace, Consumer<String> say)
            throws InterruptedException {
        Waits waits = new Waits(say);
        try (Progress progress = Progress.of("training", "elements", -1)) {
            return trainer.attend(client, job, consumer, replace, moment -> show(progress, waits, moment));
        }
    }

    private static void show(Progress progress, Waits waits, Trainer.Moment moment) {
        waits.told(moment, System.nanoTime());
        progress.to(moment.elements());
        progress.note(moment.inWords());
    }
}
