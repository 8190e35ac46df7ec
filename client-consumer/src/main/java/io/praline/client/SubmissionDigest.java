package io.praline.client;

import io.praline.schema.FailureKind;
import io.praline.schema.JobState;
import io.praline.schema.JobStatus;
import io.praline.schema.Submit;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;

/**
 * What tells whether two submissions ask for the same job: all that they say of it, and nothing of the process that says
 * it. A field that a later version of the schema adds changes nothing where it has its default.
 */
final class SubmissionDigest {
    /** The graph counts by its content, wherever it lies. */
    private static final Set<String> LEFT_OUT = Set.of("graph", "graphAddress", "digest");

    private SubmissionDigest() {}

    /**
     * SHA-256, in hex.
     *
     * @param graph the job's graph, as it was given
     */
    static String of(String pool, Submit submit, byte[] graph) {
        SpecificData data = SpecificData.get();
        StringBuilder said =
                new StringBuilder("pool=").append(data.toString(pool)).append('\n');
        for (Schema.Field field : submit.getSchema().getFields()) {
            Object value = submit.get(field.pos());
            boolean usual = field.hasDefaultValue() && Objects.equals(data.getDefaultValue(field), value);
            if (!usual && !LEFT_OUT.contains(field.name())) {
                // maps have no order of their own
                Object ordered = value instanceof Map<?, ?> map ? new TreeMap<>(map) : value;
                said.append(field.name())
                        .append('=')
                        .append(data.toString(ordered))
                        .append('\n');
            }
        }
        MessageDigest digest = sha256();
        digest.update(said.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest(graph));
    }

    /**
     * Refuses what cannot go on with the job that has its id.
     *
     * @throws JobFailed if that one has ended, or was submitted with another spec
     */
    static void requireSame(JobStatus there, Submit submit) {
        String job = there.getJob();
        if (submit.getDigest().equals(there.getSubmission())) {
            JobState state = there.getState();
            switch (state) {
                case PLANNING, WAITING, RUNNING -> {}
                case COMPLETED, FAILED, CANCELLED ->
                    throw refused(
                            job,
                            "job id " + job + " is that of a job that has ended (" + state + "); choose another id");
            }
        } else {
            throw refused(job, otherSpec(job));
        }
    }

    static String otherSpec(String job) {
        return "job id " + job + " is that of a job with another spec; choose another id, or submit what that one was"
                + " submitted with to go on with it";
    }

    private static JobFailed refused(String job, String why) {
        return new JobFailed(job, FailureKind.REFUSED, why);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("this Java has no SHA-256", absent);
        }
    }
}
