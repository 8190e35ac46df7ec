package io.praline.dispatcher.ledger;

import io.praline.dispatcher.ledger.epoch.EpochLedger;
import io.praline.dispatcher.ledger.row.RowKey;
import io.praline.dispatcher.ledger.row.RowReader;
import io.praline.dispatcher.ledger.row.RowWriter;
import io.praline.dispatcher.ledger.row.Rows;
import io.praline.policy.PolicyState;
import io.praline.policy.PolicyStateText;
import io.praline.schema.Split;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** The rows of jobs, pools, workers and consumers, by their types. Owned by the stream thread. */
public record Ledger(Rows rows, PlanPages pages) {

    /** In which rows are written. One that cannot read them is told so by it; rows that only grow longer are none. */
    public static final int FORMAT = 1;

    public Ledger(Rows rows) {
        this(rows, new PlanPages(rows));
    }

    /** The format of the rows that are there; those of before there were formats are of this one's. */
    public int format() {
        return Optional.ofNullable(rows.get(RowKey.alone(RowKey.FORMAT)))
                .map(row -> new RowReader(row).small())
                .orElse(1);
    }

    /** Rows are of this format from now on. */
    public void saveFormat() {
        byte[] key = RowKey.alone(RowKey.FORMAT);
        byte[] row = new RowWriter().number(FORMAT).bytes();
        if (!Arrays.equals(row, rows.get(key))) {
            rows.put(key, row);
        }
    }

    /** Receives a worker's row. */
    public interface EachWorker {
        void take(String pool, String worker, WorkerRow row);
    }

    /** Receives a tenant's row. */
    public interface EachTenant {
        void take(String pool, String tenant, TenantRow row);
    }

    /** Receives the row of a group of entries. */
    public interface EachGroup {
        void take(String pool, GroupName group, GroupRow row);
    }

    /** Hears of a row that cannot be read, and is not there any more. */
    public interface Unreadable {
        void take(String what, RuntimeException why);
    }

    /** What time it is for the dispatcher; empty before the first clock. */
    public Optional<ClockRow> clock() {
        return Optional.ofNullable(rows.get(RowKey.alone(RowKey.CLOCK))).map(ClockRow::decode);
    }

    public void saveClock(ClockRow row) {
        rows.put(RowKey.alone(RowKey.CLOCK), row.encode());
    }

    public void eachPast(BiConsumer<String, PastRow> each, Unreadable unreadable) {
        each(RowKey.PAST, "the row of the past job ", unreadable, (key, row) -> {
            PastRow past = PastRow.decode(row);
            return () -> each.accept(RowKey.name(key), past);
        });
    }

    public void savePast(String job, PastRow row) {
        rows.put(RowKey.of(RowKey.PAST, job), row.encode());
    }

    public void dropPast(String job) {
        rows.delete(RowKey.of(RowKey.PAST, job));
    }

    public void dropPool(String pool) {
        rows.delete(RowKey.of(RowKey.POOL, pool));
    }

    public void dropTenant(String pool, String tenant) {
        rows.delete(RowKey.of(RowKey.TENANT, pool, tenant));
    }

    /** Ids of all jobs. */
    public List<String> jobs() {
        List<String> ids = new ArrayList<>();
        rows.each(new byte[] {(byte) RowKey.JOB}, (key, row) -> ids.add(RowKey.name(key)));
        return ids;
    }

    /** The job's header. */
    public JobRow job(String id) {
        return JobRow.decode(rows.get(RowKey.of(RowKey.JOB, id)));
    }

    public void eachWorker(EachWorker each, Unreadable unreadable) {
        each(RowKey.WORKER, "the row of a worker of pool ", unreadable, (key, row) -> {
            String[] names = RowKey.names(key);
            WorkerRow worker = WorkerRow.decode(row);
            return () -> each.take(names[0], names[1], worker);
        });
    }

    public void eachTenant(EachTenant each, Unreadable unreadable) {
        each(RowKey.TENANT, "the row of a tenant of pool ", unreadable, (key, row) -> {
            String[] names = RowKey.names(key);
            TenantRow tenant = TenantRow.decode(row);
            return () -> each.take(names[0], names[1], tenant);
        });
    }

    public void eachPool(BiConsumer<String, PoolRow> each, Unreadable unreadable) {
        each(RowKey.POOL, "the row of pool ", unreadable, (key, row) -> {
            PoolRow pool = PoolRow.decode(row);
            return () -> each.accept(RowKey.name(key), pool);
        });
    }

