package io.praline.deploy.sample;

import io.praline.client.JobResult;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.JobView;
import io.praline.deploy.terminal.OrderStateView;
import io.praline.policy.Counted;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a run tells at its end.
 *
 * @param unit what is counted, one of them, such as {@code image}
 */
public record TrainingReport(Trainer.Outcome outcome, String unit) {

    public List<String> lines() {
        JobResult result = outcome.result();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "job %s %s: %s in %s, %.1f s, %.0f %ss/s, %.1f MB/s",
                result.job(),
                result.state(),
                Counted.of(outcome.elements(), unit),
                Counted.of(outcome.batches(), "batch", "batches"),
                outcome.seconds(),
                outcome.elementsPerSecond(),
                unit,
                outcome.mbPerSecond()));
        lines.add(String.format(
                Locale.ROOT,
                "first batch after %.0f ms, end of the stream known %.1f ms after the last batch was asked past",
                outcome.firstBatchMs(),
                outcome.endWaitMs()));
        for (EpochProgress epoch : result.epochs()) {
            StringBuilder line = new StringBuilder(String.format(
                    Locale.ROOT, "epoch %d: %s", epoch.getEpoch(), Counted.of(epoch.getConsumed(), unit)));
            for (Exclusion exclusion : epoch.getExcluded()) {
                line.append(", ")
                        .append(exclusion.getElements())
                        .append(" excluded (")
                        .append(exclusion.getReason());
                line.append(')');
            }
            lines.add(line.toString());
        }
        lines.add("missing " + inWords(result.missing()) + ", duplicates " + inWords(result.duplicates()) + " ("
                + result.guarantee().name().toLowerCase(Locale.ROOT).replace('_', ' ')
                + (result.guaranteeReasons().isEmpty() ? "" : ": " + String.join("; ", result.guaranteeReasons()))
                + ")");
        if (result.inDoubt() > 0) {
            lines.add(Counted.of(result.inDoubt(), unit)
                    + " in doubt: a consumer that is gone may have them, see 'praline job " + result.job() + "'");
        }
        if (result.possiblyTwice() > 0) {
            lines.add(Counted.of(result.possiblyTwice(), unit)
                    + " possibly trained twice: consumers were lost that may have had them");
        }
        OrderStateView.ofMoved(result.order()).ifPresent(order -> lines.add("order " + order.line()));
        if (result.cache().hits() > 0) {
            lines.add(Counted.of(result.cache().hits(), unit) + " came from entries that were kept: "
                    + Failures.oneLine(result.cache().why()));
        }
        lines.add("workers " + result.workers().remote() + " remote, "
                + result.workers().local() + " local");
        if (!result.transformations().isEmpty()) {
            lines.add("where the time went:");
            lines.addAll(JobView.transformations(result.transformations()));
        }
        if (result.taken().elements() == 0) {
            result.notes().forEach(note -> lines.add("note: " + Failures.oneLine(note)));
        }
        result.badRecords().forEach(bad -> lines.add("bad record: " + Failures.oneLine(bad)));
        return lines;
    }

    private static String inWords(OptionalLong count) {
        return count.isPresent() ? Long.toString(count.getAsLong()) : "not known";
    }

    public Map<String, Object> object() {
        JobResult result = outcome.result();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", result.job());
        object.put("state", result.state().name());
        object.put("consumers", result.consumers());
        object.put("inDoubt", result.inDoubt());
        object.put("possiblyTwice", result.possiblyTwice());
        object.put("guarantee", result.guarantee().name());
        object.put("guaranteeReasons", result.guaranteeReasons());
        object.put("notes", result.notes());
        object.put("elements", outcome.elements());
        object.put("batches", outcome.batches());
        object.put("bytes", outcome.bytes());
        object.put("seconds", outcome.seconds());
        object.put("elementsPerSecond", outcome.elementsPerSecond());
        object.put("mbPerSecond", outcome.mbPerSecond());
        object.put("firstBatchMs", outcome.firstBatchMs());
        object.put("endWaitMs", outcome.endWaitMs());
        object.put("workersLocal", result.workers().local());
        object.put("workersRemote", result.workers().remote());
        object.put("missing", orNull(result.missing()));
        object.put("duplicates", orNull(result.duplicates()));
        object.put(
                "epochs",
                result.epochs().stream().map(EpochProgress::getConsumed).toList());
        object.put(
                "transformations",
                result.transformations().stream().map(JobView::transformation).toList());
        object.put("badRecords", result.badRecords());
        object.put("cacheHits", result.cache().hits());
        object.put("cache", result.cache().why());
        object.put(
                "order",
                OrderStateView.ofMoved(result.order())
                        .map(OrderStateView::object)
                        .orElse(null));
        return object;
    }

    private static Long orNull(OptionalLong count) {
        return count.isPresent() ? count.getAsLong() : null;
    }
}
