package io.praline.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.dispatcher.convert.Event;
import io.praline.dispatcher.convert.RowRecords;
import io.praline.dispatcher.ledger.Ledger;
import io.praline.dispatcher.turn.Dispatching;
import io.praline.dispatcher.turn.fault.BrokenState;
import io.praline.dispatcher.turn.fault.JobFault;
import io.praline.dispatcher.turn.whole.Containment;
import io.praline.dispatcher.turn.whole.Effect;
import io.praline.dispatcher.turn.whole.Effect.SetAside;
import io.praline.dispatcher.turn.whole.Partition;
import io.praline.schema.JobRequest;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.FakeRegistry;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done with an event whose effect cannot be written, time after time. */
class SetAsideTest {
    private static final AvroCodec CODEC = new AvroCodec(new FakeRegistry().settings());
    private static final Instant AT = Instant.ofEpochMilli(1_000_000_000_000L);
    private final RuntimeException broken = new IllegalStateException("broken");
    private final RuntimeException away = new IllegalStateException("away");
    private static final Event CLOCK = new Event.Tick(AT.plusSeconds(1), Rig.POOL);

    /** What is thrown when effects are written, one after another. */
    private final Deque<Throwable> faults = new ArrayDeque<>();

    private final Map<String, JobStatus> statuses = new TreeMap<>();
    private final List<String> setAside = new ArrayList<>();
    private final Partition partition = new Partition(
            new MapRows(),
            (rows, out, steps) -> new Dispatching(new Ledger(rows), new RowRecords(CODEC), Rig.RULES, out, steps),
            this::write);
    private final Containment containment = new Containment(partition, away::equals);

    private void write(Effect effect) {
        Throwable fault = faults.poll();
        if (fault instanceof Error error) {
            throw error;
        }
        if (fault instanceof RuntimeException thrown) {
            throw thrown;
        }
        effect.writeRows(Integer.MAX_VALUE);
        effect.statuses().forEach(status -> statuses.put(status.getJob(), status));
        effect.setAside().stream().map(SetAside::what).forEach(setAside::add);
    }

    private static Event submission(String job) {
        return new Event.Request(
                AT,
                Rig.POOL,
                new JobRequest(Rig.POOL, job, "client", Rig.submit().build()),
                Optional.empty());
    }

    private Optional<String> take(Event event, Throwable... thrown) {
        faults.addAll(List.of(thrown));
        return containment.take(event, "here");
    }

    private JobState state(String job) {
        return statuses.get(job).getState();
    }

    @BeforeEach
    void jobs() {
        assertThat(take(submission("steady"))).isEmpty();
        assertThat(take(submission("victim"))).isEmpty();
    }

    @Test
    void whatThrowsOnceIsTakenAgain() {
        assertThat(take(submission("new"), broken)).isEmpty();
        assertThat(take(submission("newer"), new StackOverflowError())).isEmpty();

        assertThat(state("new")).isEqualTo(JobState.WAITING);
        assertThat(state("newer")).isEqualTo(JobState.WAITING);
        assertThat(setAside).isEmpty();
    }

    @Test
    void whatIsNobodysFaultHereGoesOnAndIsNotTakenAgain() {
        assertThatThrownBy(() -> take(submission("new"), away)).isSameAs(away);
        assertThatThrownBy(() -> take(submission("new"), new JobFault("victim", away)))
                .isSameAs(away);
        assertThatThrownBy(() -> take(submission("new"), broken, away)).isSameAs(away);
        BrokenState state = new BrokenState("a newer format");
        assertThatThrownBy(() -> take(submission("new"), state)).isSameAs(state);

        assertThat(statuses).containsOnlyKeys("steady", "victim");
    }

    @Test
    void aJobThatIsAtFaultFailsAndTheEventIsTakenWithoutIt() {
        JobFault fault = new JobFault("victim", broken);
        String why = "the record here cannot be taken: java.lang.IllegalStateException: broken";

        assertThat(take(submission("new"), fault, fault)).contains(why);
        assertThat(state("new")).isEqualTo(JobState.WAITING);
        assertThat(state("victim")).isEqualTo(JobState.FAILED);
        assertThat(statuses.get("victim").getReason()).isEqualTo(why);
        assertThat(state("steady")).isEqualTo(JobState.WAITING);
        assertThat(setAside).containsExactly("job victim");
    }

