package io.praline.dispatcher;

import io.praline.topics.Topic;
import io.praline.topics.registry.AvroCodec;
import io.praline.topics.registry.UnreadableRecord;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Records of which one field is what nobody expects. Which fields there are its schema says, so that one that is added tomorrow
 * is among them.
 */
final class HostileFields {
    /** Nearly what a record may have. */
    private static final int HUGE = 1_500_000;

    private final AvroCodec codec;
    private final List<String> names;
    private final Set<String> done = new HashSet<>();

    /** @param names that records have of things that are there and none of theirs: of other jobs, of other processes */
    HostileFields(AvroCodec codec, String... names) {
        this.codec = codec;
        this.names = List.of(names);
    }

    /** Where a value lies in a record: positions of fields, and places in lists. */
    private record Place(String path, Schema schema, List<Integer> way) {
        private Place in(String name, Schema of, int at) {
            List<Integer> further = new ArrayList<>(way);
            further.add(at);
            return new Place(path.isEmpty() ? name : path + "." + name, of, further);
        }

        private Object get(Object root) {
            Object found = root;
            for (int at : way) {
                found = at(found, at);
            }
            return found;
        }

        @SuppressWarnings("unchecked") // lists of records hold what their schema says
        private void put(Object root, Object value) {
            Object owner = root;
            for (int at : way.subList(0, way.size() - 1)) {
                owner = at(owner, at);
            }
            int last = way.get(way.size() - 1);
            if (owner instanceof SpecificRecord record) {
                record.put(last, value);
            } else {
                ((List<Object>) owner).set(last, value);
            }
        }

        private static Object at(Object owner, int at) {
            return owner instanceof SpecificRecord record ? record.get(at) : ((List<?>) owner).get(at);
        }
    }

    /**
     * Gives each such record, with what is wrong with it. Fields of which records before it were given are left out.
     *
     * @param record one that is as it should be
     */
    <V extends SpecificRecord> void each(Topic<V> topic, V record, BiConsumer<String, Supplier<V>> taken) {
        byte[] whole = codec.write(topic, record);
        List<Place> places = new ArrayList<>();
        collect(record, new Place("", record.getSchema(), List.of()), places);
        for (Place place : places) {
            if (done.add(place.path)) {
                for (Object value : values(place.schema, place.get(record))) {
                    taken.accept(place.path + " = " + shortly(value), () -> {
                        V spoiled = read(topic, whole);
                        place.put(spoiled, value);
                        return spoiled;
                    });
                }
            }
        }
    }

