package io.praline.policy.simulation;

import io.praline.policy.Target;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** What is written down of one job of a pool. */
final class Tally {
    /** A window's workers, and how many remote ones it could have had if all jobs wished for all. */
    private record Served(Target workers, int evenShare) {}

    private final World world;
    private final Map<Integer, Target> bests;
    private final Course course;
    private final Deque<Served> last = new ArrayDeque<>();
    private double begin;
    private double now;
    private double spent;
    private int dropped;
    private int windows;
    private int underShare;
    private int longestUnderShare;
    private double got;
    private double fair;

    /**
     * Of a job that has not come yet.
     *
     * @param bests of that world, by remote workers at most; filled as they are needed, and shared with others in it
     */
    Tally(World world, Map<Integer, Target> bests) {
        this.world = world;
        this.bests = bests;
        course = new Course(world);
    }

    void begin(double at) {
        begin = at;
        now = at;
    }

    /** Until now it was served by these. */
    void advance(double to, Target serving) {
        spent += world.cost(serving, serving, to - now);
        now = to;
    }

    void wants(Target target) {
        course.wants(target, spent);
    }

    void windowOver(boolean accepted, boolean straddles, Target serving, double fairShare, double evenShare) {
        windows++;
        if (!accepted) {
            dropped++;
        }
        if (!straddles) {
            course.windowOver(spent);
        }
        got += serving.remote();
        fair += fairShare;
        underShare = serving.remote() < whole(fairShare) ? underShare + 1 : 0;
        longestUnderShare = Math.max(longestUnderShare, underShare);
        last.add(new Served(serving, Math.max(1, whole(evenShare))));
        if (last.size() > Convergence.HOLD) {
            last.remove();
        }
    }

    /** Shares are sums of fractions. */
    private static int whole(double share) {
        return (int) Math.floor(share + 1e-9);
    }

    int windows() {
        return windows;
    }

    int longestUnderShare() {
        return longestUnderShare;
    }

    /** Remote workers, summed over its windows. */
    double got() {
        return got;
    }

    /** What would have been fair, summed over its windows. */
    double fair() {
        return fair;
    }

    /** What comes of it, once it has closed a window. */
    Outcome outcome() {
        Outcome wanted = course.outcome(dropped, now - begin, spent);
        double cost = 0;
        double best = 0;
        double regret = 0;
        for (Served served : last) {
            Target ideal = bests.computeIfAbsent(served.evenShare, world::best);
            cost += world.epochCost(served.workers);
            best += world.epochCost(ideal);
            regret += world.value(served.workers) / world.value(ideal) - 1;
        }
        return new Outcome(
                last.getLast().workers,
                cost / last.size(),
                best / last.size(),
                regret / last.size(),
                wanted.convergence(),
                wanted.changesFollowed(),
                windows,
                dropped,
                now - begin,
                spent);
    }
}
