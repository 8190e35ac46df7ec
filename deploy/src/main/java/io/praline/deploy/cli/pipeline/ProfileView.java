package io.praline.deploy.cli.pipeline;

import io.praline.worker.profile.Profile;
import io.praline.worker.profile.StepMeasure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a sample told of a pipeline, as people and programs read it. */
record ProfileView(Profile profile) {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("measured    " + measured());
        lines.add(line("step", "time an element", "share", "bytes an element", "times"));
        for (StepMeasure step : profile.steps()) {
            lines.add(line(
                    step.name(),
                    time(profile.nanosPerRecord(step)),
                    format("%.1f %%", 100 * profile.share(step)),
                    format("%,.0f", bytesPerRecord(step)),
                    Profile.inflation(step).map(times -> format("%.2f", times)).orElse("")));
        }
        profile.bottleneck()
                .ifPresent(step -> lines.add("bottleneck  " + step.name() + ": "
                        + format("%.0f", 100 * profile.share(step)) + " % of the time, "
                        + time(profile.nanosPerRecord(step)) + " an element"));
        return lines;
    }

    private String measured() {
        String read = profile.records()
                + (profile.records() == 1 ? " element of " : " elements of ")
                + profile.splits()
                + (profile.splits() == 1 ? " split in " : " splits in ")
                + format("%.2f s, on one thread", profile.took().toNanos() / NANOS_PER_SECOND);
        if (!profile.ended()) {
            read += "; then the time was up, before all had come out";
        }
        if (profile.few()) {
            read += (profile.all() ? "; there are no more, and " : "; ")
                    + profile.wanted().elements() + " were wanted: take the figures with care";
        }
        return read;
    }

    private static String line(String name, String time, String share, String bytes, String times) {
        return format("  %-16s %15s %8s %18s %8s", name, time, share, bytes, times)
                .stripTrailing();
    }

    private double bytesPerRecord(StepMeasure step) {
        return profile.records() == 0 ? 0 : (double) step.bytesOut() / profile.records();
    }

    private static String time(double nanos) {
        double micros = nanos / NANOS_PER_MICRO;
        return micros < MICROS_PER_MILLI
                ? format(micros < 10 ? "%.2f us" : "%.1f us", micros)
                : format("%.2f ms", micros / MICROS_PER_MILLI);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** How the sample was taken. */
    Map<String, Object> sample() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("elements", profile.records());
        object.put("splits", profile.splits());
        object.put("seconds", profile.took().toNanos() / NANOS_PER_SECOND);
        object.put("ended", profile.ended());
        object.put("enough", !profile.few());
        object.put("nanosPerCall", Math.round(profile.callNanos()));
        object.put("bottleneck", profile.bottleneck().map(StepMeasure::name).orElse(null));
        return object;
    }

    /** What was measured of a step; nothing where it took no part. */
    Map<String, Object> step(String name) {
        Map<String, Object> object = new LinkedHashMap<>();
        profile.step(name).ifPresent(step -> {
            object.put("elements", step.elements());
            object.put("bytesIn", step.bytesIn());
            object.put("bytesOut", step.bytesOut());
            object.put("inflation", Profile.inflation(step).orElse(null));
            object.put("nanos", step.nanos());
            object.put("nanosPerElement", Math.round(profile.nanosPerRecord(step)));
            object.put("share", profile.share(step));
        });
        return object;
    }
}
