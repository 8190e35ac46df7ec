package io.praline.deploy.page;

import io.praline.dispatcher.convert.DecisionWriter;
import io.praline.policy.Command.ScaleTo;
import io.praline.policy.Decision;
import io.praline.policy.Observation;
import io.praline.policy.Observation.Granted;
import io.praline.policy.Observation.Pinned;
import io.praline.policy.Observation.Planned;
import io.praline.policy.Observation.TermsSet;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.schema.JournalEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A journal in a few lines, for tests: an entry a second. */
final class Entries {
    private final String job;
    private final List<JournalEntry> all = new ArrayList<>();

    Entries(String job) {
        this.job = job;
    }

    private Instant at() {
        return Instant.ofEpochSecond(100 + all.size());
    }

    Entries took(Observation seen, Decision decision) {
        all.add(JournalEntry.newBuilder()
                .setJob(job)
                .setPool("default")
                .setSequence(all.size())
                .setAtMillis(seen.at().toEpochMilli())
                .setObservation(DecisionWriter.observed(job, seen))
                .setDecision(DecisionWriter.decided(job, decision))
                .setReason(decision.reason())
                .setNumbers(new TreeMap<>(decision.numbers()))
                .build());
        return this;
    }

    private Entries saw(Observation seen) {
        return took(seen, Decision.nothing(seen.at(), "nothing is worth a change"));
    }

    Entries begun(Terms terms) {
        return saw(new TermsSet(at(), terms)).saw(new Planned(at(), 8, 1_000, false));
    }

    Entries singleTask() {
        return saw(new TermsSet(at(), Terms.USUAL)).saw(new Planned(at(), 8, 1_000, true));
    }

    Entries wants(int remote, int local) {
        return took(
                new Observation.Clock(at()),
                Decision.of(at(), new ScaleTo(new Target(remote, local)), "it is faster so"));
    }

    /** Its shadow policy wants as many. */
    Entries shadowWants(int remote, int local) {
        Instant at = at();
        took(
                new Observation.Clock(at),
                Decision.of(at, new ScaleTo(new Target(remote, local)), "shadow policy pecan: it would"));
        JournalEntry last = all.remove(all.size() - 1);
        all.add(JournalEntry.newBuilder(last)
                .setObservation(DecisionWriter.shadow(job, new Observation.Clock(at)))
                .build());
        return this;
    }

    Entries has(int remote, int local) {
        return saw(new Granted(at(), new Target(remote, local)));
    }

    Entries pinned(int remote, int local) {
        return saw(new Pinned(at(), Optional.of(new Target(remote, local))));
    }

    /** Of 2 s, with 100 batches of 32 elements. */
    Entries window(int remote, int local, double waitShare) {
        return saw(new WindowClosed(at(), 0, 100, 3_200, 2, waitShare, 1, local, remote, false));
    }

    List<JournalEntry> all() {
        return List.copyOf(all);
    }

    JobFigures figures() {
        JobFigures figures = JobFigures.NONE;
        for (JournalEntry entry : all) {
            figures = figures.then(entry);
        }
        return figures;
    }
}
