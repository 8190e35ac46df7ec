package io.praline.deploy.sample;

import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.deploy.console.Progress;

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
                progress.to(moment.elements());
                progress.note(moment.inWords());
            });
        }
    }
}
