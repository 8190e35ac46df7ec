package io.praline.deploy.ordering;

import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Prediction.StepCost;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Bytes and time of an element at each step as a picture in SVG, in the user's order and in the one that was found. */
public final class OrderPlot {
    private static final int WIDTH = 960;
    private static final int LEFT = 190;
    private static final int RIGHT = 90;
    private static final int TOP = 48;
    private static final int ROW = 20;
    private static final int BAR = 14;
    private static final int GAP = 46;
    private static final double NANOS_PER_MICRO = 1e3;

    private record Order(String title, String colour, List<StepCost> steps) {}

    private record Panel(String title, ToDoubleFunction<StepCost> value) {}

    private static final List<Panel> PANELS = List.of(
            new Panel("bytes an element, behind the step", StepCost::bytesOut),
            new Panel("time an element, us", step -> step.nanos() / NANOS_PER_MICRO));

    private final StringBuilder svg = new StringBuilder();
    private final List<Order> orders;

    private OrderPlot(OrderPlan plan) {
        orders = List.of(
                new Order("as written", "#57606a", plan.before().steps()),
                new Order("as found", "#1f6feb", plan.after().steps()));
    }

    /** A picture of a plan; what it is expected to cost, from what was measured. */
    public static String svg(String pipeline, OrderPlan plan) {
        return new OrderPlot(plan).draw(pipeline);
    }

    private String draw(String pipeline) {
        int rows = orders.stream().mapToInt(order -> order.steps().size()).sum();
        int height = TOP + PANELS.size() * (rows * ROW + orders.size() * GAP);
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"sans-serif\" font-size=\"12\">",
                WIDTH, height, WIDTH, height);
        add("<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, height);
        text(20, 22, "start", "#24292f", "order of " + pipeline);
        int top = TOP;
        for (Panel panel : PANELS) {
            double most = orders.stream()
                    .flatMap(order -> order.steps().stream())
                    .mapToDouble(panel.value)
                    .max()
                    .orElse(1);
            for (Order order : orders) {
                text(20, top + 16, "start", order.colour, panel.title + ", " + order.title);
                top += GAP / 2;
                for (StepCost step : order.steps()) {
                    bar(step, panel.value.applyAsDouble(step), most, order.colour, top);
                    top += ROW;
                }
                top += GAP / 2;
            }
        }
        svg.append("</svg>\n");
        return svg.toString();
    }

    private void bar(StepCost step, double value, double most, String colour, int top) {
        double length = most > 0 ? (WIDTH - LEFT - RIGHT) * value / most : 0;
        text(LEFT - 8, top + BAR - 2, "end", "#24292f", step.name());
        add(
                "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>",
                LEFT, top, Math.max(1, length), BAR, colour);
        text(LEFT + length + 6, top + BAR - 2, "start", "#57606a", format(value < 100 ? "%,.2f" : "%,.0f", value));
    }

    private void text(double x, double y, String anchor, String colour, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
                x, y, anchor, colour, escaped(text));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    private void add(String pattern, Object... values) {
        svg.append(format(pattern, values)).append('\n');
    }
}
