package io.praline.deploy.cli.pipeline;

import io.praline.policy.Counted;
import io.praline.worker.graph.ordering.step.StepDescription;
import io.praline.worker.profile.MeasuredSteps;
import io.praline.worker.profile.Profile;
import io.praline.worker.profile.StepMeasure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a sample told of a pipeline, as people and programs read it. */
record ProfileView(MeasuredSteps measuredSteps) {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private Profile profile() {
        return measuredSteps.profile();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("measured    " + measured());
        lines.add(line("step", "kind", "time an element", "share", "bytes an element", "times", "behind it"));
        Map<String, StepDescription> steps = new HashMap<>();
        measuredSteps.steps().forEach(step -> steps.put(measuredSteps.measured().get(step.name()), step));
        for (StepMeasure step : profile().steps()) {
            Optional<StepDescription> described = Optional.ofNullable(steps.get(step.name()));
            lines.add(line(
                    described.map(StepDescription::name).orElse(step.name()),
                    described.map(one -> word(one)).orElse("source"),
                    time(profile().nanosPerRecord(step)),
                    format("%.1f %%", 100 * profile().share(step)),
                    format("%,.0f", bytesPerRecord(step)),
                    Profile.inflation(step).map(times -> format("%.2f", times)).orElse(""),
                    described.map(one -> Shapes.of(one.after())).orElse("")));
        }
        bottleneck()
                .ifPresent(step -> lines.add("bottleneck  " + step.name() + ": "
                        + format("%.0f", 100 * profile().share(step)) + " % of the time, "
                        + time(profile().nanosPerRecord(step)) + " an element"));
        return lines;
    }

    private static String word(StepDescription step) {
        return step.kind().name().toLowerCase(Locale.ROOT) + (step.draws() ? ", random" : "");
    }

    private String measured() {
        String read = Counted.of(profile().records(), "element") + " of "
                + Counted.of(profile().splits(), "split") + " in "
                + format("%.2f s, on one thread", profile().took().toNanos() / NANOS_PER_SECOND);
        if (!profile().ended()) {
            read += "; then the time was up, before all had come out";
        }
        if (profile().few()) {
            read += (profile().all() ? "; there are no more, and " : "; ")
                    + profile().wanted().elements() + " were wanted: take the figures with care";
        }
        return read;
    }

    private static String line(
            String name, String kind, String time, String share, String bytes, String times, String behind) {
        return format("  %-24s %-19s %15s %8s %16s %8s  %s", name, kind, time, share, bytes, times, behind)
                .stripTrailing();
    }

    private double bytesPerRecord(StepMeasure step) {
        return profile().records() == 0
                ? 0
                : (double) step.bytesOut() / profile().records();
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
        object.put("elements", profile().records());
        object.put("splits", profile().splits());
        object.put("seconds", profile().took().toNanos() / NANOS_PER_SECOND);
        object.put("ended", profile().ended());
        object.put("enough", !profile().few());
        object.put("nanosPerCall", Math.round(profile().callNanos()));
        object.put("bottleneck", bottleneck().map(StepMeasure::name).orElse(null));
        return object;
    }

    /** Each step between the source and the end, with what was measured of it. */
    List<Map<String, Object>> steps() {
        return measuredSteps.steps().stream().map(this::step).toList();
    }

    private Map<String, Object> step(StepDescription step) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", step.name());
        object.put("transformation", step.transformation());
        object.put("kind", step.kind().name());
        object.put("random", step.draws());
        object.put("components", Shapes.of(step.after()));
        measuredSteps.measure(step.name()).ifPresent(measure -> object.putAll(object(measure)));
        return object;
    }

    /** What was measured of a transformation, all of its steps together; nothing where it took no part. */
    Map<String, Object> transformation(String name) {
        return whole(name).map(this::object).orElse(Map.of());
    }

    private Optional<StepMeasure> whole(String name) {
        List<StepMeasure> parts = measuredSteps.steps().stream()
                .filter(step -> step.transformation().equals(name))
                .flatMap(step -> measuredSteps.measure(step.name()).stream())
                .toList();
        return parts.isEmpty() ? profile().step(name) : Optional.of(joined(name, parts));
    }

    /** The transformation that takes most of the time, all of its steps together; a source is one. Empty where none took any. */
    private Optional<StepMeasure> bottleneck() {
        Set<String> parts = Set.copyOf(measuredSteps.measured().values());
        return Stream.concat(
                        profile().steps().stream().filter(step -> !parts.contains(step.name())),
                        measuredSteps.steps().stream()
                                .map(StepDescription::transformation)
                                .distinct()
                                .flatMap(name -> whole(name).stream()))
                .filter(step -> step.nanos() > 0)
                .max(Comparator.comparingLong(StepMeasure::nanos));
    }

    /** Pieces are called one by one, and their transformation once. */
    private StepMeasure joined(String name, List<StepMeasure> parts) {
        StepMeasure last = parts.get(parts.size() - 1);
        long nanos = parts.stream().mapToLong(StepMeasure::nanos).sum();
        double calls = profile().callNanos() * last.elements() * (parts.size() - 1);
        return new StepMeasure(
                name, last.elements(), parts.get(0).bytesIn(), last.bytesOut(), Math.max(0, nanos - (long) calls));
    }

    private Map<String, Object> object(StepMeasure step) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("elements", step.elements());
        object.put("bytesIn", step.bytesIn());
        object.put("bytesOut", step.bytesOut());
        object.put("inflation", Profile.inflation(step).orElse(null));
        object.put("nanos", step.nanos());
        object.put("nanosPerElement", Math.round(profile().nanosPerRecord(step)));
        object.put("share", profile().share(step));
        return object;
    }
}
