package io.praline.policy.ordering;

import static io.praline.policy.ordering.Steps.LABEL;
import static io.praline.policy.ordering.Steps.RECORD;
import static io.praline.policy.ordering.Steps.SMALL;
import static io.praline.policy.ordering.Steps.batch;
import static io.praline.policy.ordering.Steps.op;
import static io.praline.policy.ordering.Steps.typedOp;
import static org.assertj.core.api.Assertions.assertThat;

import io.praline.policy.ordering.plan.Blocked;
import io.praline.policy.ordering.plan.Move;
import io.praline.policy.ordering.plan.OrderPlan;
import io.praline.policy.ordering.plan.Prediction;
import io.praline.policy.ordering.plan.Proof;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Steps that run on batches made for them alone. */
class EarlyBatchTest {
    private static final TensorSpec NUMBERS = TensorSpec.of("float32", 128);

    private static Steps parse(String name) {
        return Steps.of(name, StepKind.PARSE, RECORD, NUMBERS, typedOp("ParseExampleV2", "string", "float32"))
                .mayFail(true);
    }

    private static Steps halve(String name) {
        return Steps.of(name, StepKind.ELEMENTWISE, NUMBERS, NUMBERS, op("Mul", "operand=scalar", "value=0.5"));
    }

    private static Steps shuffle() {
        return barrier("shuffle", "ShuffleDatasetV3");
    }

    private static Steps barrier(String name, String op) {
        return Steps.of(name, StepKind.BARRIER, NUMBERS, NUMBERS, typedOp(op, "variant", "variant"));
    }

    // a call of 10 us for each, of which each element has a 128th in a batch of 128; 2 us to put it in and take it out
    private static Measured parsedAndShuffled(Steps... barriers) {
        Measured measured = new Measured().then(parse("parse"), 400, 520, 15).then(halve("halve"), 520, 520, 13);
        for (Steps each : barriers) {
            measured = measured.then(each, 520, 520, 1);
        }
        return measured.then(batch("batch", NUMBERS), 30, 520, 520, 1);
    }

    @Test
    void smallElementsAreMadeByABatchOfTheirOwnWhereTheUsersComesBehindAShuffle() {
        OrderPlan plan = parsedAndShuffled(shuffle()).exact();

        assertThat(plan.changed()).containsExactly(List.of("[128", "parse", "halve", "]"));
        assertThat(plan.sections()).containsExactly(List.of("parse", "halve"), List.of("batch"));
        assertThat(plan.proof()).isEqualTo(Proof.EXACT);
        assertThat(plan.moves())
                .extracting(Move::toString)
                .containsExactly(
                        "early batch of 128 moves before parse: records parsed by the batch (bit for bit the same)",
                        "early batch of 128 moves before halve: value by value on a batch (bit for bit the same)");
        // as written 15 + 13 + 1 + 1 us and the way to the client; then 5 and 3 of work but for a 128th of what
        // begins, 2.1 to go together and apart
        assertThat(plan.predictedGain()).isBetween(2.0, 4.5);
        assertThat(plan.after().steps())
                .extracting(Prediction.StepCost::name)
                .containsExactly("parse", "halve", "shuffle", "batch");
    }

    @Test
    void theUsersOwnBatchIsTheBetterOneWhereItCanBeHad() {
        Measured measured = new Measured()
                .then(parse("parse"), 400, 520, 15)
                .then(halve("halve"), 520, 520, 13)
                .then(batch("batch", NUMBERS), 30, 520, 520, 1);

        assertThat(measured.exact().changed()).containsExactly(List.of("batch", "parse", "halve"));
    }

    // what stands between takes single elements: its call stays, and one op less is not worth two copies
    @Test
    void whereACallIsMadeAnywayOneOpIsNotWorthABatch() {
        Measured measured = new Measured()
                .then(parse("parse"), 400, 520, 15)
                .then(
                        Steps.of("unknown", StepKind.OPAQUE, NUMBERS, NUMBERS, op("SomeOp"))
                                .from("parse"),
                        520,
                        520,
                        13)
                .then(shuffle(), 520, 520, 1);

        assertThat(measured.exact().movesNothing()).isTrue();
    }

