package io.praline.worker.storage;

import java.net.URI;
import java.util.Optional;

/**
 * How S3 is reached; credentials are found as all programs of AWS find them.
 *
 * @param endpoint of a store that is not AWS's own, as {@code http://host:port}
 * @param region empty: as the environment says, else {@code us-east-1} where an endpoint is given
 * @param pathStyle whether a bucket's name stands in the path, as many stores want it, and not in the host's name
 */
public record S3Settings(Optional<URI> endpoint, Optional<String> region, boolean pathStyle) {
    /** AWS itself, in the region of the environment. */
    public static final S3Settings USUAL = new S3Settings(Optional.empty(), Optional.empty(), false);

    public S3Settings {
        endpoint.ifPresent(S3Settings::check);
        region.filter(String::isBlank).ifPresent(blank -> {
            throw new IllegalArgumentException("s3-region must not be empty");
        });
    }

    private static void check(URI endpoint) {
        boolean web = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
        if (!web || endpoint.getHost() == null) {
            throw new IllegalArgumentException("s3-endpoint must be like http://host:port, is '" + endpoint + "'");
        }
    }

    /** Settings as they are written. */
    public static S3Settings of(Optional<String> endpoint, Optional<String> region, boolean pathStyle) {
        return new S3Settings(endpoint.map(S3Settings::uri), region, pathStyle);
    }

    private static URI uri(String written) {
        try {
            return URI.create(written);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("s3-endpoint must be like http://host:port, is '" + written + "'", e);
        }
    }
}
