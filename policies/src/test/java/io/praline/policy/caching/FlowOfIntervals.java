package io.praline.policy.caching;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** Intervals of time with values, of which so many may overlap: the most that can be taken, by successive longest ways. */
final class FlowOfIntervals {
    private static final int UNLIMITED = Integer.MAX_VALUE;

    /** To a moment, and back: its pair has the number that differs in the last bit. */
    private static final class Edge {
        private final int to;
        private final double value;
        private int room;

        private Edge(int to, double value, int room) {
            this.to = to;
            this.value = value;
            this.room = room;
        }
    }

    private final List<Edge> edges = new ArrayList<>();
    private final List<List<Integer>> from = new ArrayList<>();

    FlowOfIntervals(int end) {
        for (int moment = 0; moment <= end; moment++) {
            from.add(new ArrayList<>());
        }
        for (int moment = 0; moment < end; moment++) {
            add(moment, moment + 1, 0, UNLIMITED);
        }
    }

    void interval(int begin, int end, double value) {
        add(begin, end, value, 1);
    }

    private void add(int begin, int end, double value, int room) {
        from.get(begin).add(edges.size());
        edges.add(new Edge(end, value, room));
        from.get(end).add(edges.size());
        edges.add(new Edge(begin, -value, 0));
    }

    /** With so many at a time. */
    double most(int overlapping) {
        double sum = 0;
        for (int i = 0; i < overlapping; i++) {
            double more = longest();
            if (more <= 0) {
                break;
            }
            sum += more;
        }
        return sum;
    }

    private double longest() {
        int end = from.size() - 1;
        double[] value = new double[from.size()];
        int[] came = new int[from.size()];
        boolean[] queued = new boolean[from.size()];
        Arrays.fill(value, Double.NEGATIVE_INFINITY);
        value[0] = 0;
        Deque<Integer> queue = new ArrayDeque<>(List.of(0));
        while (!queue.isEmpty()) {
            int at = queue.remove();
            queued[at] = false;
            for (int number : from.get(at)) {
                Edge edge = edges.get(number);
                if (edge.room > 0 && value[at] + edge.value > value[edge.to] + 1e-9) {
                    value[edge.to] = value[at] + edge.value;
                    came[edge.to] = number;
                    if (!queued[edge.to]) {
                        queued[edge.to] = true;
                        queue.add(edge.to);
                    }
                }
            }
        }
        for (int at = end; at != 0; at = edges.get(came[at] ^ 1).to) {
            Edge edge = edges.get(came[at]);
            edge.room -= edge.room == UNLIMITED ? 0 : 1;
            Edge back = edges.get(came[at] ^ 1);
            back.room += back.room == UNLIMITED ? 0 : 1;
        }
        return value[end];
    }
}