    @Test
    void behindAUsersBatchNoneIsMade() {
        Measured measured = new Measured()
                .then(batch("batch", NUMBERS), 30, 520, 520, 1)
                .then(shuffle(), 30, 520, 520, 1)
                .then(halve("halve"), 30, 520, 520, 13);

        assertThat(measured.exact().movesNothing()).isTrue();
    }

    @Test
    void elementsOfOpenSizesStayAloneAndAreToldOf() {
        TensorSpec open = TensorSpec.of("uint8", -1);
        Measured measured = new Measured()
                .then(
                        Steps.of("decode", StepKind.DECODE, RECORD, open, typedOp("DecodeRaw", "string", "uint8"))
                                .mayFail(true),
                        1032,
                        1032,
                        15)
                .then(shuffle(), 1032, 1032, 1);
        OrderPlan plan = measured.exact();

        assertThat(plan.movesNothing()).isTrue();
        assertThat(plan.blocked())
                .extracting(Blocked::toString)
                .containsExactly("early batch of 128 moves before decode only where the graph says how large all of an"
                        + " element is in front of it and behind it");
    }

    // a second component that goes along must be one that can
    @Test
    void whatOnlyGoesAlongMustBeTakenToo() {
        Steps halve = halve("halve").before(NUMBERS, TensorSpec.of("variant")).after(NUMBERS, TensorSpec.of("variant"));
        Measured measured = new Measured().then(halve, 520, 520, 30).then(shuffle(), 520, 520, 1);

        assertThat(measured.exact().movesNothing()).isTrue();
        assertThat(EarlyBatch.takes(List.of(NUMBERS, LABEL, RECORD))).isTrue();
    }

    // a bad element would take those with it that go together, or fail what ends before it
    @Test
    void whereElementsAreLeftOutNoneGoTogether() {
        for (String op : List.of("IgnoreErrorsDataset", "TakeDataset", "ExperimentalTakeWhileDataset")) {
            assertThat(parsedAndShuffled(barrier("left_out", op)).exact().movesNothing())
                    .as(op)
                    .isTrue();
        }
        OrderOptions skipping = new OrderOptions(true, List.of(), OrderOptions.Prices.USUAL);
        Measured measured = parsedAndShuffled(shuffle());

        assertThat(new ExactOrder(skipping)
                        .plan(measured.steps(), measured.measures())
                        .movesNothing())
                .isTrue();
    }

    // of records 1 to 6 in batches of three, of which the first cannot be parsed, one by one come (2, 3, 4) and (5, 6),
    // and
    // by batches (4, 5, 6)
    @Test
    void whatFailsInAUsersBatchStaysInFrontOfItWhereFailuresAreLeftOut() {
        Measured measured = new Measured()
                .then(parse("parse"), 400, 520, 15)
                .then(halve("halve"), 520, 520, 13)
                .then(batch("batch", NUMBERS), 30, 520, 520, 1);
        OrderPlan plan = measured.then(barrier("left_out", "IgnoreErrorsDataset"), 520, 520, 1)
                .exact();

        assertThat(plan.changed()).containsExactly(List.of("parse", "batch", "halve"));
        assertThat(plan.blocked())
                .extracting(Blocked::toString)
                .containsExactly("batch moves before parse only where it cannot fail, or nothing behind leaves out what"
                        + " fails");
        assertThat(new Measured()
                        .then(parse("parse"), 400, 520, 15)
                        .then(barrier("left_out", "IgnoreErrorsDataset"), 520, 520, 1)
                        .then(halve("halve"), 520, 520, 13)
                        .then(batch("batch", NUMBERS), 30, 520, 520, 1)
                        .exact()
                        .changed())
                .containsExactly(List.of("batch", "halve"));
    }

    private static Measured filtered(Steps... behind) {
        Measured measured = new Measured()
                .then(parse("parse"), 400, 520, 15)
                .then(Steps.filter("keep").before(NUMBERS, LABEL).after(NUMBERS, LABEL), 500, 520, 520, 1);
        for (Steps step : behind) {
            measured = measured.then(step, 500, 520, 520, 1);
        }
        return measured;
    }

