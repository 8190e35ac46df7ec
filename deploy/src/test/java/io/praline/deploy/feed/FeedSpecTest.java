package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.client.CacheMode;
import io.praline.client.JobSpec;
import io.praline.client.Keeping;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedSpecTest {
    /** The pipeline is in the message. */
    private static final Connections NONE = new Connections() {
        @Override
        public FeedCluster open(FeedSpec feed) {
            throw new AssertionError("nothing is opened");
        }

        @Override
        public JobSpec read(Path file) {
            throw new AssertionError("no file is read");
        }

        @Override
        public JobSpec steps(String text) {
            return JobSpec.of(text.getBytes(StandardCharsets.UTF_8)).components(List.of("from steps"));
        }

        @Override
        public void close() {}
    };

    private static FeedSpec of(String json) {
        try {
            return new FeedSpec(new ObjectMapper().readTree(json), new byte[] {1});
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void whatIsSaidOfOrderCacheAndGoalReachesTheJob() {
        JobSpec job = of("{'order':'tolerant','cache':'full','price_storage':0.5,'price_fetch':0.25,'target':'time'}"
                        .replace('\'', '"'))
                .job(NONE);
        assertThat(job.promise().order()).contains(JobSpec.Order.TOLERANT);
        assertThat(job.keeping()).isEqualTo(new Keeping(CacheMode.FULL, 0.5, 0.25));
        assertThat(job.scaling().goal()).isEqualTo(JobSpec.Goal.TIME);
    }

    @Test
    void whatIsNotSaidIsAsInAnyJob() {
        JobSpec usual = JobSpec.of(new byte[] {1});
        JobSpec job = of("{}").job(NONE);
        assertThat(job.promise().order()).isEqualTo(usual.promise().order());
        assertThat(job.keeping()).isEqualTo(usual.keeping());
        assertThat(job.scaling()).isEqualTo(usual.scaling());
    }

    @Test
    void stepsMakeTheGraphAndNamesOfTheUsersReplaceTheirs() {
        JobSpec job = of("{\"steps\":\"text\"}").job(NONE);
        assertThat(job.graph().bytes()).isEqualTo(new byte[] {'t', 'e', 'x', 't'});
        assertThat(job.graph().componentNames()).containsExactly("from steps");
        assertThat(of("{\"steps\":\"text\",\"names\":[\"a\"]}")
                        .job(NONE)
                        .graph()
                        .componentNames())
                .containsExactly("a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "order | fast | order must be 'exact' or 'tolerant' or 'pecan' or 'off', is 'fast'",
                "cache | EVERYTHING | cache must be 'auto' or 'off' or 'source' or 'prefix' or 'full', is 'EVERYTHING'",
                "target | money | target must be 'cost' or 'time' or 'balanced', is 'money'",
            })
    void aWordThatIsNoneOfThemIsRefusedWithThoseThatAre(String name, String word, String line) {
        FeedSpec feed = of("{\"" + name + "\":\"" + word + "\"}");
        assertThatThrownBy(() -> feed.job(NONE)).hasMessage(line);
    }

    @Test
    void whatAnotherVersionSaysIsRefused() {
        assertThatThrownBy(() -> of("{\"colour\":1}")).hasMessageContaining("does not know [colour]");
    }
}
