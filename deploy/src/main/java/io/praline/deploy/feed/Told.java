package io.praline.deploy.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.praline.client.JobFailed;
import io.praline.client.JobResult;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.JobExplanation;
import io.praline.deploy.terminal.JobView;
import io.praline.deploy.terminal.OrderStateView;
import io.praline.schema.EpochProgress;
import io.praline.schema.Exclusion;
import io.praline.schema.JobStatus;
import io.praline.topics.ServiceUnreachable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** What Python is told in JSON. */
final class Told {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Pattern CAPITAL = Pattern.compile("[A-Z]");

    private Told() {}

    static ByteBuffer of(Map<String, ?> object) {
        return ByteBuffer.wrap(text(object).getBytes(StandardCharsets.UTF_8));
    }

    static String text(Map<String, ?> object) {
        try {
            return JSON.writeValueAsString(object);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot be written as JSON: " + object, e);
        }
    }

    static ByteBuffer text(String line) {
        return ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    }

    /** @param own whether the cluster is of this process's own */
    static ByteBuffer opened(String job, Optional<String> page, boolean own) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", job);
        object.put("page", page.orElse(null));
        object.put("own", own);
        return of(object);
    }

    static ByteBuffer explained(JobExplanation explanation) {
        List<Map<String, Object>> decisions = explanation.decisions().stream()
                .map(decision -> Map.of("lines", decision.lines(), "facts", decision.object()))
                .toList();
        return of(Map.of("decisions", decisions, "foretold", explanation.foretold()));
    }

    static ByteBuffer unexplained(Throwable failure, String job) {
        return of(Map.of("error", inWords(failure, job)));
    }

    /** What went wrong, of which kind it is, and what to do next. */
    static ByteBuffer failure(Throwable failure, String job) {
        return of(inWords(failure, job));
    }

    /** @param asked the id that the user gave, which a failure may know better */
    private static Map<String, Object> inWords(Throwable failure, String asked) {
        String job = failure instanceof JobFailed known ? known.job() : asked;
        Failures.Told told = Failures.tell(failure);
        String line =
                told.line().startsWith(Failures.PREFIX) ? told.line().substring(Failures.PREFIX.length()) : told.line();
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("line", FeedSpec.inTheCall(line));
        boolean superseded = failure instanceof JobFailed failed && failed.isSuperseded();
        switch (told.code()) {
            case REFUSED, WRONG_USE -> {
                object.put("kind", "Refused");
                object.put("next", failure instanceof WorkersMissing ? WorkersMissing.NEXT : whatToSay(failure));
            }
            case UNREACHABLE -> {
                object.put("kind", "Unreachable");
                object.put("next", whatToReach(failure, job));
            }
            case JOB_FAILED -> {
                object.put("kind", superseded ? "Superseded" : "JobFailed");
                object.put(
                        "next",
                        superseded
                                ? "end one of the two processes that say they are this consumer"
                                : "'praline job " + job + "' and 'praline explain " + job + "' tell how it went");
            }
            case DONE, BROKEN, DIED, INTERRUPTED -> {
                object.put("kind", "Broken");
                object.put("next", "that is a fault of Praline itself; its lines on standard error may tell more");
            }
        }
        return object;
    }

    private static String whatToSay(Throwable failure) {
        return failure instanceof JobFailed
                ? "the line says what cannot be; 'praline pipeline describe FILE' tells more of a pipeline"
                : "help(praline.feed) tells what may be said";
    }

    /** Of a job that failed it is the workers that cannot reach something: where its data lies. */
    private static String whatToReach(Throwable failure, String job) {
        return failure instanceof JobFailed && !(failure.getCause() instanceof ServiceUnreachable)
                ? "it is the workers that must reach it; 'praline job " + job + "' tells how the job went"
                : "start a cluster with 'praline up', or name one by PRALINE_URL or bootstrap= and registry=";
    }

    /** What {@code praline job ID --json} tells, with the epochs that began in place of their number. */
    static ByteBuffer status(JobStatus status) {
        Map<String, Object> object = inPython(new JobView(status).object());
        object.put("epochs", epochs(status.getProgress()));
        return of(object);
    }

    /** The same by names as Python's are. */
    private static Map<String, Object> inPython(Map<?, ?> object) {
        Map<String, Object> named = new LinkedHashMap<>();
        object.forEach((key, value) -> named.put(
                CAPITAL.matcher((String) key).replaceAll("_$0").toLowerCase(Locale.ROOT), valueInPython(value)));
        return named;
    }

    private static Object valueInPython(Object value) {
        if (value instanceof Map<?, ?> object) {
            return inPython(object);
        }
        return value instanceof List<?> list
                ? list.stream().map(Told::valueInPython).toList()
                : value;
    }

    /** What {@code praline run --json} tells, but for rates, and with all that is known of the epochs. */
    static ByteBuffer result(JobResult result) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", result.job());
        object.put("state", result.state().name());
        object.put("guarantee", result.guarantee().name());
        object.put("guarantee_reasons", result.guaranteeReasons());
        object.put("notes", result.notes());
        object.put("elements", result.taken().elements());
        object.put("batches", result.taken().batches());
        object.put("bytes", result.taken().bytes());
        object.put("seconds", result.taken().seconds());
        object.put("first_batch_ms", result.taken().firstBatchMs());
        object.put("end_wait_ms", result.taken().endWaitMs());
        object.put("workers_local", result.workers().local());
        object.put("workers_remote", result.workers().remote());
        object.put("missing", orNull(result.missing()));
        object.put("duplicates", orNull(result.duplicates()));
        object.put("consumers", result.consumers());
        object.put("in_doubt", result.inDoubt());
        object.put("possibly_twice", result.possiblyTwice());
        object.put("epochs", epochs(result.epochs()));
        object.put("bad_records", result.badRecords());
        object.put(
                "transformations",
                result.transformations().stream()
                        .map(JobView::transformation)
                        .map(Told::inPython)
                        .toList());
        object.put("cache_hits", result.cache().hits());
        object.put("cache", result.cache().why());
        object.put(
                "order",
                OrderStateView.ofMoved(result.order())
                        .map(OrderStateView::object)
                        .map(Told::inPython)
                        .orElse(null));
        return of(object);
    }

    private static List<Map<String, Object>> epochs(List<EpochProgress> all) {
        return all.stream().map(Told::epoch).toList();
    }

    private static Map<String, Object> epoch(EpochProgress epoch) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("epoch", epoch.getEpoch());
        object.put("elements", epoch.getElements());
        object.put("consumed", epoch.getConsumed());
        object.put(
                "excluded",
                epoch.getExcluded().stream().mapToLong(Exclusion::getElements).sum());
        object.put("possibly_twice", epoch.getPossiblyTwice());
        object.put("complete", epoch.getComplete());
        return object;
    }

    private static Long orNull(OptionalLong count) {
        return count.isPresent() ? count.getAsLong() : null;
    }
}
