package io.praline.policy;

/** How many there are of something, in words, for whoever reads a reason. */
public final class Counted {

    private Counted() {}

    /** {@code 1 split}, {@code 2 splits}. */
    public static String of(long number, String what) {
        return of(number, what, what + "s");
    }

    /** {@code 1 entry is}, {@code 2 entries are}: where more than an s behind the word tells them apart. */
    public static String of(long number, String one, String several) {
        return number + " " + word(number, one, several);
    }

    /** What agrees with a number that stands elsewhere: {@code is}, {@code are}. */
    public static String word(long number, String one, String several) {
        return number == 1 ? one : several;
    }
}
