package io.praline.deploy.terminal;

import io.praline.schema.JobOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** In which order a job's steps run, as a line for people and as an object for programs. */
public record OrderStateView(JobOrder order) {

    /** That of a job of whose steps any runs elsewhere than the user wrote it; empty of others. */
    public static Optional<OrderStateView> ofMoved(Optional<JobOrder> order) {
        return order.map(OrderStateView::new).filter(OrderStateView::moved);
    }

    private boolean moved() {
        return !order.getMoved().isEmpty();
    }

    public String line() {
        String gain = order.getMeasuredGain() > 0
                ? String.format(Locale.ROOT, ", %.2f times as fast on a sample", order.getMeasuredGain())
                : "";
        String reason = order.getReason().isEmpty() ? "" : ": " + Failures.oneLine(order.getReason());
        String moved = moved() ? "; moved: " + Failures.oneLine(String.join("; ", order.getMoved())) : "";
        return order.getMode() + ", " + order.getState() + gain + reason + moved;
    }

    public Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("mode", order.getMode());
        object.put("state", order.getState());
        object.put("variant", order.getVariantDigest().isEmpty() ? null : order.getVariantDigest());
        object.put("moved", List.copyOf(order.getMoved()));
        object.put("reason", order.getReason());
        object.put("predictedGain", order.getPredictedGain());
        object.put("measuredGain", order.getMeasuredGain());
        return object;
    }
}
