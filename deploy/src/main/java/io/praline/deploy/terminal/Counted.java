package io.praline.deploy.terminal;

/** How many there are of something, in words. */
final class Counted {

    private Counted() {}

    /** {@code 1 split}, {@code 2 splits}. */
    static String of(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** {@code 1 is}, {@code 2 are}. */
    static String are(long number) {
        return number + (number == 1 ? " is" : " are");
    }
}
