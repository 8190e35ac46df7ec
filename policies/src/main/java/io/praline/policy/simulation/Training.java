package io.praline.policy.simulation;

/**
 * What a training loop reads.
 *
 * @param elementsPerEpoch in the data
 * @param batch elements in a batch
 * @param epochs until it ends
 * @param windowBatches batches that make a window
 * @param bytesPerElement of those that come to the trainer; 0: its windows tell no bytes
 */
public record Training(long elementsPerEpoch, long batch, long epochs, long windowBatches, double bytesPerElement) {
    public Training {
        atLeast1("elementsPerEpoch", elementsPerEpoch);
        atLeast1("batch", batch);
        atLeast1("epochs", epochs);
        atLeast1("windowBatches", windowBatches);
        if (!(bytesPerElement >= 0 && bytesPerElement < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("bytesPerElement must not be negative, is " + bytesPerElement);
        }
    }

    private static void atLeast1(String name, long number) {
        if (number < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, is " + number);
        }
    }

    public double elements() {
        return (double) elementsPerEpoch * epochs;
    }

    public double windowElements() {
        return (double) windowBatches * batch;
    }
}
