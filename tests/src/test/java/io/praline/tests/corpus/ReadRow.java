package io.praline.tests.corpus;

import io.praline.client.Batch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A row of a batch.
 *
 * @param row what of it is compared with values
 * @param draws what came in components that are drawn
 */
public record ReadRow(Row row, Map<Integer, Draw> draws) {

    /**
     * Values that are drawn by chance.
     *
     * @param low the lowest of them; above {@code high} where there are none
     * @param content what stands for the values
     */
    record Draw(double low, double high, String content) {
        static Draw of(Tensor tensor) {
            return new Draw(
                    Arrays.stream(tensor.numbers()).min().orElse(Double.POSITIVE_INFINITY),
                    Arrays.stream(tensor.numbers()).max().orElse(Double.NEGATIVE_INFINITY),
                    Arrays.toString(tensor.sampled()));
        }
    }

    /** Each row of a batch, or the batch as a whole, as is said of the program. */
    public static List<ReadRow> all(Batch batch, Said said) {
        if (said.whole()) {
            return List.of(read(
                    IntStream.range(0, batch.size())
                            .mapToObj(place -> Tensor.of(batch.component(place)))
                            .toList(),
                    said));
        }
        int rows = IntStream.range(0, batch.size())
                .mapToObj(place -> batch.component(place).shape())
                .filter(shape -> shape.length > 0)
                .mapToInt(shape -> Math.toIntExact(shape[0]))
                .max()
                .orElseThrow();
        return IntStream.range(0, rows)
                .mapToObj(row -> read(
                        IntStream.range(0, batch.size())
                                .mapToObj(place -> Tensor.row(batch.component(place), row))
                                .toList(),
                        said))
                .toList();
    }

    private static ReadRow read(List<Tensor> tensors, Said said) {
        List<Cell> cells = new ArrayList<>();
        Map<Integer, Draw> draws = new LinkedHashMap<>();
        for (int place = 0; place < tensors.size(); place++) {
            Tensor tensor = tensors.get(place);
            if (said.mirrored().contains(place)) {
                tensor = tensor.mirrored();
            }
            if (said.padded().contains(place)) {
                tensor = tensor.unpadded();
            }
            if (said.drawn().containsKey(place)) {
                draws.put(place, Draw.of(tensor));
            }
            cells.add(
                    said.hasValues(place)
                            ? tensor.cell()
                            : outline(tensor, said.whole() && said.loose().contains(place)));
        }
        return new ReadRow(new Row(cells), draws);
    }

    private static Cell outline(Tensor tensor, boolean withoutLength) {
        List<Long> shape = new ArrayList<>(tensor.shape());
        if (withoutLength && !shape.isEmpty()) {
            shape.set(0, -1L);
        }
        return new Cell(tensor.type().toString(), shape, List.of(), List.of());
    }
}
