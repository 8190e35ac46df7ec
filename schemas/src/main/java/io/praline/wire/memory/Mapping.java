package io.praline.wire.memory;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;

/**
 * A file that is mapped until this is closed. Java has no other way to give a mapping back before the collector finds it, which
 * may be hours later, and as long the memory of a file without a name is taken.
 *
 * @param bytes must not be touched any more once this is closed, nor any view of them: the process dies of it
 */
public record Mapping(MappedByteBuffer bytes) implements AutoCloseable {
    private static final MethodHandle UNMAP = unmap();

    /** Gives the mapping back. Once. */
    @Override
    public void close() {
        try {
            UNMAP.invokeExact((ByteBuffer) bytes);
        } catch (Throwable cannot) {
            throw new IllegalStateException("memory cannot be unmapped", cannot);
        }
    }

    private static MethodHandle unmap() {
        try {
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field field = type.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return MethodHandles.lookup()
                    .findVirtual(type, "invokeCleaner", MethodType.methodType(void.class, ByteBuffer.class))
                    .bindTo(field.get(null));
        } catch (ReflectiveOperationException noUnsafe) {
            throw new ExceptionInInitializerError(noUnsafe);
        }
    }
}
