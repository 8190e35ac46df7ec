package io.praline.deploy.sample;

import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.deploy.terminal.Progress;

/** Trains and shows on standard error how far it is. */
public final class WithProgress {

    private WithProgress() {}

    public static Trainer.Outcome train(Trainer trainer, PralineClient client, JobSpec spec, String unit)
            throws InterruptedException {
        try (Progress progress = Progress.of("training", unit, -1)) {
            return trainer.train(client, spec, moment -> {
                if (moment.expected() > 0) {
                    progress.total(moment.expected());
                }
                show(progress, moment);
            });
        }
    }

    /** As one more loop of a job that is there; how much of it comes here, nobody knows. */
    public static Trainer.Outcome attend(
            Trainer trainer, PralineClient client, String job, int consumer, boolean replace)
            throws InterruptedException {
        try (Progress progress = Progress.of("training", "elements", -1)) {
            return trainer.attend(client, job, consumer, replace, moment -> show(progress, moment));
        }
    }

    private static void show(Progress progress, Trainer.Moment moment) {
        progress.to(moment.elements());
        progress.note(moment.inWords());
    }
}
