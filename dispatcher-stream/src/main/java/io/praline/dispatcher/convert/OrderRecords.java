package io.praline.dispatcher.convert;

import static io.praline.dispatcher.convert.Bounds.require;

import io.praline.dispatcher.ledger.row.Place;
import io.praline.policy.Counted;
import io.praline.policy.ordering.Step;
import io.praline.policy.ordering.StepKind;
import io.praline.policy.ordering.StepMeasure;
import io.praline.policy.ordering.StepOp;
import io.praline.policy.ordering.TensorSpec;
import io.praline.policy.ordering.course.OrderCommand;
import io.praline.policy.ordering.course.OrderCourse;
import io.praline.policy.ordering.course.OrderEvent;
import io.praline.policy.ordering.course.OrderMode;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.OrderTurn;
import io.praline.policy.ordering.course.Variant;
import io.praline.policy.ordering.verification.GainBound;
import io.praline.policy.ordering.verification.Verdict;
import io.praline.schema.AssignedSplit;
import io.praline.schema.Decided;
import io.praline.schema.JobOrder;
import io.praline.schema.Observed;
import io.praline.schema.PipelineProfiled;
import io.praline.schema.PipelineStep;
import io.praline.schema.ProfilePipeline;
import io.praline.schema.Split;
import io.praline.schema.StepTensor;
import io.praline.schema.Submit;
import io.praline.schema.VariantVerified;
import io.praline.schema.VerifyVariant;
import io.praline.schema.WorkerCommand;
import io.praline.topics.BoundedText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is asked and told of the order of a pipeline's steps, between records and what policies know. */
public final class OrderRecords {
    /** Steps of one pipeline that somebody may mean: each is held against those before it, and the journal names it. */
    private static final int MOST_STEPS = 1_000;

    private static final int MOST_PAIRS = 1_000;

    private OrderRecords() {}

    /**
     * What a worker measured.
     *
     * @throws IllegalArgumentException naming what cannot be
     */
    static OrderEvent event(PipelineProfiled told, Instant at) {
        check(told.getWorker(), told.getIncarnation(), told.getJob(), told.getTrial());
        if (!told.getFailure().isEmpty()) {
            return new OrderEvent.Failed(at, told.getTrial(), BoundedText.reason(told.getFailure()));
        }
        Bounds.size("steps", told.getSteps().size(), MOST_STEPS);
        Bounds.size("factors", told.getFactors().size(), MOST_STEPS);
        told.getSteps().forEach(step -> Bounds.text("a step's name", step.getName()));
        told.getFactors().forEach(factors -> Bounds.text("a step's name", factors.getName()));
        Bounds.number("records", told.getRecords(), Bounds.MOST_COUNTED);
        Bounds.number("nanos", told.getNanos(), Bounds.MOST_TOTAL);
        require(
                told.getCallNanos() >= 0 && told.getCallNanos() < Double.POSITIVE_INFINITY,
                "callNanos must not be negative, is " + told.getCallNanos());
        return new OrderEvent.Profiled(
                at,
                told.getTrial(),
                told.getSteps().stream().map(OrderRecords::step).toList(),
                told.getFactors().stream()
                        .map(factors -> new StepMeasure(
                                factors.getName(),
                                factors.getElements(),
                                factors.getBytesIn(),
                                factors.getBytesOut(),
                                factors.getNanos()))
                        .toList(),
                told.getCallNanos(),
                told.getRecords(),
                told.getNanos());
    }

    /**
     * What a worker verified.
     *
     * @param front the newest epoch of the job that was read of; -1 where none was
     * @throws IllegalArgumentException naming what cannot be
     */
    static OrderEvent event(VariantVerified told, int front, Instant at) {
        check(told.getWorker(), told.getIncarnation(), told.getJob(), told.getTrial());
        if (!told.getFailure().isEmpty()) {
            return new OrderEvent.Failed(at, told.getTrial(), BoundedText.reason(told.getFailure()));
        }
        Bounds.name("variantDigest", told.getVariantDigest());
        int pairs = told.getPairs().size();
        require(
                pairs >= GainBound.FEWEST && pairs <= MOST_PAIRS,
                "pairs must be in " + GainBound.FEWEST + ".." + MOST_PAIRS + ", are " + pairs);
        return new OrderEvent.Verified(
                at,
                told.getTrial(),
                told.getVariantDigest(),
                front,
                new Verdict.Comparison(
                        told.getElements(), told.getMissing(), told.getUnequal(), told.getLargestDifference()),
                told.getPairs().stream()
                        .map(pair -> new GainBound.Pair(pair.getUsualNanos(), pair.getVariantNanos()))
                        .toList());
    }

