package io.praline.deploy.terminal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which numbers an option takes: what is given is held against it before a command does anything ({@link OptionLimits}). */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Within {

    /** The least that it takes. */
    long least();

    /** The most that it takes. Where times are told in seconds, less than a {@code Duration} has room for in nanoseconds. */
    long most() default Long.MAX_VALUE;

    /** Whether it must be more than the least, of what may have a fraction. */
    boolean more() default false;

    /** Whether it may be infinite, of what may have a fraction. */
    boolean endless() default false;
}
