package io.praline.deploy.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.client.CacheMode;
import io.praline.client.JobSpec;
import io.praline.client.Keeping;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeedSpecTest {
    /** The pipeline is in the message. */
    private static final Connections NONE = new Connections() {
        @Override
        public FeedCluster open(FeedSpec feed, Consumer<String> waitsFor) {
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
    void ranksOfOtherProcessesNeedAClusterThatTheyFind() {
        FeedSpec shared = of("{'consumers':2,'rank':1,'job':'run7'}".replace('\'', '"'));
        assertThatThrownBy(() -> shared.requireNoOthers(Optional.of("2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the 2 processes of this run (WORLD_SIZE) share a job, and no cluster is named or up that all of"
                                + " them find: start one by 'praline up', or name one by PRALINE_URL");
        assertThatCode(() -> {
                    shared.requireNoOthers(Optional.empty()); // threads of this one
                    shared.requireNoOthers(Optional.of("1"));
                    of("{}").requireNoOthers(Optional.of("2")); // each has a job of its own
                })
                .doesNotThrowAnyException();
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

    // Jackson reads "two" as 0, 2.5 as 2 and 4294967297 as 1 where an int is asked for
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "epochs | 'two' | epochs must be a whole number of 32 bits, is 'two'",
                "epochs | 2.5 | epochs must be a whole number of 32 bits, is 2.5",
                "skip_bad | 4294967297 | skip_bad must be a whole number of 32 bits, is 4294967297",
                "max_local | true | max_local must be a whole number of 32 bits, is true",
                "seed | 9223372036854775808 | seed must be a whole number of 64 bits, is 9223372036854775808",
                "max_batch_bytes | '1k' | max_batch_bytes must be a whole number of 64 bits, is '1k'",
                "cap | 'much' | cap must be a number, is 'much'",
                "tenant | 3 | tenant must be a string, is 3",
                "names | 'image' | names must be a list, is 'image'",
            })
    void whatIsOfAnotherKindIsRefusedAndNotReadAsSomethingElse(String name, String value, String line) {
        FeedSpec feed = of("{'%s':%s}".formatted(name, value).replace('\'', '"'));
        assertThatThrownBy(() -> feed.job(NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(line.replace('\'', '"'));
    }

    @Test
    void whatAnotherVersionSaysIsRefused() {
        assertThatThrownBy(() -> of("{\"colour\":1}")).hasMessageContaining("does not know [colour]");
    }
}