    private static void check(String worker, String incarnation, String job, int trial) {
        Bounds.name("worker", worker);
        Bounds.name("incarnation", incarnation);
        Bounds.name("job", job);
        Bounds.number("trial", trial, Integer.MAX_VALUE - 1);
    }

    private static Step step(PipelineStep step) {
        return new Step(
                step.getName(),
                step.getTransformation(),
                kind(step.getKind()),
                step.getOps().stream()
                        .map(op -> new StepOp(
                                op.getOp(), op.getInputTypes(), op.getOutputTypes(), new TreeMap<>(op.getSettings())))
                        .toList(),
                step.getDraws(),
                step.getDrawsFromShape(),
                step.getStateful(),
                step.getMayFail(),
                step.getKeepPosition(),
                new TreeSet<>(step.getReads()),
                new TreeSet<>(step.getWrites()),
                step.getRestructures(),
                step.getBefore().stream().map(OrderRecords::tensor).toList(),
                step.getAfter().stream().map(OrderRecords::tensor).toList());
    }

    /** One that a newer worker knows is nothing that rules speak of. */
    private static StepKind kind(String word) {
        try {
            return StepKind.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException newer) {
            return StepKind.OPAQUE;
        }
    }

    private static TensorSpec tensor(StepTensor tensor) {
        return new TensorSpec(tensor.getType(), tensor.getShape().map(List::copyOf));
    }

    /** Measure the steps of a job's pipeline. */
    public static WorkerCommand profile(
            JobOutline job, Place worker, OrderCommand.Profile command, Map<Long, Split> sample) {
        return CommandWriter.to(
                worker,
                ProfilePipeline.newBuilder()
                        .setSeed(job.submit().getSeed())
                        .setJob(job.id())
                        .setTrial(command.trial())
                        .setPipelineDigest(digest(job))
                        .setSample(assigned(sample))
                        .build());
    }

    /** Hold a variant of a job's pipeline against it. */
    public static WorkerCommand verify(
            JobOutline job, Place worker, OrderCommand.Verify command, Map<Long, Split> sample) {
        return CommandWriter.to(
                worker,
                VerifyVariant.newBuilder()
                        .setSeed(job.submit().getSeed())
                        .setJob(job.id())
                        .setTrial(command.trial())
                        .setPipelineDigest(digest(job))
                        .setSections(command.sections())
                        .setSample(assigned(sample))
                        .setRecords(command.records())
                        .setNanos(command.nanos())
                        .build());
    }

    private static String digest(JobOutline job) {
        return job.plan().orElseThrow().getPipelineDigest();
    }

    static List<AssignedSplit> assigned(Map<Long, Split> sample) {
        return sample.entrySet().stream()
                .map(split -> new AssignedSplit(split.getKey(), split.getValue(), ByteBuffer.allocate(0)))
                .toList();
    }

    /**
     * Under what is remembered that an order is better: whoever has the same pipeline and the same data, and asks for results
     * that are as equal, by the same rules, has the same.
     */
    public static String subject(JobOutline job) {
        Submit submit = job.submit();
        return String.join(
                "/",
                submit.getTenant(),
                digest(job),
                OrderMode.of(submit.getOrder()).word(),
                submit.getSkipBad() > 0 ? "skip" : "all",
                Long.toString(job.splits()),
                UUID.nameUUIDFromBytes(String.join("\n", submit.getDataGlobs()).getBytes(StandardCharsets.UTF_8))
                        .toString(),
                "rules " + OrderCourse.RULES);
    }

