package io.praline.topics;

import java.util.List;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Kafka or the registry does not answer, or does not let us in. The message is one line: what, where, why, what to do. */
public final class ServiceUnreachable extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final String UNSPECIFIC = "Authorization failed";

    private final boolean refused;

    public ServiceUnreachable(String message, Throwable cause) {
        this(message, cause, isRefusal(cause));
    }

    private ServiceUnreachable(String message, Throwable cause, boolean refused) {
        super(message, cause);
        this.refused = refused;
    }

    /** A service that answers, and does not let us in. */
    public static ServiceUnreachable refused(String message, Throwable cause) {
        return new ServiceUnreachable(message, cause, true);
    }

    /** What Kafka's clients threw, told by what is to be done about it. */
    public static ServiceUnreachable kafka(KafkaSettings settings, Throwable thrown) {
        String kafka = "Kafka at " + settings.bootstrap();
        Throwable around = thrown;
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SslAuthenticationException) {
                return new ServiceUnreachable(
                        kafka + " and this program do not trust each other: " + oneLine(cause)
                                + "; check the ssl properties in the file of --kafka-config",
                        thrown);
            }
            if (cause instanceof AuthenticationException) {
                return new ServiceUnreachable(
                        kafka + " does not let this user in: " + oneLine(cause)
                                + "; check the sasl properties in the file of --kafka-config",
                        thrown);
            }
            if (cause instanceof AuthorizationException) {
                return new ServiceUnreachable(
                        kafka + " does not allow this user enough: " + lacking((AuthorizationException) cause, around)
                                + "; grant what deploy/ACLS.md lists for this program",
                        thrown);
            }
            around = cause;
        }
        return new ServiceUnreachable(
                kafka + " cannot be reached: " + oneLine(thrown)
                        + "; check that it runs, and that its address and the file of --kafka-config are right",
                thrown);
    }

    /** Kafka answers and has no such topics. */
    public static ServiceUnreachable noTopic(KafkaSettings settings, List<String> topics) {
        return new ServiceUnreachable(
                "Kafka at " + settings.bootstrap() + " has no topic " + String.join(", ", topics)
                        + "; create it with 'praline topics create'",
                new UnknownTopicOrPartitionException(topics.get(0)));
    }

    /**
     * Whether the service is there and says no: a user is not let in or not allowed enough, or topics are missing. Who waits
     * for a service that is away does not wait for that.
     */
    public boolean isAnswer() {
        return refused || getCause() instanceof UnknownTopicOrPartitionException;
    }

    /** Whether it is about a user that is not let in or not allowed enough: trying again brings nothing. */
    public static boolean isRefusal(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthenticationException || cause instanceof AuthorizationException) {
                return true;
            }
        }
        return false;
    }

    /** Brokers do not always say what it is about; who asked may. */
    private static String lacking(AuthorizationException refused, Throwable around) {
        if (refused instanceof TransactionalIdAuthorizationException) {
            return "it lacks WRITE on its transactional id";
        }
        return oneLine(refused).startsWith(UNSPECIFIC) ? oneLine(around) : oneLine(refused);
    }

    /** What was thrown, in its first line that says anything; without a message its kind. */
    public static String oneLine(Throwable cause) {
        String message = cause.getMessage() == null ? "" : cause.getMessage();
        return message.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .findFirst()
                .orElse(cause.getClass().getSimpleName());
    }
}
