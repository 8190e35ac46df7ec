package io.praline.dispatcher;

import io.praline.topics.ServiceUnreachable;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;

/** Runs a dispatcher until it is told to stop. */
public final class DispatcherMain {
    private static final int WRONG_USE = 2;
    private static final int REFUSED = 3;
    private static final int UNREACHABLE = 5;
    private static final int FAILED = 4;

    private DispatcherMain() {}

    /**
     * Runs it.
     *
     * @param args settings as {@code name=value}, the names those of {@link DispatcherConfig}; also system properties
     */
    public static void main(String[] args) {
        int code = run(args);
        if (code != 0) {
            Runtime.getRuntime().halt(code);
        }
    }

    private static int run(String[] args) {
        try {
            Dispatcher dispatcher = Dispatcher.start(DispatcherConfig.from(properties(args)));
            Runtime.getRuntime().addShutdownHook(new Thread(dispatcher::close, "dispatcher-close"));
            dispatcher.ended().join();
            return 0;
        } catch (IllegalArgumentException wrong) {
            return complain(wrong.getMessage(), WRONG_USE);
        } catch (ServiceUnreachable unreachable) {
            return complain(unreachable.getMessage(), UNREACHABLE);
        } catch (UncheckedIOException | IllegalStateException refused) {
            return complain(refused.getMessage(), REFUSED);
        } catch (CompletionException failed) {
            return complain("the dispatcher has failed: " + failed.getCause(), FAILED);
        }
    }

    @SuppressWarnings("SystemOut") // the one line that a program owes whoever started it
    private static int complain(String message, int code) {
        System.err.println("dispatcher: " + message);
        return code;
    }

    private static Map<String, String> properties(String[] args) {
        Map<String, String> properties = new TreeMap<>();
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("dispatcher."))
                .forEach(name -> properties.put(name, System.getProperty(name)));
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("settings are name=value, got '" + arg + "'");
            }
            properties.put(arg.substring(0, equals), arg.substring(equals + 1));
        }
        return properties;
    }
}
