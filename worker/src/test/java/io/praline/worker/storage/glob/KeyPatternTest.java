package io.praline.worker.storage.glob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyPatternTest {
    @ParameterizedTest
    @CsvSource({
        "train-*.tfrecord, train-1.tfrecord, true",
        "train-*.tfrecord, deep/train-1.tfrecord, false",
        "*, a, true",
        "*, a/b, false",
        "*, .a, false",
        ".*, .a, true",
        "a/*/c, a/b/c, true",
        "a/*/c, a/b/b/c, false",
        "a/**/c, a/c, true",
        "a/**/c, a/b/b/c, true",
        "a/**/c, a/.b/c, false",
        "a/**, a/b, true",
        "a/**, a/b/c, true",
        "a/**, a, false",
        "**/x.txt, x.txt, true",
        "a/[bc]?, a/b1, true",
        "a/[bc]?, a/d1, false",
        "a\\*b, a*b, true",
        "a\\*b, axb, false"
    })
    void keysMatchAsPathsDo(String pattern, String key, boolean matches) {
        KeyPattern compiled = new KeyPattern(pattern);
        assertThat(compiled.matches(key)).isEqualTo(matches);
        assertThat(!matches || key.startsWith(compiled.prefix())).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"train-*.tfrecord, train-", "a/b/**, a/b/", "a/b, a/b", "a\\*b*, a"})
    void whatIsListedIsAsLittleAsThePatternLets(String pattern, String prefix) {
        assertThat(new KeyPattern(pattern).prefix()).isEqualTo(prefix);
    }
}
