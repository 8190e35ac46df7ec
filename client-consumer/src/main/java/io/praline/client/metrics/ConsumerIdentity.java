package io.praline.client.metrics;

/**
 * One training process of a job.
 *
 * @param pool the job's pool: key of all it reports
 * @param consumer counted from 0 within the job
 * @param incarnation of the process, unlike any other's
 * @param host name of its host
 */
public record ConsumerIdentity(String pool, String job, int consumer, String incarnation, String host) {
    public ConsumerIdentity {
        if (pool.isEmpty() || job.isEmpty() || incarnation.isEmpty()) {
            throw new IllegalArgumentException("pool, job and incarnation must not be empty, are '" + pool + "', '"
                    + job + "', '" + incarnation + "'");
        }
        if (consumer < 0) {
            throw new IllegalArgumentException("consumer must not be negative, is " + consumer);
        }
    }
}