    /** Gives each row of a kind that can be read, and forgets those that cannot: the next beat makes them anew. */
    private void each(char kind, String what, Unreadable unreadable, BiFunction<byte[], byte[], Runnable> read) {
        List<byte[]> lost = new ArrayList<>();
        rows.each(new byte[] {(byte) kind}, (key, row) -> {
            Runnable take;
            try {
                take = read.apply(key, row);
            } catch (RuntimeException why) {
                lost.add(key);
                unreadable.take(what + RowKey.owner(key), why);
                return;
            }
            take.run();
        });
        lost.forEach(rows::delete);
    }

    public void saveTenant(String pool, String tenant, TenantRow row) {
        rows.put(RowKey.of(RowKey.TENANT, pool, tenant), row.encode());
    }

    public void eachPool(BiConsumer<String, PoolRow> each) {
        rows.each(new byte[] {(byte) RowKey.POOL}, (key, row) -> each.accept(RowKey.name(key), PoolRow.decode(row)));
    }

    public void save(String job, JobRow row) {
        rows.put(RowKey.of(RowKey.JOB, job), row.encode());
    }

    /** What the job's policy knows; nothing before it knows anything. */
    public PolicyState known(String job) {
        return state(RowKey.of(RowKey.KNOWN, job));
    }

    public void saveKnown(String job, PolicyState state) {
        rows.put(RowKey.of(RowKey.KNOWN, job), row(state));
    }

    /** What the policy knows that only looks on. */
    public PolicyState shadow(String job) {
        return state(RowKey.of(RowKey.SHADOW, job));
    }

    public void saveShadow(String job, PolicyState state) {
        rows.put(RowKey.of(RowKey.SHADOW, job), row(state));
    }

    private static byte[] row(PolicyState state) {
        SortedMap<String, String> texts = PolicyStateText.write(state);
        RowWriter out = new RowWriter().number(texts.size());
        texts.forEach((name, text) -> out.text(name).text(text));
        return out.bytes();
    }

    private PolicyState state(byte[] key) {
        byte[] row = rows.get(key);
        if (row == null) {
            return PolicyState.UNKNOWN;
        }
        RowReader in = new RowReader(row);
        SortedMap<String, String> texts = new TreeMap<>();
        for (int left = in.small(); left > 0; left--) {
            texts.put(in.text(), in.text());
        }
        return PolicyStateText.read(texts);
    }

    public void saveWorker(String pool, String worker, WorkerRow row) {
        rows.put(RowKey.of(RowKey.WORKER, pool, worker), row.encode());
    }

    public void dropWorker(String pool, String worker) {
        rows.delete(RowKey.of(RowKey.WORKER, pool, worker));
    }

    public void savePool(String pool, PoolRow row) {
        rows.put(RowKey.of(RowKey.POOL, pool), row.encode());
    }

    /** In which order the job's steps run; empty before that matters, and for jobs of before it did. */
    public Optional<OrderRow> order(String job) {
        return Optional.ofNullable(rows.get(RowKey.of(RowKey.ORDER, job))).map(OrderRow::decode);
    }

    public void saveOrder(String job, OrderRow row) {
        rows.put(RowKey.of(RowKey.ORDER, job), row.encode());
    }

    /** The orders that were shown to be better for pipelines on their data. */
    public ProvedOrders proved(String pool) {
        return new ProvedOrders(rows, pool);
    }

    /** Which elements of the job are kept; empty before that matters, and for jobs of before it did. */
    public Optional<CacheRow> cache(String job) {
        return Optional.ofNullable(rows.get(RowKey.of(RowKey.CACHE, job))).map(CacheRow::decode);
    }

    public void saveCache(String job, CacheRow row) {
        rows.put(RowKey.of(RowKey.CACHE, job), row.encode());
    }

    public void eachGroup(EachGroup each, Unreadable unreadable) {
        each(RowKey.GROUP, "the row of a group of entries of pool ", unreadable, (key, row) -> {
            String[] names = RowKey.names(key);
            GroupRow group = GroupRow.decode(row);
            return () -> each.take(names[0], GroupName.of(names[1]), group);
        });
    }

    public void saveGroup(String pool, GroupName group, GroupRow row) {
        rows.put(RowKey.of(RowKey.GROUP, pool, group.toString()), row.encode());
    }

    public void dropGroup(String pool, GroupName group) {
        rows.delete(RowKey.of(RowKey.GROUP, pool, group.toString()));
    }

