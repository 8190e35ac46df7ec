package io.praline.deploy.page;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.praline.deploy.terminal.ExplanationView;
import io.praline.deploy.terminal.JobFiles;
import io.praline.dispatcher.replay.Explanation;
import io.praline.schema.JobStatus;
import io.praline.schema.JournalEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

/** The endpoints, as PROTOCOL.md lists them. */
record Api(Board board, Journals journals, Ledgers ledgers, Executor slow) {
    static final String ROOT = "/api/v1/";
    static final String EVENTS = ROOT + "events";

    private static final String JOBS = ROOT + "jobs/";
    private static final String EXPLANATION = "/explanation";
    private static final String COURSE = "/course";
    private static final String FILES = "/files";
    /** A picture of a cluster with much in its topics is made within this. */
    private static final Duration FRESH = Duration.ofSeconds(2);

    private static final int USUAL_DECISIONS = 200;
    private static final int MOST_DECISIONS = 5_000;
    private static final int USUAL_FILES = 100;
    private static final int MOST_FILES = 10_000;

    /** Whether it reads a journal or a ledger, or has to wait for a picture, and so is not for an event loop. */
    boolean isSlow(String path) {
        return board.isResting()
                || (path.startsWith(JOBS)
                        && Stream.of(EXPLANATION, COURSE, FILES).anyMatch(path::endsWith));
    }

    void execute(Runnable reading) {
        slow.execute(reading);
    }

    /** As {@link #answer}, of a picture that is not older than the question if Kafka is not away; waits for it. */
    Answer fresh(String path, Map<String, List<String>> query) {
        try {
            board.refresh(FRESH);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
        return answer(path, query);
    }

    /** @param path decoded: an id may hold what is else a separator, so that of a job is what lies between */
    Answer answer(String path, Map<String, List<String>> query) {
        PictureView view = new PictureView(board.picture());
        if (path.startsWith(JOBS)) {
            return ofJob(view, path.substring(JOBS.length()), query);
        }
        return switch (path) {
            case ROOT + "source" -> Answer.json(view.source());
            case ROOT + "jobs" -> Answer.json(view.jobs());
            case ROOT + "workers" -> Answer.json(view.workers());
            case ROOT + "pools" -> Answer.json(view.pools());
            case ROOT + "topics" -> Answer.json(view.topics());
            case ROOT + "cache" -> Answer.json(view.cache());
            default -> nothing("there is no such page; the page is at /, figures are below " + ROOT);
        };
    }

    private Answer ofJob(PictureView view, String rest, Map<String, List<String>> query) {
        if (rest.endsWith(EXPLANATION)) {
            return explanation(rest.substring(0, rest.lastIndexOf('/')), query);
        }
        if (rest.endsWith(FILES)) {
            return files(rest.substring(0, rest.lastIndexOf('/')), query);
        }
        if (rest.endsWith(COURSE)) {
            String job = rest.substring(0, rest.lastIndexOf('/'));
            List<JournalEntry> entries = journals.of(job);
            return entries.isEmpty()
                    ? unknown(job)
                    : Answer.json(JobCourse.of(entries).object());
        }
        return view.job(rest).map(Answer::json).orElseGet(() -> unknown(rest));
    }

    private Answer explanation(String job, Map<String, List<String>> query) {
        OptionalInt last = number(query, "last", USUAL_DECISIONS, 1, MOST_DECISIONS);
        if (last.isEmpty()) {
            return noNumber("last", 1, MOST_DECISIONS);
        }
        List<JournalEntry> entries = journals.of(job);
        if (entries.isEmpty()) {
            return unknown(job);
        }
        List<Explanation> all = Explanation.all(entries);
        List<Map<String, Object>> shown = new ArrayList<>();
        for (Explanation one : all.subList(Math.max(0, all.size() - last.getAsInt()), all.size())) {
            ExplanationView view = new ExplanationView(one);
            Map<String, Object> object = new LinkedHashMap<>(view.object());
            object.put("lines", view.lines());
            shown.add(object);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("job", job);
        object.put("entries", entries.get(entries.size() - 1).getSequence() + 1);
        object.put("explanation", shown);
        return Answer.json(object);
    }

    private Answer files(String job, Map<String, List<String>> query) {
        JobStatus status = board.picture().jobs().get(job);
        if (status == null) {
            return unknown(job);
        }
        int newest = JobFiles.newestEpoch(status);
        OptionalInt epoch = number(query, "epoch", newest, 0, newest);
        OptionalInt from = number(query, "from", 0, 0, Integer.MAX_VALUE);
        OptionalInt most = number(query, "most", USUAL_FILES, 1, MOST_FILES);
        if (epoch.isEmpty()) {
            return noNumber("epoch", 0, newest);
        }
        if (from.isEmpty()) {
            return noNumber("from", 0, Integer.MAX_VALUE);
        }
        if (most.isEmpty()) {
            return noNumber("most", 1, MOST_FILES);
        }
        boolean open = query.getOrDefault("open", List.of("false")).get(0).equals("true");
        return Answer.json(ledgers.of(status)
                .object(status, new JobFiles.Asked(epoch.getAsInt(), open, from.getAsInt(), most.getAsInt())));
    }

    /** A number of the query; empty where it is none from the least to the most. */
    private static OptionalInt number(Map<String, List<String>> query, String name, int usual, int least, int most) {
        try {
            int number = Integer.parseInt(
                    query.getOrDefault(name, List.of("" + usual)).get(0));
            return number < least || number > most ? OptionalInt.empty() : OptionalInt.of(number);
        } catch (NumberFormatException none) {
            return OptionalInt.empty();
        }
    }

    private static Answer noNumber(String name, int least, int most) {
        return Answer.line(HttpResponseStatus.BAD_REQUEST, name + " must be a number from " + least + " to " + most);
    }

    private static Answer unknown(String job) {
        return nothing("no job with the id " + job.replaceAll("\\p{Cntrl}", " ") + " is known");
    }

    private static Answer nothing(String line) {
        return Answer.line(HttpResponseStatus.NOT_FOUND, line);
    }
}