    @Test
    void thatTimePassedIsNoRecordsFault() {
        JobFault fault = new JobFault("victim", broken);

        assertThat(take(CLOCK, fault, fault)).isEmpty();
        assertThat(statuses.get("victim").getReason())
                .isEqualTo("it cannot go on: java.lang.IllegalStateException: broken");
        assertThat(setAside).containsExactly("job victim");
        assertThat(take(CLOCK, broken, broken)).contains("it cannot go on: java.lang.IllegalStateException: broken");
    }

    /** Nothing is thrown this time. */
    private static final class Fine extends Exception {
        private static final long serialVersionUID = 1;
    }

    // the event throws twice, the job is set aside, and the event throws at it once more
    @Test
    void aJobIsSetAsideOnceAndThenTheEventIsRefused() {
        JobFault fault = new JobFault("victim", broken);

        assertThat(take(submission("new"), fault, fault, new Fine(), fault)).isPresent();
        assertThat(setAside).containsExactly("job victim");
        assertThat(state("victim")).isEqualTo(JobState.FAILED);
        assertThat(state("new")).isEqualTo(JobState.FAILED);
    }

    @Test
    void aJobThatCannotFailInOrderIsDropped() {
        for (Throwable worse : List.of(broken, new StackOverflowError())) {
            String job = worse == broken ? "victim" : "deep";
            JobFault fault = new JobFault(job, broken);
            take(submission(job));
            setAside.clear();

            take(CLOCK, fault, fault, worse);
            assertThat(setAside).containsExactly("all rows of job " + job);
            assertThat(state(job)).isEqualTo(JobState.FAILED);
        }
        assertThat(state("steady")).isEqualTo(JobState.WAITING);
    }

    @Test
    void aServiceThatIsAwayMeanwhileIsNoJobsFault() {
        JobFault fault = new JobFault("victim", broken);

        assertThatThrownBy(() -> take(CLOCK, fault, fault, away)).isSameAs(away);
        assertThatThrownBy(() -> take(CLOCK, fault, fault, broken, away)).isSameAs(away);
        assertThatThrownBy(() -> take(submission("new"), broken, broken, away)).isSameAs(away);
        assertThat(state("victim")).isEqualTo(JobState.WAITING);
        assertThat(statuses).doesNotContainKey("new");
    }

    @Test
    void whereNotEvenThatCanBeWrittenTheEventIsLeftOut() {
        JobFault fault = new JobFault("victim", broken);

        assertThat(take(CLOCK, fault, fault, broken, broken)).isEmpty();
        assertThat(state("victim")).isEqualTo(JobState.WAITING);
        assertThat(take(submission("new"), broken, broken, broken)).isPresent();
        assertThat(statuses).doesNotContainKey("new");
    }

    // nobody else is to blame: the id of the fault is nobody's, or the event's own job is not there
    @Test
    void whoWaitsForASubmissionThatCannotBeTakenIsTold() {
        JobFault nobodys = new JobFault("nobody", broken);
        for (Throwable thrown : List.of(broken, nobodys)) {
            assertThat(take(submission("new"), thrown, thrown))
                    .contains("the record here cannot be taken: java.lang.IllegalStateException: broken");
        }
        assertThat(take(submission("deep"), new StackOverflowError(), new StackOverflowError()))
                .contains("the record here cannot be taken: java.lang.StackOverflowError");

        assertThat(state("new")).isEqualTo(JobState.FAILED);
        assertThat(state("deep")).isEqualTo(JobState.FAILED);
        assertThat(statuses.get("deep").getReason())
                .isEqualTo("the record here cannot be taken: java.lang.StackOverflowError");
        assertThat(setAside).isEmpty();
    }

    @Test
    void anEventOfAJobBlamesThatJob() {
        assertThat(take(submission("victim"), broken, broken)).isPresent();

        assertThat(setAside).containsExactly("job victim");
        assertThat(state("victim")).isEqualTo(JobState.FAILED);
    }

    @Test
    void aFaultBelongsToTheInnermostJob() {
        assertThat(new JobFault("victim", broken)).hasMessage("job victim: java.lang.IllegalStateException: broken");
        assertThat(JobFault.in("victim", () -> 5)).isEqualTo(5);
        JobFault inner = new JobFault("inner", broken);
        assertThatThrownBy(() -> JobFault.in("victim", () -> {
                    throw inner;
                }))
                .isSameAs(inner);
        assertThatThrownBy(() -> JobFault.in("victim", (Runnable) () -> {
                    throw broken;
                }))
                .isInstanceOf(JobFault.class)
                .extracting(thrown -> ((JobFault) thrown).job())
                .isEqualTo("victim");
    }
}
