package io.praline.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final Access OPEN = new Access(true, Optional.empty());
    private static final Access GUARDED = new Access(false, Optional.of(TOKEN));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST:80",
                "127.0.0.1:8465",
                "[::1]:8465",
                "localhost:9000",
                "127.0.1.1:8465",
                "127.255.255.254",
                "[0:0:0:0:0:0:0:1]:8465"
            })
    void namesOfLoopbackAreOurs(String host) {
        assertThat(OPEN.isForUs(Optional.of(host))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "127.0.0.1.evil.example:8465",
                "localhost.evil.example",
                "10.0.0.1",
                "",
                ":1",
                "127.0.0.256",
                "127.1",
                "[fe80::1]:8465",
                "[::1",
                "[::1].evil.example"
            })
    void othersAreNot(String host) {
        assertThat(OPEN.isForUs(Optional.of(host))).isFalse();
        assertThat(OPEN.isForUs(Optional.empty())).isFalse();
    }

    @Test
    void whereThereIsATokenAnyNameIsOurs() {
        assertThat(GUARDED.isForUs(Optional.of("console.example"))).isTrue();
    }

    @Test
    void onlyTheTokenOrItsCookieLetsIn() {
        assertThat(OPEN.isLetIn(Optional.empty(), Optional.empty())).isTrue();
        assertThat(GUARDED.isLetIn(Optional.empty(), Optional.empty())).isFalse();
        assertThat(GUARDED.isLetIn(Optional.of("Bearer " + TOKEN), Optional.empty()))
                .isTrue();
        assertThat(GUARDED.isLetIn(Optional.of("Bearer " + TOKEN + "x"), Optional.empty()))
                .isFalse();
        assertThat(GUARDED.isLetIn(Optional.of(TOKEN), Optional.empty())).isFalse();
        assertThat(GUARDED.isLetIn(Optional.empty(), GUARDED.cookie())).isTrue();
        assertThat(GUARDED.isLetIn(Optional.empty(), Optional.of(TOKEN))).isFalse();
    }

    @Test
    void nobodyElsewhereLooksWithoutAToken() {
        assertThatThrownBy(() -> new Access(false, Optional.empty()))
                .hasMessageContaining("set a token by --token-file");
        assertThatThrownBy(() -> new Access(true, Optional.of("short")))
                .hasMessage("the token must have at least 16 characters, has 5; openssl rand -hex 32 makes one");
    }
}
