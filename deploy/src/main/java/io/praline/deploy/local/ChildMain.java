package io.praline.deploy.local;

import io.praline.deploy.terminal.ExitCode;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * Runs another main class, and ends this process when the one that started it is gone, however that ended: standard input
 * is a pipe from it, and the kernel closes that even after {@code kill -9}.
 */
public final class ChildMain {

    private ChildMain() {}

    /**
     * Does not return before the other main does.
     *
     * @param args the class whose main to run, then its arguments
     */
    public static void main(String[] args) throws Throwable {
        endWithTheParent();
        MethodHandles.publicLookup()
                .findStatic(Class.forName(args[0]), "main", MethodType.methodType(void.class, String[].class))
                .invoke(Arrays.copyOfRange(args, 1, args.length));
    }

    /** From now on this process ends when its standard input does. */
    public static void endWithTheParent() {
        Thread watch = new Thread(ChildMain::watchTheParent, "parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static void watchTheParent() {
        try {
            while (System.in.read() >= 0) {
                // nothing is said on this pipe: that it stays open is all
            }
        } catch (IOException closed) {
            // the same as its end
        }
        // no hooks: what they would talk to went with the parent
        Runtime.getRuntime().halt(ExitCode.INTERRUPTED.number());
    }
}
