package io.praline.policy.caching;

import io.praline.policy.Terms.Goal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Whether to compute or to keep what is behind one of the points, by what all that is to come takes:
 *
 * <pre>
 *   pass of a record     compute  it is read at its source, and computed to the end
 *                        write    the same, and written
 *                        read     it is read from the store, and computed from p to the end
 *   with u uses of it left, others' among them: u reads where it has an entry, a write and u - 1 reads where it is given
 *   one, u computations elsewhere; of the splits that have none, as many are given one as there is room for
 *   workerSeconds        sum over passes of what a worker takes for one, see {@link TaskPace}
 *   seconds              sum over passes of max(workerSeconds / workers, 1 / (records/s that the trainer takes))
 *   money                seconds x client + workerSeconds x worker + GB kept x hours that they are used x storage,
 *                        those left out that others keep anyway; at least one worker is paid for all the time;
 *                        and GB read at the source, by passes that compute or write, x fetch
 * </pre>
 *
 * The goal says which is to be small: money, seconds, or their product. Where the trainer is the bottleneck ways are equally
 * fast, and money decides. What is less than {@value #TIE} better than computing is not worth a store: it computes.
 *
 * @param mode which points may be used, and whether one must be
 * @param terms what matters
 */
public record AutoCaching(CacheMode mode, CacheTerms terms) {
    /** Measures are no better than this. */
    public static final double TIE = 0.03;

    private static final double BYTES_PER_GB = 1e9;
    private static final double SECONDS_PER_HOUR = 3600;

    /** The best way. */
    public CacheChoice choose(CacheSituation situation) {
        CacheForecast computing = computing(situation);
        List<CacheForecast> all = new ArrayList<>(List.of(computing));
        for (CachePoint point : mode.allowed(situation.points())) {
            situation.measure(point).ifPresent(measure -> {
                all.add(forecast(situation, point, measure, true));
                if (!mode.forced() && situation.stored(point) > 0) {
                    all.add(forecast(situation, point, measure, false));
                }
            });
        }
        Comparator<CacheForecast> smallest = Comparator.comparingDouble(this::first)
                .thenComparingDouble(this::second)
                .thenComparingDouble(CacheForecast::storedBytes);
        CacheForecast chosen = all.stream()
                .skip(1)
                .min(smallest)
                .filter(best -> mode.forced() || better(best, computing, TIE))
                .orElse(computing);
        return new CacheChoice(
                chosen,
                computing,
                all,
                reason(situation.outlook(), chosen, computing, all),
                numbers(situation, chosen, all));
    }

    /**
     * Whether one way is better than another.
     *
     * @param share by which it must be better at least
     */
    public boolean better(CacheForecast one, CacheForecast other, double share) {
        if (first(one) < (1 - share) * first(other)) {
            return true;
        }
        return first(one) <= first(other) && second(one) < (1 - share) * second(other);
    }

    /** What the goal wants to be small; where nothing has a price, work. */
    private double first(CacheForecast way) {
        return switch (terms.goal()) {
            case COST -> priced() ? way.money() : way.workerSeconds();
            case TIME -> way.seconds();
            case BALANCED -> priced() ? way.money() * way.seconds() : way.seconds();
        };
    }

    /** What decides between ways that are equally good by the goal. */
    private double second(CacheForecast way) {
        if (priced()) {
            return terms.goal() == Goal.TIME ? way.money() : 0;
        }
        return way.workerSeconds();
    }

    private boolean priced() {
        return terms.clientPerHour() + terms.workerPerHour() + terms.fetchedPerGb() > 0;
    }

    private CacheForecast computing(CacheSituation situation) {
        CacheOutlook outlook = situation.outlook();
        Passes passes = new Passes(situation);
        passes.compute(outlook.epochsLeft() + mostOthers(situation), passes.compute);
        return passes.forecast(terms, Optional.empty(), false, 0, 0, 0, passes.compute);
    }

    /** Ways are counted over the same epochs, also over those of jobs that have another point in common. */
    private static double mostOthers(CacheSituation situation) {
        return situation.points().stream()
                .mapToDouble(point -> others(situation, point))
                .max()
                .orElse(0);
    }

    /** What others read again they can keep for themselves: an entry saves them their first time. */
    private static double others(CacheSituation situation, CachePoint point) {
        return Math.min(1, situation.outlook().others(point));
    }

    private CacheForecast forecast(CacheSituation situation, CachePoint point, PointMeasure measure, boolean put) {
        CacheOutlook outlook = situation.outlook();
        double others = others(situation, point);
        double bytes = measure.bytes() * outlook.recordsPerEpoch();
        double stored = situation.stored(point);
        double fits = bytes > 0 ? Math.min(1, outlook.roomBytes() / bytes) : 1;
        double covered = put ? Math.max(stored, fits) : stored;
        double whole = Math.floor(outlook.epochsLeft());
        double begun = outlook.epochsLeft() - whole;
        Passes passes = new Passes(situation);
        double read = passes.read(measure);
        double write = passes.write(measure);
        passes.uses(whole + 1 + others, begun, stored, covered, read, write);
        passes.uses(whole + others, 1 - begun, stored, covered, read, write);
        passes.compute(mostOthers(situation) - others, passes.compute);
        double paid = others > 0 ? covered - stored : covered;
        double lives = Math.max(outlook.epochsLeft(), others) * paid * bytes;
        return passes.forecast(terms, Optional.of(point), put, covered, covered * bytes, lives, read);
    }

    private String reason(
            CacheOutlook outlook, CacheForecast chosen, CacheForecast computing, List<CacheForecast> all) {
        if (chosen.point().isEmpty() && outlook.roomBytes() == 0) {
            return "it computes: no worker has room to keep anything, see --cache-dir and --cache-bytes";
        }
        if (chosen.point().isEmpty()) {
            return all.stream()
                    .skip(1)
                    .min(Comparator.comparingDouble(this::first))
                    .map(best -> format(
                            "it computes: what is left takes workers %.1f s, and %.1f s %s, which is no gain of more than"
                                    + " %.0f %% in %s",
                            computing.workerSeconds(), best.workerSeconds(), best.said(), TIE * 100, aim()))
                    .orElse("it computes: there is no point that was measured");
        }
        return format(
                "it is %s: that takes workers %.1f s in place of %.1f s for what is left, and %.2f times as many records"
                        + " come from entries as are computed; %.0f MB, %.0f %% of the splits%s",
                chosen.said(),
                chosen.workerSeconds(),
                computing.workerSeconds(),
                chosen.gain(),
                chosen.storedBytes() / 1e6,
                chosen.coveredShare() * 100,
                mode.forced() ? ", as was asked for" : "");
    }

    private String aim() {
        return switch (terms.goal()) {
            case COST -> "money";
            case TIME -> "time or money";
            case BALANCED -> "money times time";
        };
    }

    private static SortedMap<String, Double> numbers(
            CacheSituation situation, CacheForecast chosen, List<CacheForecast> all) {
        CacheOutlook outlook = situation.outlook();
        SortedMap<String, Double> numbers = new TreeMap<>();
        numbers.put("epochsLeft", outlook.epochsLeft());
        numbers.put("recordsPerEpoch", outlook.recordsPerEpoch());
        numbers.put("computeNanosPerRecord", situation.allNanos());
        numbers.put("secondsComputing", all.get(0).seconds());
        numbers.put("workerSecondsComputing", all.get(0).workerSeconds());
        numbers.put("moneyComputing", all.get(0).money());
        numbers.put("fetchedBytesComputing", all.get(0).fetchedBytes());
        for (CacheForecast way : all.subList(1, all.size())) {
            CachePoint point = way.point().orElseThrow();
            PointMeasure measure = situation.measure(point).orElseThrow();
            String at = "point " + point.number() + ": ";
            numbers.put(at + "computeNanosPerRecord", measure.computeNanos());
            numbers.put(at + "writeNanosPerRecord", measure.writeNanos());
            numbers.put(at + "readNanosPerRecord", measure.readNanos());
            numbers.put(at + "bytesPerRecord", measure.bytes());
            numbers.put(at + "epochsOfOthers", outlook.others(point));
            numbers.put(at + "storedShare", situation.stored(point));
            String how = at + (way.put() ? "" : "without writing: ");
            numbers.put(how + "coveredShare", way.coveredShare());
            numbers.put(how + "seconds", way.seconds());
            numbers.put(how + "workerSeconds", way.workerSeconds());
            numbers.put(how + "money", way.money());
            numbers.put(how + "fetchedBytes", way.fetchedBytes());
        }
        chosen.point().ifPresent(point -> {
            numbers.put("point", (double) point.number());
            numbers.put("expectedGain", chosen.gain());
            numbers.put("expectedWorkerSeconds", chosen.workerSeconds());
            numbers.put("expectedSeconds", chosen.seconds());
            numbers.put("expectedMoney", chosen.money());
        });
        return numbers;
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** Sums over records that pass through the pipeline. */
    private static final class Passes {
        private final CacheSituation situation;
        private final TaskPace pace;

        /** Seconds of a worker, as those of the other ways that a record can go. */
        private final double compute;

        private double workerSeconds;
        private double seconds;
        private double epochs;
        private double computed;

        private Passes(CacheSituation situation) {
            this.situation = situation;
            pace = TaskPace.of(situation);
            compute = pace.seconds(situation.readingNanos(), situation.allNanos() - situation.readingNanos());
        }

        private double write(PointMeasure measure) {
            double computing = situation.allNanos() - situation.readingNanos();
            return pace.seconds(situation.readingNanos(), computing + measure.writeNanos());
        }

        private double read(PointMeasure measure) {
            return pace.seconds(measure.readNanos(), Math.max(0, situation.allNanos() - measure.computeNanos()));
        }

        /** So many epochs that are read at the source, in which a worker takes this for a record. */
        private void compute(double times, double ofWorker) {
            add(times, ofWorker);
            computed += times;
        }

        /** So many epochs in which a worker takes this for a record. */
        private void add(double times, double ofWorker) {
            CacheOutlook outlook = situation.outlook();
            double records = times * outlook.recordsPerEpoch();
            double each = Math.max(ofWorker / outlook.workers(), 1 / outlook.trainerRecordsPerSecond());
            workerSeconds += records * Math.max(ofWorker, each);
            seconds += records * each;
            epochs += times;
        }

        /** A share of the splits that are to be read so often. */
        private void uses(double uses, double share, double stored, double covered, double read, double write) {
            double first = Math.min(1, uses);
            add(share * stored * uses, read);
            compute(share * (covered - stored) * first, write);
            add(share * (covered - stored) * (uses - first), read);
            compute(share * (1 - covered) * uses, compute);
        }

        private CacheForecast forecast(
                CacheTerms terms,
                Optional<CachePoint> point,
                boolean put,
                double covered,
                double bytes,
                double byteEpochs,
                double read) {
            double byteSeconds = epochs > 0 ? byteEpochs * seconds / epochs : 0;
            double fetched = computed * situation.outlook().sourceBytesPerEpoch();
            double money = (seconds * terms.clientPerHour()
                                    + workerSeconds * terms.workerPerHour()
                                    + byteSeconds / BYTES_PER_GB * terms.storagePerGbHour())
                            / SECONDS_PER_HOUR
                    + fetched / BYTES_PER_GB * terms.fetchedPerGb();
            double gain = read > 0 ? compute / read : 1;
            return new CacheForecast(point, put, seconds, workerSeconds, fetched, money, bytes, covered, gain);
        }
    }
}
