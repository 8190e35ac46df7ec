package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.row.Place;
import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.policy.ordering.course.OrderState;
import io.praline.policy.ordering.course.Variant;
import io.praline.policy.ordering.plan.Proof;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * In which order a job's steps run.
 *
 * @param state what its course knows
 * @param asked who was asked to measure and has not answered; empty: nobody
 * @param graphs digests of other orders that workers wrote down for it, used or not
 */
public record OrderRow(OrderState state, Optional<Place> asked, List<String> graphs) {

    public OrderRow {
        graphs = List.copyOf(graphs);
    }

    public byte[] encode() {
        RowWriter out = new RowWriter()
                .text(state.phase().name())
                .number(state.trial())
                .number(state.since().toEpochMilli())
                .number(state.unanswered())
                .number(state.lost())
                .number(state.fromEpoch())
                .real(state.usualRate())
                .real(state.variantRate())
                .text(state.reason())
                .flag(state.variant().isPresent());
        state.variant().ifPresent(variant -> write(variant, out));
        out.flag(asked.isPresent());
        asked.ifPresent(place -> place.write(out));
        out.texts(graphs);
        return out.bytes();
    }

    public static OrderRow decode(byte[] row) {
        RowReader in = new RowReader(row);
        OrderState.Phase phase = OrderState.Phase.valueOf(in.text());
        int trial = in.small();
        Instant since = Instant.ofEpochMilli(in.number());
        int unanswered = in.small();
        int lost = in.small();
        int fromEpoch = in.small();
        double usualRate = in.real();
        double variantRate = in.real();
        String reason = in.text();
        Optional<Variant> variant = in.flag() ? Optional.of(variant(in)) : Optional.empty();
        Optional<Place> asked = in.flag() ? Optional.of(Place.read(in)) : Optional.empty();
        return new OrderRow(
                new OrderState(
                        phase, trial, since, unanswered, lost, variant, fromEpoch, usualRate, variantRate, reason),
                asked,
                // rows of older dispatchers end before
                in.hasMore() ? in.texts() : List.of());
    }

    static void write(Variant variant, RowWriter out) {
        out.text(variant.digest())
                .texts(variant.moved())
                .text(variant.proof().name())
                .real(variant.tolerance())
                .real(variant.predictedGain())
                .real(variant.measuredGain());
    }

    static Variant variant(RowReader in) {
        return new Variant(in.text(), in.texts(), Proof.valueOf(in.text()), in.real(), in.real(), in.real());
    }
}
