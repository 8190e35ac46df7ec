package io.praline.topics.log;

import java.time.Duration;

/**
 * How long a writer waits; what the user's file says of the first three wins.
 *
 * @param room for where a topic lies and for room among what is on its way; then the record is given up
 * @param answer for one answer of a broker
 * @param delivery until a record that no broker takes is given up
 * @param goodbye for what is on its way when the writer closes
 */
public record WriterWaits(Duration room, Duration answer, Duration delivery, Duration goodbye) {
    private static final Duration USUAL_ROOM = Duration.ofMinutes(1);
    private static final Duration USUAL_ANSWER = Duration.ofSeconds(30);
    private static final Duration USUAL_DELIVERY = Duration.ofMinutes(2);

    /** As patient as Kafka's producers are when nothing is said. */
    public static WriterWaits usual(Duration goodbye) {
        return new WriterWaits(USUAL_ROOM, USUAL_ANSWER, USUAL_DELIVERY, goodbye);
    }

    /** The same, with another time for room. */
    public WriterWaits withRoom(Duration other) {
        return new WriterWaits(other, answer, delivery, goodbye);
    }
}
