package io.praline.deploy.page;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who may look. Where it listens on loopback alone, requests must name loopback: a page elsewhere whose name was made to lead
 * here (DNS rebinding) names itself. Where a token is set, requests must show it, or the cookie that it was exchanged for.
 *
 * @param loopback whether only this host reaches it
 * @param token what has to be shown; empty: nothing
 */
record Access(boolean loopback, Optional<String> token) {
    /** Shorter ones can be tried out. */
    private static final int SHORTEST = 16;

    private static final String BEARER = "Bearer ";
    /** By name, and each address of IPv4's that is loopback: Debian gives a host's own name one of its own. */
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.(25[0-5]|2[0-4]\\d|1\\d\\d|\\d{1,2})){3}");

    private static final Pattern IPV6 = Pattern.compile("\\[[0-9a-f:.]+]");

    Access {
        if (!loopback && token.isEmpty()) {
            throw new IllegalArgumentException("whoever reaches this port may look: set a token by --token-file, or"
                    + " listen on 127.0.0.1 and forward the port, as ssh -L does");
        }
        token.filter(text -> text.length() < SHORTEST).ifPresent(text -> {
            throw new IllegalArgumentException("the token must have at least " + SHORTEST + " characters, has "
                    + text.length() + "; openssl rand -hex 32 makes one");
        });
    }

    static Access of(InetAddress address, Optional<String> token) {
        return new Access(address.isLoopbackAddress(), token);
    }

    /** Whether the name in a request's Host header may be one of ours; its port may be a forwarded one. */
    boolean isForUs(Optional<String> host) {
        return !loopback || host.map(Access::name).filter(Access::isLoopback).isPresent();
    }

    private static boolean isLoopback(String name) {
        try {
            return LOOPBACK.matcher(name).matches()
                    || (IPV6.matcher(name).matches()
                            && InetAddress.getByName(name).isLoopbackAddress());
        } catch (UnknownHostException none) {
            return false;
        }
    }

    private static String name(String host) {
        return host.strip().toLowerCase(Locale.ROOT).replaceFirst(":\\d{1,5}$", "");
    }

    /** What the cookie holds in the token's place. */
    Optional<String> cookie() {
        return token.map(text -> hash("praline console\n" + text));
    }

    /**
     * Whether the request may be answered.
     *
     * @param authorization its header
     * @param cookie that it came with
     */
    boolean isLetIn(Optional<String> authorization, Optional<String> cookie) {
        return token.isEmpty()
                || authorization
                        .filter(header -> header.startsWith(BEARER))
                        .filter(header -> isToken(header.substring(BEARER.length())))
                        .isPresent()
                || cookie.filter(shown -> same(shown, cookie().orElseThrow())).isPresent();
    }

    boolean isToken(String shown) {
        return token.filter(text -> same(text, shown)).isPresent();
    }

    /** In the same time wherever they differ, whatever their lengths. */
    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                hash(one).getBytes(StandardCharsets.US_ASCII), hash(other).getBytes(StandardCharsets.US_ASCII));
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }
}
