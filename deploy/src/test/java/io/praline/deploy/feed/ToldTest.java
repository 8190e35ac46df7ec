package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.praline.client.JobFailed;
import io.praline.schema.FailureKind;
import io.praline.topics.ServiceUnreachable;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ToldTest {
    private static String told(Throwable failure) {
        return StandardCharsets.UTF_8.decode(Told.failure(failure, "ID")).toString();
    }

    // the cluster is there: what cannot be reached is where the data lies
    @Test
    void whoMustReachWhatCannotBeReachedIsSaid() {
        assertThat(told(new JobFailed("j1", FailureKind.UNREACHABLE, "the store does not answer")))
                .contains("\"kind\":\"Unreachable\"", "it is the workers that must reach it; 'praline job j1'");
        assertThat(told(new ServiceUnreachable("Kafka at h:1", new IllegalStateException("no answer"))))
                .contains("\"kind\":\"Unreachable\"", "start a cluster with 'praline up'");
    }

    @Test
    void whatIsWrongInTheCallIsLookedUpThereAndWhatIsWrongInThePipelineWithItsOwnCommand() {
        assertThat(told(new IllegalArgumentException("epochs must be at least 1, is 0")))
                .contains("\"kind\":\"Refused\"", "help(praline.feed)");
        assertThat(told(new JobFailed("j1", FailureKind.REFUSED, "the pipeline calls Python code")))
                .contains("\"kind\":\"Refused\"", "'praline pipeline describe FILE'");
    }
}
