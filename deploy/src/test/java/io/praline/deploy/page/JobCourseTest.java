package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Target;
import io.praline.policy.Terms;
import io.praline.schema.Decided;
import io.praline.schema.JournalEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobCourseTest {
    @Test
    void whatAShadowPolicyWouldHaveIsToldBesideAndIsNoDecision() {
        JobCourse course = JobCourse.of(new Entries("train-7")
                .begun(Terms.USUAL)
                .window(0, 0, 0.5)
                .wants(2, 0)
                .shadowWants(4, 1)
                .has(2, 0)
                .window(2, 0, 0.4)
                .all());
        assertThat(course.marks()).extracting(JobCourse.Mark::wanted).containsExactly(new Target(2, 0));
        assertThat(course.object())
                .containsEntry("shadowRemote", Arrays.asList(null, 4))
                .containsEntry("shadowLocal", Arrays.asList(null, 1));
    }

    // as a dispatcher of another version may write it
    @Test
    void aTargetThatCannotBeReadIsNoMark() {
        List<JournalEntry> entries = new ArrayList<>(new Entries("train-7")
                .begun(Terms.USUAL)
                .wants(2, 0)
                .wants(3, 0)
                .window(2, 0, 0.4)
                .all());
        entries.set(
                2,
                JournalEntry.newBuilder(entries.get(2))
                        .setDecision(List.of(new Decided("scaleTo", "train-7", Map.of("workers", 2.0), Map.of())))
                        .build());
        assertThat(JobCourse.of(entries).marks())
                .extracting(JobCourse.Mark::wanted)
                .containsExactly(new Target(3, 0));
    }
}