    private <V extends SpecificRecord> V read(Topic<V> topic, byte[] value) {
        try {
            return codec.read(topic, value);
        } catch (UnreadableRecord unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    private static void collect(Object value, Place place, List<Place> places) {
        if (value instanceof SpecificRecord record) {
            String kind = record.getSchema().getName();
            for (Schema.Field field : record.getSchema().getFields()) {
                Place inner = place.in(kind + ":" + field.name(), field.schema(), field.pos());
                places.add(inner);
                collect(record.get(field.pos()), inner, places);
            }
        } else if (value instanceof List<?> list) {
            for (int at = 0; at < list.size(); at++) {
                if (list.get(at) instanceof SpecificRecord
                        && !list.subList(0, at).contains(list.get(at))) {
                    collect(list.get(at), place.in("[" + at + "]", null, at), places);
                }
            }
        }
    }

    private List<Object> values(Schema schema, Object value) {
        return switch (schema.getType()) {
            case INT -> List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE);
            case LONG -> List.of(Long.MIN_VALUE, -1L, 0L, 1L << 36, 1L << 53, Long.MAX_VALUE);
            case DOUBLE ->
                List.of(
                        Double.NaN,
                        Double.NEGATIVE_INFINITY,
                        -1.0,
                        0.0,
                        Double.MIN_VALUE,
                        1e300,
                        Double.POSITIVE_INFINITY);
            case BOOLEAN -> List.of(!(Boolean) value);
            case STRING -> texts();
            case BYTES -> bytes();
            case ENUM -> others((Enum<?>) value);
            case ARRAY -> lists((List<?>) value);
            case MAP -> maps();
            case UNION -> union(schema, value);
            default -> List.of();
        };
    }

    private List<Object> union(Schema schema, Object value) {
        List<Object> values = new ArrayList<>();
        for (Schema branch : schema.getTypes()) {
            if (value != null && branch.getType() == Schema.Type.NULL) {
                List<Object> none = new ArrayList<>();
                none.add(null);
                values.addAll(none);
            } else if (value != null
                    && SpecificData.get().resolveUnion(schema, value)
                            == schema.getTypes().indexOf(branch)) {
                values.addAll(values(branch, value));
            }
        }
        return values;
    }

    private List<Object> texts() {
        List<Object> texts = new ArrayList<>(
                List.of("", " ", "a\u0000\u001b[2Jb", "\ud800", "/", "x".repeat(HUGE), "\u00e9".repeat(300), "NaN"));
        texts.addAll(names);
        return texts;
    }

    /** Runs of tickets are bytes too: the third are as many elements as a split may have, the fourth more than there are numbers. */
    private static List<Object> bytes() {
        byte[] huge = new byte[HUGE];
        Arrays.fill(huge, (byte) 1);
        return List.of(
                ByteBuffer.allocate(0),
                ByteBuffer.wrap(new byte[] {(byte) 0x80}),
                ByteBuffer.wrap(new byte[] {0, (byte) 0x80, (byte) 0x80, (byte) 0x80, 32}),
                ByteBuffer.wrap(new byte[] {1, -1, -1, -1, -1, -1, -1, -1, -1, 127}),
                ByteBuffer.wrap(huge));
    }

    private static List<Object> others(Enum<?> value) {
        return Arrays.stream(value.getDeclaringClass().getEnumConstants())
                .filter(other -> !other.equals(value))
                .map(Object.class::cast)
                .toList();
    }

    private static List<Object> lists(List<?> list) {
        List<Object> twice = new ArrayList<>(list);
        twice.addAll(list);
        List<Object> lists = new ArrayList<>(List.of(new ArrayList<>(), twice));
        if (!list.isEmpty()) {
            int each = Math.max(1, list.get(0).toString().length() / 2);
            List<Object> many = new ArrayList<>();
            for (int left = Math.min(50_000, HUGE / each); left > 0; left--) {
                many.add(list.get(0));
            }
            lists.add(many);
        }
        return lists;
    }

    private static List<Object> maps() {
        Map<String, String> many = new HashMap<>();
        for (int entry = 0; entry < 20_000; entry++) {
            many.put("setting " + entry, "value");
        }
        return List.of(
                new HashMap<>(), new HashMap<>(Map.of("", "")), new HashMap<>(Map.of("x", "y".repeat(HUGE))), many);
    }

    private static String shortly(Object value) {
        String text = value instanceof Collection<?> many && many.size() > 10 ? many.size() + " of it" : value + "";
        return text.length() > 100 ? text.substring(0, 100) + "... (" + text.length() + ")" : text;
    }

    /**
     * Fields of a topic's records of which none of these has a value that could be spoiled: lists that are empty, and what is
     * left out.
     */
    static SortedSet<String> without(Topic<?> topic, Collection<? extends SpecificRecord> records) {
        SortedSet<String> all = new TreeSet<>();
        Deque<Schema> left = new ArrayDeque<>(List.of(topic.schema()));
        Set<String> seen = new HashSet<>();
        while (!left.isEmpty()) {
            Schema next = left.poll();
            switch (next.getType()) {
                case RECORD -> {
                    if (seen.add(next.getName())) {
                        next.getFields().forEach(field -> {
                            all.add(next.getName() + ":" + field.name());
                            left.add(field.schema());
                        });
                    }
                }
                case ARRAY -> left.add(next.getElementType());
                case UNION -> left.addAll(next.getTypes());
                default -> {}
            }
        }
        records.forEach(record -> has(record, all));
        return all;
    }

    private static void has(Object value, Set<String> missing) {
        if (value instanceof SpecificRecord record) {
            for (Schema.Field field : record.getSchema().getFields()) {
                Object its = record.get(field.pos());
                boolean nothing = its == null
                        || (its instanceof Collection<?> list && list.isEmpty())
                        || (its instanceof Map<?, ?> map && map.isEmpty());
                if (!nothing) {
                    missing.remove(record.getSchema().getName() + ":" + field.name());
                }
                has(its, missing);
            }
        } else if (value instanceof List<?> list) {
            list.forEach(each -> has(each, missing));
        }
    }
}