    /** What happened to a job's order, as the journal has it. */
    public static Observed observed(String job, OrderEvent seen) {
        return seen.match(new OrderEvent.Cases<>() {
            @Override
            public Observed passed(OrderEvent.Passed time) {
                return DecisionWriter.observed(
                        JournalKind.ORDER_WANTED,
                        job,
                        Map.of(
                                "workedSeconds",
                                (double) time.worked().toSeconds(),
                                "opened",
                                (double) time.opened(),
                                "assigned",
                                (double) time.assigned(),
                                "splits",
                                (double) time.all()));
            }

            @Override
            public Observed profiled(OrderEvent.Profiled profile) {
                Observed observed = DecisionWriter.observed(
                        JournalKind.STEPS_PROFILED,
                        job,
                        Map.of(
                                "trial",
                                (double) profile.trial(),
                                "records",
                                (double) profile.records(),
                                "nanos",
                                (double) profile.nanos(),
                                "callNanos",
                                profile.callNanos()));
                profile.measures().forEach(step -> observed.getTexts()
                        .put(
                                step.name(),
                                Counted.of(step.elements(), "element") + ", " + step.bytesIn() + " bytes in, "
                                        + step.bytesOut() + " bytes out, " + step.nanos() + " ns"));
                return observed;
            }

            @Override
            public Observed verified(OrderEvent.Verified sample) {
                return DecisionWriter.observed(
                        JournalKind.VARIANT_VERIFIED,
                        sample.digest(),
                        Map.of(
                                "trial",
                                (double) sample.trial(),
                                "elements",
                                (double) sample.results().elements(),
                                "missing",
                                (double) sample.results().missing(),
                                "unequal",
                                (double) sample.results().unequal(),
                                "largestDifference",
                                sample.results().largestDifference(),
                                "pairs",
                                (double) sample.pairs().size()));
            }

            @Override
            public Observed failed(OrderEvent.Failed trial) {
                return DecisionWriter.observed(
                        JournalKind.ORDER_UNMEASURED, job, Map.of("trial", (double) trial.trial()));
            }

            @Override
            public Observed unanswered(OrderEvent.Unanswered trial) {
                return DecisionWriter.observed(JournalKind.ORDER_UNMEASURED, job, Map.of());
            }

            @Override
            public Observed known(OrderEvent.Known order) {
                return DecisionWriter.observed(JournalKind.ORDER_KNOWN, order.job(), Map.of());
            }

            @Override
            public Observed broke(OrderEvent.Broke attempt) {
                return DecisionWriter.observed(JournalKind.VARIANT_FAILED, job, Map.of());
            }

            @Override
            public Observed crashed(OrderEvent.Crashed worker) {
                return DecisionWriter.observed(JournalKind.VARIANT_FAILED, worker.worker(), Map.of());
            }

            @Override
            public Observed rate(OrderEvent.Rate task) {
                return DecisionWriter.observed(
                        JournalKind.VARIANT_RATED, job, Map.of("elementsPerSecond", task.elementsPerSecond()));
            }
        });
    }

    /** What a course decided, as the journal has it. */
    public static List<Decided> decided(String job, OrderTurn turn) {
        return turn.command().map(command -> decided(job, turn, command)).stream()
                .toList();
    }

    private static Decided decided(String job, OrderTurn turn, OrderCommand command) {
        JournalCommand what = command.match(new OrderCommand.Cases<>() {
            @Override
            public JournalCommand profile(OrderCommand.Profile sample) {
                return JournalCommand.PROFILE;
            }

            @Override
            public JournalCommand verify(OrderCommand.Verify variant) {
                return JournalCommand.VERIFY;
            }

            @Override
            public JournalCommand run(OrderCommand.Run variant) {
                return JournalCommand.RUN_VARIANT;
            }

            @Override
            public JournalCommand keep(OrderCommand.Keep usual) {
                return JournalCommand.KEEP_ORDER;
            }
        });
        String subject = turn.state()
                .variant()
                .map(Variant::digest)
                .filter(digest -> !digest.isEmpty())
                .orElse(job);
        Map<String, String> lines = IntStream.range(0, turn.lines().size())
                .boxed()
                .collect(Collectors.toMap(
                        line -> String.format(Locale.ROOT, "move %02d", line + 1),
                        line -> turn.lines().get(line),
                        (one, other) -> one,
                        TreeMap::new));
        return Decided.newBuilder()
                .setCommand(what.text())
                .setSubject(subject)
                .setNumbers(new TreeMap<>())
                .setTexts(lines)
                .build();
    }

    /** What is public about a job's order; empty before that matters. */
    static Optional<JobOrder> status(JobOutline job, Optional<OrderState> known) {
        return known.map(state -> {
            Optional<Variant> used = state.phase() == OrderState.Phase.CHANGED ? state.variant() : Optional.empty();
            return JobOrder.newBuilder()
                    .setMode(OrderMode.of(job.submit().getOrder()).word())
                    .setState(state.phase().name().toLowerCase(Locale.ROOT))
                    .setVariantDigest(used.map(Variant::digest).orElse(""))
                    .setMoved(used.map(Variant::moved).orElse(List.of()))
                    .setReason(state.reason())
                    .setPredictedGain(used.map(Variant::predictedGain).orElse(0.0))
                    .setMeasuredGain(used.map(Variant::measuredGain).orElse(0.0))
                    .build();
        });
    }
}
