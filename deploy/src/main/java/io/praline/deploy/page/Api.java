package io.praline.deploy.page;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.praline.deploy.console.ExplanationView;
import io.praline.dispatcher.replay.Explanation;
import io.praline.schema.JournalEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/** The endpoints, as PROTOCOL.md lists them. */
record Api(Board board, Journals journals, Executor slow) {
    static final String ROOT = "/api/v1/";
    static final String EVENTS = ROOT + "events";

    private static final String JOBS = ROOT + "jobs/";
    private static final int USUAL_DECISIONS = 200;
    private static final int MOST_DECISIONS = 5_000;

    /** Whether it reads a journal, and so is not for an event loop. */
    boolean isSlow(String path) {
        return path.startsWith(JOBS) && (path.endsWith("/explanation") || path.endsWith("/course"));
    }

    void execute(Runnable reading) {
        slow.execute(reading);
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
        if (rest.endsWith("/explanation")) {
            return explanation(rest.substring(0, rest.lastIndexOf('/')), query);
        }
        if (rest.endsWith("/course")) {
            String job = rest.substring(0, rest.lastIndexOf('/'));
            List<JournalEntry> entries = journals.of(job);
            return entries.isEmpty()
                    ? unknown(job)
                    : Answer.json(JobCourse.of(entries).object());
        }
        return view.job(rest).map(Answer::json).orElseGet(() -> unknown(rest));
    }

    private Answer explanation(String job, Map<String, List<String>> query) {
        int last;
        try {
            last = Integer.parseInt(
                    query.getOrDefault("last", List.of("" + USUAL_DECISIONS)).get(0));
        } catch (NumberFormatException none) {
            last = 0;
        }
        if (last < 1 || last > MOST_DECISIONS) {
            return Answer.line(HttpResponseStatus.BAD_REQUEST, "last must be a number from 1 to " + MOST_DECISIONS);
        }
        List<JournalEntry> entries = journals.of(job);
        if (entries.isEmpty()) {
            return unknown(job);
        }
        List<Explanation> all = Explanation.all(entries);
        List<Map<String, Object>> shown = new ArrayList<>();
        for (Explanation one : all.subList(Math.max(0, all.size() - last), all.size())) {
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

    private static Answer unknown(String job) {
        return nothing("no job with the id " + job.replaceAll("\\p{Cntrl}", " ") + " is known");
    }

    private static Answer nothing(String line) {
        return Answer.line(HttpResponseStatus.NOT_FOUND, line);
    }
}
