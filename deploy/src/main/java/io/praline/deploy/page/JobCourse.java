package io.praline.deploy.page;

import io.praline.dispatcher.convert.JournalKind;
import io.praline.dispatcher.convert.ObservationReader;
import io.praline.dispatcher.convert.WallTime;
import io.praline.policy.Observation;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.Target;
import io.praline.schema.JournalEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How a job went over time, by its journal.
 *
 * @param points one a window, in order
 * @param marks where its workers were to become others, in order
 */
record JobCourse(List<Point> points, List<Mark> marks) {
    /** As many as a screen can show; of more each second is left out, as often as needed. */
    private static final int MOST_POINTS = 2_000;

    private static final int MOST_MARKS = 500;

    /**
     * What was measured, and what it had cost until then; NaN where that is not known.
     *
     * @param shadow what its shadow policy wanted last; empty where it has none, or that wanted nothing yet
     */
    record Point(
            long atMillis,
            double batchMillis,
            double waitShare,
            double elementsPerSecond,
            Target workers,
            double spent,
            Optional<Target> shadow) {}

    /** A decision that changed the workers wanted. */
    record Mark(long atMillis, long sequence, Target wanted, String reason) {}

    /** The course in these entries of one job. */
    static JobCourse of(List<JournalEntry> entries) {
        List<Point> points = new ArrayList<>();
        List<Mark> marks = new ArrayList<>();
        JobFigures figures = JobFigures.NONE;
        Optional<Target> shadow = Optional.empty();
        for (JournalEntry entry : entries) {
            figures = figures.then(entry);
            if (JournalKind.isOfAShadow(entry.getObservation().getKind())) {
                Optional<Target> wanted = wanted(entry);
                shadow = wanted.isPresent() ? wanted : shadow;
                continue;
            }
            Optional<Observation> seen = seen(entry);
            if (seen.isPresent() && seen.get() instanceof WindowClosed window && window.batches() > 0) {
                points.add(new Point(
                        WallTime.millis(entry),
                        window.seconds() / window.batches() * 1e3,
                        window.waitShare(),
                        figures.elementsPerSecond(),
                        figures.state().granted(),
                        figures.whole() ? figures.state().spending().amount() : Double.NaN,
                        shadow));
            }
            if (seen.isPresent()) {
                wanted(entry)
                        .ifPresent(target -> marks.add(
                                new Mark(WallTime.millis(entry), entry.getSequence(), target, entry.getReason())));
            }
        }
        return new JobCourse(thinned(points), marks.subList(Math.max(0, marks.size() - MOST_MARKS), marks.size()));
    }

    /** What was decided last in the entry. */
    private static Optional<Target> wanted(JournalEntry entry) {
        return ObservationReader.target(entry.getDecision());
    }

    private static Optional<Observation> seen(JournalEntry entry) {
        try {
            return ObservationReader.observation(entry);
        } catch (IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    private static List<Point> thinned(List<Point> all) {
        List<Point> kept = all;
        while (kept.size() > MOST_POINTS) {
            List<Point> fewer = new ArrayList<>();
            // the last one stays
            for (int i = (kept.size() - 1) % 2; i < kept.size(); i += 2) {
                fewer.add(kept.get(i));
            }
            kept = fewer;
        }
        return List.copyOf(kept);
    }

    /** Columns of equal length, as charts take them. */
    Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("atMillis", points.stream().map(Point::atMillis).toList());
        object.put("batchMillis", points.stream().map(Point::batchMillis).toList());
        object.put("waitShare", points.stream().map(Point::waitShare).toList());
        object.put(
                "elementsPerSecond",
                points.stream().map(Point::elementsPerSecond).toList());
        object.put(
                "remote", points.stream().map(point -> point.workers().remote()).toList());
        object.put(
                "local", points.stream().map(point -> point.workers().local()).toList());
        List<Double> spent = new ArrayList<>();
        points.forEach(point -> spent.add(Double.isNaN(point.spent()) ? null : point.spent()));
        object.put("spent", spent);
        object.put("shadowRemote", shadows(Target::remote));
        object.put("shadowLocal", shadows(Target::local));
        object.put("decisions", marks.stream().map(JobCourse::mark).toList());
        return object;
    }

    private List<Integer> shadows(Function<Target, Integer> part) {
        List<Integer> column = new ArrayList<>();
        points.forEach(point -> column.add(point.shadow().map(part).orElse(null)));
        return column;
    }

    private static Map<String, Object> mark(Mark mark) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("atMillis", mark.atMillis());
        object.put("sequence", mark.sequence());
        object.put("remote", mark.wanted().remote());
        object.put("local", mark.wanted().local());
        object.put("reason", mark.reason());
        return object;
    }
}
