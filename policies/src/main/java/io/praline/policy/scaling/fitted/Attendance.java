package io.praline.policy.scaling.fitted;

import io.praline.policy.Observation;
import io.praline.policy.Observation.WindowClosed;
import io.praline.policy.PolicyState;
import io.praline.policy.Target;
import io.praline.policy.scaling.fitted.FittedMemory.Progress;
import java.util.List;

/**
 * Which of the workers that a job asked for serve it:
 *
 * <pre>
 *   waited     at or after the last change of the target + {@value #PATIENCE_SECONDS} s
 *   shortWindows  windows in a row with fewer workers of a kind than wanted, the first of them waited for
 *   isShort    shortWindows &gt;= {@value #PATIENCE}: it is planned with the workers of that kind that serve, no more
 *   keepsWish  of such a kind as many as wanted, or fewer than serve: so that it is not asked up and down
 * </pre>
 *
 * @param state of the job, which asked for {@code state.wanted()}
 */
record Attendance(PolicyState state) {
    private static final int PATIENCE = 3;

    /** However short windows are, a worker is given so long to come. */
    private static final int PATIENCE_SECONDS = 30;

    /** One window more in which workers were missing, or in which none was. */
    Progress counted(WindowClosed window, Progress progress) {
        Target wanted = state.wanted();
        boolean fewer = window.remoteTasks() < wanted.remote() || window.localTasks() < wanted.local();
        boolean missed = fewer && (progress.shortWindows() > 0 || waited(window));
        return progress.shorter(missed ? progress.shortWindows() + 1 : 0);
    }

    boolean isShort(Progress progress) {
        return progress.shortWindows() >= PATIENCE;
    }

    /** Whoever it began with is given time to come and to be measured: without that it would choose between guesses. */
    boolean awaitsFirst(Observation seen, FittedMemory learned) {
        Target wanted = state.wanted();
        boolean unmeasured = (wanted.remote() > 0 && learned.remoteRates().isEmpty())
                || (wanted.local() > 0 && learned.localRates().isEmpty());
        return unmeasured && learned.progress().changes() == 0 && !waited(seen);
    }

    /** Workers that were asked for just now may still come. */
    private boolean waited(Observation seen) {
        return !seen.at().isBefore(state.scaledAt().plusSeconds(PATIENCE_SECONDS));
    }

    /**
     * Whether a target keeps the wish for workers that have not come: it goes on asking for as many, or needs fewer than
     * serve. Who may take minutes to start would never come if it were asked up and down meanwhile.
     */
    boolean keepsWish(Target target) {
        Target served = served();
        return keepsWish(target.remote(), state.wanted().remote(), served.remote())
                && keepsWish(target.local(), state.wanted().local(), served.local());
    }

    /** Of a kind that is there as wished, any number serves. */
    private static boolean keepsWish(int target, int wanted, int served) {
        return served >= wanted || target >= wanted || target < served;
    }

    /** Those that served the last window, if there is one; of a kind that is there as wished, there may be any number. */
    Target served() {
        List<WindowClosed> windows = state.windows();
        Target served = windows.isEmpty()
                ? state.granted()
                : windows.get(windows.size() - 1).tasks();
        return new Target(
                served.remote() < state.wanted().remote() ? served.remote() : Integer.MAX_VALUE,
                served.local() < state.wanted().local() ? served.local() : Integer.MAX_VALUE);
    }
}