    // of records 1 to 4, of which the third cannot be parsed and would be rejected, a batch of three holds 1, 2 and 4;
    // where it is
    // parsed before it is rejected, the batch that holds 1 and 2 loses both
    @Test
    void aFilterStaysBehindWhatFailsWhereABatchLosesWhatItHolds() {
        Steps ignored = barrier("left_out", "IgnoreErrorsDataset");
        OrderPlan plan = filtered(batch("batch", NUMBERS), ignored).exact();

        assertThat(plan.sections()).isEqualTo(List.of(List.of("parse", "keep", "batch")));
        assertThat(plan.blocked())
                .extracting(Blocked::toString)
                .contains("keep moves before parse only where it cannot fail, or nothing behind leaves out what fails");
        assertThat(filtered(shuffle(), batch("batch", NUMBERS), ignored).exact().movesNothing())
                .isTrue();
        for (Measured alone : List.of(
                filtered(ignored, shuffle(), batch("batch", NUMBERS)), filtered(shuffle(), batch("batch", NUMBERS)))) {
            assertThat(alone.exact().sections().get(0)).containsExactly("keep", "parse");
        }
    }

    // its last bits may be others, and a comparison behind the shuffle makes much of that
    @Test
    void whatRoundsOtherwiseNeedsLeave() {
        Steps exp = Steps.of("exp", StepKind.ELEMENTWISE, NUMBERS, NUMBERS, op("Exp"));
        Steps compare = Steps.of(
                "compare",
                StepKind.ELEMENTWISE,
                NUMBERS,
                Steps.ofType("bool", NUMBERS),
                typedOp("Less", "float32", "bool", "operand=scalar"));
        Measured measured = new Measured().then(exp, 520, 520, 30).then(shuffle(), 520, 520, 1);

        assertThat(measured.exact().movesNothing()).isTrue();
        assertThat(measured.tolerant().changed()).containsExactly(List.of("[128", "exp", "]"));
        assertThat(measured.tolerant().tolerance()).isEqualTo(MoveRules.LAST_BITS);
        assertThat(measured.then(compare, 520, 136, 12).tolerant().moves())
                .extracting(Move::past)
                .doesNotContain("exp");
    }

    @Test
    void whatHasNoValuesIsNotTakenApart() {
        assertThat(EarlyBatch.takes(List.of(NUMBERS, RECORD, LABEL))).isTrue();
        assertThat(EarlyBatch.takes(List.of(NUMBERS, TensorSpec.of("float32", 3, 0))))
                .isFalse();
    }

    // 128 of 8 KiB are a MiB; below eight of them none go together
    @Test
    void largeElementsAreFewerAndThenNone() {
        assertThat(EarlyBatch.size(0)).isEqualTo(128);
        assertThat(EarlyBatch.size(8 << 10)).isEqualTo(128);
        assertThat(EarlyBatch.size((8 << 10) + 1)).isEqualTo(64);
        assertThat(EarlyBatch.size(128 << 10)).isEqualTo(8);
        assertThat(EarlyBatch.size((128 << 10) + 1)).isLessThan(EarlyBatch.FEWEST);
        Steps large = Steps.of("divide", StepKind.ELEMENTWISE, SMALL, SMALL, op("RealDiv", "operand=scalar"))
                .before(SMALL, LABEL)
                .after(SMALL, LABEL);

        assertThat(new Measured()
                        .then(large, 602_120, 602_120, 400)
                        .then(shuffle(), 602_120, 602_120, 1)
                        .exact()
                        .movesNothing())
                .isTrue();
    }

    @Test
    void aPipelineWhoseStepsAreCalledLikeItsSignsHasNone() {
        Measured measured = new Measured().then(halve("]"), 520, 520, 30).then(shuffle(), 520, 520, 1);
        Measured begins = new Measured().then(halve("[128"), 520, 520, 30).then(shuffle(), 520, 520, 1);

        assertThat(measured.exact().movesNothing()).isTrue();
        assertThat(begins.exact().movesNothing()).isTrue();
    }
}
