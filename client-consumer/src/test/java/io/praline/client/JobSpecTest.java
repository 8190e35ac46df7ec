package io.praline.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.praline.schema.Guarantee;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class JobSpecTest {
    private final JobSpec spec = JobSpec.of(new byte[0]);

    @Test
    void leavesScalingToTheDispatcherUnlessToldOtherwise() {
        assertThat(spec.scaling()).isEqualTo(JobSpec.Scaling.USUAL);
        assertThat(spec.maxLocal(2).maxRemote(0).prices(3, 0.5).cap(10).scaling())
                .isEqualTo(new JobSpec.Scaling(
                        JobSpec.Scaling.USUAL.policy(),
                        JobSpec.Goal.COST,
                        new JobSpec.Prices(OptionalDouble.of(3), OptionalDouble.of(0.5), OptionalDouble.empty()),
                        new JobSpec.Limits(OptionalInt.of(0), 2),
                        OptionalDouble.of(10)));
    }

    @Test
    void waitsForAConsumerForAWholeSecondOrMore() {
        assertThat(spec.consumerPatience(Duration.ofSeconds(90))
                        .consumers(3)
                        .epochs(2)
                        .seed(5)
                        .visits())
                .isEqualTo(new JobSpec.Visits(2, 5, 3, Duration.ofSeconds(90)));
        assertThatThrownBy(() -> spec.consumerPatience(Duration.ofMillis(999)))
                .hasMessage("consumerPatience must be at least a second, and below 68 years, is PT0.999S");
    }

    // whatever is said behind it
    @Test
    void howEqualResultsMustBeIsLeftToTheDispatcherUnlessToldOtherwise() {
        assertThat(spec.promise().order()).isEmpty();
        assertThat(spec.order(JobSpec.Order.TOLERANT)
                        .guarantee(Guarantee.AT_LEAST_ONCE, true)
                        .skipBad(3)
                        .batchLimitBytes(9)
                        .manualAcknowledge()
                        .promise())
                .isEqualTo(new JobSpec.Promise(
                        Guarantee.AT_LEAST_ONCE, true, 3, 9, true, Optional.of(JobSpec.Order.TOLERANT)));
    }

    // a loop that asks for a component by name would get one of two, and never see the other
    @Test
    void componentsOfOneNameAreNoSpec() {
        assertThat(spec.components(List.of("a", "b")).graph().componentNames()).containsExactly("a", "b");
        assertThatThrownBy(() -> spec.components(List.of("a", "b", "a")))
                .hasMessage("the names of components must differ, and none be empty, are a, b, a");
        assertThatThrownBy(() -> spec.components(List.of("a", "")))
                .hasMessage("the names of components must differ, and none be empty, are a, ");
    }

    @Test
    void moreConsumersThanAJobMayHaveAreNoSpec() {
        assertThat(spec.consumers(10_000).visits().consumers()).isEqualTo(10_000);
        assertThatThrownBy(() -> spec.consumers(10_001)).hasMessage("consumers must be at most 10000, is 10001");
        assertThatThrownBy(() -> spec.consumers(0)).hasMessage("consumers must be at least 1, is 0");
    }

    // the dispatcher would put its request aside, and the client wait for ever
    @Test
    void aTenantOrAPoolWithoutANameIsRefusedWhereItIsSaid() {
        ClientConfig config = ClientConfig.of(KafkaSettings.of("h:1", "http://h:2"), Path.of("secret"));
        for (String none : List.of("", "a\nb", "t".repeat(201))) {
            assertThatThrownBy(() -> spec.tenant(none)).hasMessageStartingWith("tenant must be 1 to 200 bytes");
            assertThatThrownBy(() -> config.withPool(none)).hasMessageStartingWith("pool must be 1 to 200 bytes");
        }
    }

    @Test
    void namesWhatIsWrongWithPricesLimitsAndCap() {
        assertThatThrownBy(() -> spec.prices(-1, 1))
                .hasMessage("the price of the client's host must be 0 or more, and finite, is -1.0");
        assertThatThrownBy(() -> spec.prices(1, Double.NaN)).hasMessageContaining("of a remote worker");
        assertThatThrownBy(() -> spec.cap(0)).hasMessage("the cap must be above 0 and finite, is 0.0");
        assertThatThrownBy(() -> spec.maxLocal(-1)).hasMessage("maxLocal must not be negative, is -1");
        assertThatThrownBy(() -> spec.maxRemote(0)).hasMessageContaining("maxRemote and maxLocal are both 0");
    }
}
