package io.praline.worker.storage;

import io.praline.worker.storage.StoreFailed.Kind;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.apache.http.conn.ConnectTimeoutException;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;

/** What the answers of S3 mean for somebody who wants to read, or to write. */
final class S3Failures {
    private static final int REDIRECTED = 301;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int TIMED_OUT = 408;
    private static final int PRECONDITION = 412;
    private static final int NO_SUCH_RANGE = 416;
    private static final int TOO_MANY = 429;
    private static final int SERVER = 500;

    private static final Set<String> CREDENTIALS = Set.of(
            "InvalidAccessKeyId",
            "SignatureDoesNotMatch",
            "ExpiredToken",
            "InvalidToken",
            "TokenRefreshRequired",
            "InvalidSecurity");
    private static final Set<String> REGION =
            Set.of("PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException");
    private static final Set<String> LATER = Set.of(
            "RequestTimeout",
            "SlowDown",
            "Throttling",
            "RequestLimitExceeded",
            // somebody else writes the same name just now
            "ConditionalRequestConflict",
            "OperationAborted");

    /** What was asked for, in the words of messages. */
    enum Wanted {
        READ("given", "give", "read", "list and read"),
        WRITE("taken", "take", "write", "read and write");

        private final String passive;
        private final String verb;
        private final String permission;
        private final String permissions;

        Wanted(String passive, String verb, String permission, String permissions) {
            this.passive = passive;
            this.verb = verb;
            this.permission = permission;
            this.permissions = permissions;
        }
    }

    private S3Failures() {}

    static StoreFailed failed(String address, S3Settings settings, SdkException failure) {
        return failed(address, settings, Wanted.READ, failure);
    }

    static StoreFailed failed(String address, S3Settings settings, Wanted wanted, SdkException failure) {
        return failure instanceof AwsServiceException answer
                ? answered(address, settings, wanted, answer)
                : unanswered(address, settings, wanted, failure);
    }

    private static StoreFailed answered(
            String address, S3Settings settings, Wanted wanted, AwsServiceException answer) {
        Optional<AwsErrorDetails> details = Optional.ofNullable(answer.awsErrorDetails());
        String code = details.map(AwsErrorDetails::errorCode).orElse("");
        int status = answer.statusCode();
        String bucket = bucket(address);
        if (LATER.contains(code) || status >= SERVER || status == TOO_MANY || status == TIMED_OUT) {
            return new StoreFailed(
                    Kind.BUSY,
                    address + " is not " + wanted.passive + " for now: " + where(settings) + " says "
                            + said(status, code),
                    answer);
        }
        if (status == PRECONDITION || status == NO_SUCH_RANGE) {
            return new StoreFailed(Kind.CHANGED, address + " was changed", answer);
        }
        if (code.equals("NoSuchBucket")) {
            return refused(
                    where(settings) + " has no bucket '" + bucket + "' (" + address
                            + "); check its name, or say which store" + " it is in with --s3-endpoint",
                    answer);
        }
        if (CREDENTIALS.contains(code)) {
            return refused(
                    where(settings) + " does not take the credentials for " + address + " (" + code
                            + "); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or another profile, for the workers",
                    answer);
        }
        if (code.equals("RequestTimeTooSkewed")) {
            return refused(
                    where(settings) + " does not take the time of this worker's clock for " + address
                            + "; set it right",
                    answer);
        }
        if (REGION.contains(code) || status == REDIRECTED) {
            String right = details.map(AwsErrorDetails::sdkHttpResponse)
                    .flatMap(response -> response.firstMatchingHeader("x-amz-bucket-region"))
                    .map(region -> "it is in " + region + "; say --s3-region " + region)
                    .orElse("say which with --s3-region");
            return refused(
                    "the bucket '" + bucket + "' is not in the region that was asked (" + address + "); " + right,
                    answer);
        }
        if (status == FORBIDDEN) {
            return refused(
                    "the credentials of this worker may not " + wanted.permission + " " + address + " ("
                            + said(status, code) + "); let them " + wanted.permissions + " the bucket '" + bucket + "'",
                    answer);
        }
        if (status == NOT_FOUND) {
            return refused(where(settings) + " has no object " + address + "; check bucket and key", answer);
        }
        if (status == BAD_REQUEST) {
            return refused(
                    where(settings) + " does not take a request for " + address + " (" + said(status, code)
                            + "); check --s3-endpoint, --s3-region and --s3-path-style",
                    answer);
        }
        return refused(
                where(settings) + " does not " + wanted.verb + " " + address + " (" + said(status, code) + ")", answer);
    }

    private static StoreFailed unanswered(String address, S3Settings settings, Wanted wanted, SdkException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException
                    || cause instanceof ConnectException
                    || cause instanceof ConnectTimeoutException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof SSLException) {
                return new StoreFailed(
                        Kind.UNREACHABLE,
                        where(settings) + " cannot be reached for " + address + " (" + oneLine(cause)
                                + "); check --s3-endpoint, and whether it runs",
                        failure);
            }
        }
        String message = String.valueOf(failure.getMessage());
        if (message.contains("credentials")) {
            return refused(
                    "there are no credentials for " + address
                            + "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile, for the workers",
                    failure);
        }
        if (message.contains("region")) {
            return refused("no region is known for " + address + "; say --s3-region, or set AWS_REGION", failure);
        }
        return new StoreFailed(
                Kind.BUSY,
                address + " cannot be " + (wanted == Wanted.READ ? "read" : "written") + " for now: "
                        + oneLine(failure),
                failure);
    }

    private static StoreFailed refused(String message, SdkException cause) {
        return new StoreFailed(Kind.REFUSED, message, cause);
    }

    private static String said(int status, String code) {
        return code.isEmpty() ? Integer.toString(status) : status + " " + code;
    }

    private static String where(S3Settings settings) {
        return settings.endpoint().map(endpoint -> "the store at " + endpoint).orElse("S3");
    }

    private static String bucket(String address) {
        String rest = address.substring(S3Files.SCHEME.length());
        int slash = rest.indexOf('/');
        return slash < 0 ? rest : rest.substring(0, slash);
    }

    private static String oneLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
