package io.praline.worker.storage;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** How S3 is talked to: of data and of entries alike. */
final class S3Clients {
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration SILENCE = Duration.ofSeconds(15);
    private static final int CONNECTIONS = 64;

    private S3Clients() {}

    /** One that asks once: whoever asks asks again. */
    static S3Client of(S3Settings settings) {
        S3ClientBuilder builder = S3Client.builder()
                .httpClientBuilder(ApacheHttpClient.builder()
                        .maxConnections(CONNECTIONS)
                        .connectionTimeout(CONNECT)
                        .socketTimeout(SILENCE))
                .forcePathStyle(settings.pathStyle())
                // asked again by Retries, which knows what was gained, also where an answer breaks off
                .overrideConfiguration(each -> each.retryStrategy(AwsRetryStrategy.doNotRetry()));
        settings.region().map(Region::of).ifPresent(builder::region);
        if (settings.endpoint().isPresent()) {
            URI endpoint = settings.endpoint().get();
            builder.endpointOverride(endpoint)
                    .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                    .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
            if (settings.region().isEmpty()) {
                builder.region(regionOfTheEnvironment().orElse(Region.US_EAST_1));
            }
        }
        return builder.build();
    }

    /** When a store answered, by its own clock; by this host's where it does not say. */
    static Instant answered(SdkResponse answer) {
        try {
            return answer.sdkHttpResponse()
                    .firstMatchingHeader("Date")
                    .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant())
                    .orElseGet(Instant::now);
        } catch (DateTimeParseException unreadable) {
            return Instant.now();
        }
    }

    private static Optional<Region> regionOfTheEnvironment() {
        return Optional.ofNullable(System.getenv("AWS_REGION"))
                .filter(name -> !name.isBlank())
                .map(Region::of);
    }
}
