package io.praline.dispatcher;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** How far the state is restored, partition by partition, and which stand still. Any thread. */
final class RestoreWatch implements StateRestoreListener {
    private final LongSupplier nanoTime;
    private final Map<TopicPartition, Course> courses =
            new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));

    /**
     * A partition on its way.
     *
     * @param at the next record that is missing
     * @param end the record before which all are needed
     * @param movedNanos when it last came forward
     */
    record Course(long at, long end, long movedNanos) {}

    /** @param nanoTime the clock, {@code System::nanoTime} */
    RestoreWatch(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    @Override
    public synchronized void onRestoreStart(TopicPartition partition, String store, long from, long end) {
        courses.put(partition, new Course(from, end, nanoTime.getAsLong()));
    }

    @Override
    public synchronized void onBatchRestored(TopicPartition partition, String store, long last, long records) {
        courses.computeIfPresent(partition, (same, before) -> new Course(last + 1, before.end(), nanoTime.getAsLong()));
    }

    @Override
    public synchronized void onRestoreEnd(TopicPartition partition, String store, long restored) {
        courses.remove(partition);
    }

    @Override
    public synchronized void onRestoreSuspended(TopicPartition partition, String store, long restored) {
        courses.remove(partition);
    }

    /** Those that have not come forward for so long. */
    synchronized Map<TopicPartition, Course> still(Duration time) {
        long now = nanoTime.getAsLong();
        return courses.entrySet().stream()
                .filter(course -> now - course.getValue().movedNanos() >= time.toNanos())
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        Map.Entry::getValue,
                        (one, other) -> one,
                        () -> new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()))));
    }
}
