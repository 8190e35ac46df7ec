package io.praline.client;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.praline.client.channel.ChannelPool;
import io.praline.client.metrics.ConsumerIdentity;
import io.praline.client.metrics.WindowLimits;
import io.praline.schema.AttemptPlace;
import io.praline.topics.KafkaSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamLinksTest {
    // the thread of the channels is gone with an error, and nobody dials any more
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, NoClassDefFoundError.class})
    void whereAChannelCannotBeOpenedForWhateverReasonTheLoopHearsOfIt(Class<? extends Throwable> type)
            throws Exception {
        Throwable unexpected = type.getDeclaredConstructor(String.class).newInstance("unexpected");
        AttemptPlace place = new AttemptPlace() {
            @Override
            public List<String> getAddresses() {
                if (unexpected instanceof RuntimeException exception) {
                    throw exception;
                }
                throw (Error) unexpected;
            }
        };
        StreamFixture stream = new StreamFixture();
        ClientConfig config = new ClientConfig(
                KafkaSettings.of("h:1", "http://h:2"),
                Path.of("secret"),
                "default",
                "host",
                1 << 20,
                Duration.ofSeconds(30),
                Duration.ofHours(1),
                WindowLimits.DEFAULT,
                Optional.empty(),
                ChannelPath.AUTO,
                Optional.empty(),
                Optional.empty());
        try (ChannelPool pool = new ChannelPool()) {
            StreamLinks links = new StreamLinks(
                    config,
                    new ConsumerIdentity("default", StatusOf.JOB, 0, StatusOf.CLIENT, "host"),
                    new byte[32],
                    pool,
                    null,
                    null);
            links.start(stream.core);

            links.open(stream.lane(0, 0), place, 1);

            await().dontCatchUncaughtExceptions()
                    .atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> assertThatThrownBy(stream::turn).hasStackTraceContaining("unexpected"));
        }
    }
}
