package io.praline.dispatcher.convert;

import io.praline.dispatcher.ledger.epoch.Elements;
import io.praline.policy.ordering.course.OrderEvent;
import io.praline.schema.ActuatorReport;
import io.praline.schema.ClientHeartbeat;
import io.praline.schema.ConsumptionReport;
import io.praline.schema.JobRequest;
import io.praline.schema.PlanMessage;
import io.praline.schema.WorkerHeartbeat;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** A record of one of the dispatcher's inputs, checked: whatever it says can be taken, though it may be late or stale. */
public sealed interface Event {

    /** When it happened: the stamp of its record, until the dispatcher's own clock tells its time. */
    Instant at();

    /** The same at another time. */
    Event at(Instant time);

    /** The pool it belongs to. */
    String pool();

    /** The job that all of it is about; empty where it is about several, or none. */
    Optional<String> job();

    <R> R match(Cases<R> cases);

    interface Cases<R> {
        R request(Request request);

        R plan(Plan plan);

        R beat(Beat beat);

        R actuator(Actuator report);

        R order(Order measured);

        R tick(Tick tick);

        R client(Client client);

        R report(Report report);
    }

    /**
     * A client asks for something.
     *
     * @param wrong what is wrong with a submission, of which nothing is left but whose it is, so that whoever waits for it
     *     is told; empty where nothing is
     */
    record Request(Instant at, String pool, JobRequest request, Optional<String> wrong) implements Event {
        @Override
        public Request at(Instant time) {
            return new Request(time, pool, request, wrong);
        }

        @Override
        public Optional<String> job() {
            return CacheRecords.about(request) ? Optional.empty() : Optional.of(request.getJob());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.request(this);
        }
    }

    /** A part of a plan. */
    record Plan(Instant at, String pool, PlanMessage message) implements Event {
        @Override
        public Plan at(Instant time) {
            return new Plan(time, pool, message);
        }

        @Override
        public Optional<String> job() {
            return Optional.of(message.getJob());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.plan(this);
        }
    }

    /** A worker is there. */
    record Beat(Instant at, String pool, WorkerHeartbeat beat) implements Event {
        @Override
        public Beat at(Instant time) {
            return new Beat(time, pool, beat);
        }

        @Override
        public Optional<String> job() {
            return Optional.empty();
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.beat(this);
        }
    }

    /** What came of a target. */
    record Actuator(Instant at, String pool, ActuatorReport report) implements Event {
        @Override
        public Actuator at(Instant time) {
            return new Actuator(time, pool, report);
        }

        @Override
        public Optional<String> job() {
            return Optional.empty();
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.actuator(this);
        }
    }

    /**
     * A worker measured something for the order of a job's steps, or for what of it is kept.
     *
     * @param about the job
     * @param incarnation of the worker
     * @param answer what it told of the order, at a time and with the newest epoch that was read of; empty: nothing
     * @param cache what it told of where elements may be kept
     */
    record Order(
            Instant at,
            String pool,
            String about,
            String incarnation,
            Optional<BiFunction<Instant, Integer, OrderEvent>> answer,
            CacheAnswer cache)
            implements Event {
        @Override
        public Order at(Instant time) {
            return new Order(time, pool, about, incarnation, answer, cache);
        }

        /** What it told of the order, once the newest epoch that was read of is known; -1 where none was. */
        public Optional<OrderEvent> told(int front) {
            return answer.map(told -> told.apply(at, front));
        }

        @Override
        public Optional<String> job() {
            return Optional.of(about);
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.order(this);
        }
    }

    /**
     * Time passed, for every pool of the partition.
     *
     * @param away whether nobody can have been heard just before: the log was away, or another dispatcher was there
     */
    record Tick(Instant at, String pool, boolean away) implements Event {
        /** One of the log that was not away. */
        public Tick(Instant at, String pool) {
            this(at, pool, false);
        }

        @Override
        public Tick at(Instant time) {
            return new Tick(time, pool, away);
        }

        @Override
        public Optional<String> job() {
            return Optional.empty();
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.tick(this);
        }
    }

    /** A training process is there. */
    record Client(Instant at, String pool, ClientHeartbeat beat) implements Event {
        @Override
        public Client at(Instant time) {
            return new Client(time, pool, beat);
        }

        @Override
        public Optional<String> job() {
            return Optional.of(beat.getJob());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.client(this);
        }
    }

    /** A consumer used batches; {@code elements} are those of its batches, in their order. */
    record Report(Instant at, String pool, ConsumptionReport report, List<Elements> elements) implements Event {
        @Override
        public Report at(Instant time) {
            return new Report(time, pool, report, elements);
        }

        @Override
        public Optional<String> job() {
            return Optional.of(report.getJob());
        }

        @Override
        public <R> R match(Cases<R> cases) {
            return cases.report(this);
        }
    }
}
