package io.praline.deploy.scenario;

import io.praline.policy.simulation.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Runs as a picture in SVG: workers, batch time and money over time, a colour for each policy. */
public final class CoursePlot {
    private static final List<String> COLOURS =
            List.of("#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#57606a", "#bf3989");
    private static final int WIDTH = 960;
    private static final int LEFT = 70;
    private static final int RIGHT = 20;
    private static final int TOP = 64;
    private static final int PANEL = 150;
    private static final int GAP = 44;
    private static final int BOTTOM = 40;
    private static final int TICKS = 5;
    /** Of the batch times, which garbage and the slow beginning would flatten otherwise. */
    private static final double SHOWN = 0.97;

    /** What one panel shows; points without a value are left out. */
    private record Panel(String title, boolean stairs, double shown, ToDoubleFunction<Point> value) {}

    private static final List<Panel> PANELS = List.of(
            new Panel("remote workers", true, 1, point -> point.serving().remote()),
            new Panel("local workers", true, 1, point -> point.serving().local()),
            new Panel(
                    "batch time, ms", false, SHOWN, point -> point.batchMillis().orElse(Double.NaN)),
            new Panel("money spent", false, 1, Point::spent));

    private final StringBuilder svg = new StringBuilder();
    private final Map<String, List<Point>> courses;
    private final double seconds;

    private CoursePlot(Map<String, List<Point>> courses) {
        this.courses = courses;
        seconds = courses.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Point::seconds)
                .max()
                .orElse(1);
    }

    /** A picture of runs by policy. */
    public static String svg(String scenario, Map<String, List<Point>> courses) {
        return new CoursePlot(courses).draw(scenario);
    }

    private String draw(String scenario) {
        int height = TOP + PANELS.size() * (PANEL + GAP) - GAP + BOTTOM;
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, height, WIDTH, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, height);
        text(LEFT, 20, "start", "#24292f", "scenario " + scenario);
        legend();
        for (int i = 0; i < PANELS.size(); i++) {
            panel(PANELS.get(i), i, TOP + i * (PANEL + GAP), i == PANELS.size() - 1);
        }
        svg.append("</svg>\n");
        return svg.toString();
    }

    private void legend() {
        int x = LEFT;
        int at = 0;
        for (String policy : courses.keySet()) {
            String colour = colour(at++);
            add("<rect x=\"%d\" y=\"30\" width=\"18\" height=\"4\" fill=\"%s\"/>", x, colour);
            text(x + 24, 37, "start", colour, policy);
            x += 44 + 8 * policy.length();
        }
    }

    private void panel(Panel panel, int number, int top, boolean last) {
        double most = most(panel);
        add(
                "<clipPath id=\"p%d\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/></clipPath>",
                number, LEFT, top - 2, WIDTH - LEFT - RIGHT, PANEL + 4);
        text(LEFT, top - 8, "start", "#24292f", panel.title);
        for (int tick = 0; tick <= TICKS; tick++) {
            double share = (double) tick / TICKS;
            double y = top + PANEL * (1 - share);
            add("<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#d8dee4\"/>", LEFT, y, WIDTH - RIGHT, y);
            text(LEFT - 6, y + 4, "end", "#57606a", number(most * share));
            if (last) {
                double x = LEFT + (WIDTH - LEFT - RIGHT) * share;
                text(x, top + PANEL + 18, "middle", "#57606a", number(seconds / 60 * share) + " min");
            }
        }
        int at = 0;
        for (List<Point> course : courses.values()) {
            line(panel, number, course, top, most, colour(at++));
        }
    }

    private double most(Panel panel) {
        double[] sorted = courses.values().stream()
                .flatMap(List::stream)
                .mapToDouble(panel.value)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            return 1;
        }
        double most = sorted[(int) Math.ceil(panel.shown * sorted.length) - 1];
        return most > 0 ? niceAbove(most) : 1;
    }

    /** The next of 1, 2, 3, 4, 5, 6, 8, 10 times a power of ten. */
    private static double niceAbove(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double nice : new double[] {1, 2, 3, 4, 5, 6, 8}) {
            if (value <= nice * power) {
                return nice * power;
            }
        }
        return 10 * power;
    }

    private void line(Panel panel, int number, List<Point> course, int top, double most, String colour) {
        List<String> path = new ArrayList<>();
        double before = 0;
        for (Point point : course) {
            double value = panel.value.applyAsDouble(point);
            if (Double.isNaN(value)) {
                continue;
            }
            double x = LEFT + (WIDTH - LEFT - RIGHT) * point.seconds() / seconds;
            if (panel.stairs) {
                path.add(at(x, before, top, most));
            }
            path.add(at(x, value, top, most));
            before = value;
        }
        add(
                "<polyline clip-path=\"url(#p%d)\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" points=\"%s\"/>",
                number, colour, String.join(" ", path));
    }

    private static String at(double x, double value, int top, double most) {
        return String.format(Locale.ROOT, "%.1f,%.1f", x, top + PANEL * (1 - value / most));
    }

    private void text(double x, double y, String anchor, String colour, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                x, y, anchor, colour, escaped(text));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : value < 1 ? "%.2f" : "%.1f", value);
    }

    private static String colour(int at) {
        return COLOURS.get(at % COLOURS.size());
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
