package io.praline.policy.scaling.fitted;

/**
 * Unknowns that were seen through sums of them, each sum with its standard deviation:
 *
 * <pre>
 *   value = factors x unknowns + error       error around 0, with the deviation given
 * </pre>
 *
 * <p>What is thought before anything was seen is given in the same way. Enough must be given to tell every unknown. Used
 * by one thread, and thrown away with what was computed.
 */
final class LeastSquares {
    private final double[][] precision;
    private final double[] information;

    LeastSquares(int unknowns) {
        precision = new double[unknowns][unknowns];
        information = new double[unknowns];
    }

    /** That the sum of {@code factors} times the {@code unknowns} beside them is {@code value}. */
    void see(double value, double deviation, int[] unknowns, double[] factors) {
        double weight = 1 / (deviation * deviation);
        for (int i = 0; i < unknowns.length; i++) {
            double scaled = weight * factors[i];
            information[unknowns[i]] += scaled * value;
            for (int j = 0; j < unknowns.length; j++) {
                precision[unknowns[i]][unknowns[j]] += scaled * factors[j];
            }
        }
    }

    /** What is known of the unknowns. */
    static final class Estimate {
        private final double[] mean;
        private final double[][] covariance;

        private Estimate(double[] mean, double[][] covariance) {
            this.mean = mean;
            this.covariance = covariance;
        }

        double mean(int unknown) {
            return mean[unknown];
        }

        double covariance(int one, int other) {
            return covariance[one][other];
        }
    }

    /** By Cholesky's factors and their inverse: a few thousand multiplications for a dozen unknowns. */
    Estimate estimate() {
        int size = information.length;
        double[][] lower = factors();
        double[][] inverse = new double[size][size];
        for (int column = 0; column < size; column++) {
            inverse[column][column] = 1 / lower[column][column];
            for (int row = column + 1; row < size; row++) {
                double sum = 0;
                for (int k = column; k < row; k++) {
                    sum -= lower[row][k] * inverse[k][column];
                }
                inverse[row][column] = sum / lower[row][row];
            }
        }
        double[][] covariance = new double[size][size];
        double[] mean = new double[size];
        for (int i = 0; i < size; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = i; k < size; k++) {
                    sum += inverse[k][i] * inverse[k][j];
                }
                covariance[i][j] = sum;
                covariance[j][i] = sum;
            }
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                mean[i] += covariance[i][j] * information[j];
            }
        }
        return new Estimate(mean, covariance);
    }

    private double[][] factors() {
        int size = information.length;
        double[][] lower = new double[size][size];
        for (int row = 0; row < size; row++) {
            for (int column = 0; column <= row; column++) {
                double sum = precision[row][column];
                for (int k = 0; k < column; k++) {
                    sum -= lower[row][k] * lower[column][k];
                }
                if (column < row) {
                    lower[row][column] = sum / lower[column][column];
                } else if (sum > 0) {
                    lower[row][row] = Math.sqrt(sum);
                } else {
                    throw new IllegalStateException("unknown " + row + " cannot be told from what was seen");
                }
            }
        }
        return lower;
    }
}
