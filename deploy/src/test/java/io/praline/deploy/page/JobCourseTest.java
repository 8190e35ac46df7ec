package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.Target;
import io.praline.policy.Terms;
import java.util.Arrays;
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
}