    /** The submission's record value, as it came. */
    public byte[] submission(String job) {
        return rows.get(RowKey.of(RowKey.SUBMISSION, job));
    }

    public void saveSubmission(String job, byte[] value) {
        rows.put(RowKey.of(RowKey.SUBMISSION, job), value);
    }

    /** The record value that completed the plan, as it came. */
    public Optional<byte[]> plan(String job) {
        return Optional.ofNullable(rows.get(RowKey.of(RowKey.PLAN, job)));
    }

    public void savePlan(String job, byte[] value) {
        rows.put(RowKey.of(RowKey.PLAN, job), value);
    }

    public void savePage(String job, int page, byte[] row) {
        pages.save(job, page, row);
    }

    /** A split of the plan. */
    public Split split(String job, long ordinal) {
        return pages.split(job, ordinal);
    }

    /** Forgets the pages of a plan that will not be used. */
    public void dropPages(String job) {
        drop(RowKey.under(RowKey.PAGE, job));
        pages.forget(job);
    }

    public SortedMap<Integer, ConsumerRow> consumers(String job) {
        SortedMap<Integer, ConsumerRow> consumers = new TreeMap<>();
        rows.each(
                RowKey.under(RowKey.CONSUMER, job),
                (key, row) -> consumers.put(RowKey.lastNumber(key), ConsumerRow.decode(RowKey.lastNumber(key), row)));
        return consumers;
    }

    public void saveConsumer(String job, int consumer, ConsumerRow row) {
        rows.put(RowKey.of(RowKey.CONSUMER, job, consumer), row.encode());
    }

    /** The epochs of the job that began, by number. */
    public SortedMap<Integer, EpochLedger> epochs(String job, boolean tracked) {
        List<Integer> numbers = new ArrayList<>();
        rows.each(RowKey.under(RowKey.EPOCH, job), (key, row) -> numbers.add(RowKey.lastNumber(key)));
        SortedMap<Integer, EpochLedger> epochs = new TreeMap<>();
        numbers.forEach(epoch -> epochs.put(epoch, EpochLedger.open(rows, job, epoch, tracked)));
        return epochs;
    }

    public EpochLedger openEpoch(String job, int epoch, boolean tracked) {
        return EpochLedger.open(rows, job, epoch, tracked);
    }

    /** Lines on tolerated bad records. */
    public List<String> badRecords(String job) {
        byte[] row = rows.get(RowKey.of(RowKey.BAD, job));
        return row == null ? List.of() : new RowReader(row).texts();
    }

    public void saveBadRecords(String job, List<String> lines) {
        rows.put(RowKey.of(RowKey.BAD, job), new RowWriter().texts(lines).bytes());
    }

    /** Forgets how the splits of an epoch were read: its counts stay. */
    public void dropEpochDetails(String job, int epoch) {
        drop(RowKey.of(RowKey.CLOSED, job, epoch));
        drop(RowKey.of(RowKey.SPLIT, job, epoch));
        drop(RowKey.of(RowKey.RETURNED, job, epoch));
        drop(RowKey.of(RowKey.SUSPECT, job, epoch));
    }

    /** Forgets all of an ended job but its header, its submission, its plan's outline, its consumers and its counts. */
    public void dropDetails(String job) {
        for (char kind : new char[] {
            RowKey.PAGE, RowKey.RETURNED, RowKey.CLOSED, RowKey.SPLIT, RowKey.SUSPECT, RowKey.ATTEMPT, RowKey.PLACE
        }) {
            drop(RowKey.under(kind, job));
        }
        pages.forget(job);
        rows.delete(RowKey.of(RowKey.KNOWN, job));
        rows.delete(RowKey.of(RowKey.SHADOW, job));
    }

    /** Forgets an ended job. */
    public void dropJob(String job) {
        dropDetails(job);
        drop(RowKey.under(RowKey.EPOCH, job));
        drop(RowKey.under(RowKey.CONSUMER, job));
        for (char kind :
                new char[] {RowKey.JOB, RowKey.SUBMISSION, RowKey.PLAN, RowKey.BAD, RowKey.ORDER, RowKey.CACHE}) {
            rows.delete(RowKey.of(kind, job));
        }
    }

    private void drop(byte[] prefix) {
        List<byte[]> keys = new ArrayList<>();
        rows.each(prefix, (key, row) -> keys.add(key));
        keys.forEach(rows::delete);
    }
}
