package io.praline.deploy.cli;

import io.praline.deploy.cli.cache.CacheCommand;
import io.praline.deploy.cli.job.ExplainCommand;
import io.praline.deploy.cli.job.JobCommand;
import io.praline.deploy.cli.job.JobsCommand;
import io.praline.deploy.cli.job.JournalCommand;
import io.praline.deploy.cli.pipeline.PipelineCommand;
import io.praline.deploy.cli.policy.PolicyCommand;
import io.praline.deploy.cli.program.ActuatorCommand;
import io.praline.deploy.cli.program.DispatcherCommand;
import io.praline.deploy.cli.program.WorkerCommand;
import io.praline.deploy.terminal.EveryCommand;
import io.praline.deploy.terminal.ExitCode;
import io.praline.deploy.terminal.Failures;
import io.praline.deploy.terminal.OptionLimits;
import io.praline.deploy.terminal.StandardOutput;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code praline} command. */
@Command(
        name = "praline",
        versionProvider = Version.Line.class,
        description = "Feeds training jobs: tf.data pipelines on workers that place themselves.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Start here:  praline demo",
            "Each command has --help with an example. Exit codes: 0 done, 2 wrong use, 3 refused input,",
            "4 the job failed (doctor: something is off), 5 a service cannot be reached,",
            "6 a part of the process died or hangs, 130 interrupted, 143 terminated (SIGTERM)."
        })
public final class Praline implements Runnable {

    private static final List<Class<?>> COMMANDS = List.of(
            DemoCommand.class,
            UpCommand.class,
            RunCommand.class,
            JobsCommand.class,
            JobCommand.class,
            WorkersCommand.class,
            PoolsCommand.class,
            ConsoleCommand.class,
            CacheCommand.class,
            TopicsCommand.class,
            DoctorCommand.class,
            PipelineCommand.class,
            ExplainCommand.class,
            PolicyCommand.class,
            JournalCommand.class,
            BenchCommand.class,
            ChaosCommand.class,
            DispatcherCommand.class,
            ActuatorCommand.class,
            WorkerCommand.class,
            FeedCommand.class,
            WheelCommand.class);

    /** How long an interrupted command may take to end in order; its children end with the process. */
    private static final long ORDERLY_END_SECONDS = 8;

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        if (Arrays.asList(args).contains(EveryCommand.VERBOSE)) {
            System.setProperty("praline.log.level", "INFO");
        }
        CountDownLatch ended = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread command = Thread.currentThread();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endInOrder(command, interrupted, ended), "interrupted"));
        StandardOutput out = new StandardOutput();
        PrintWriter err = writer(System.err);
        int code = run(writer(out), err, interrupted::get, args);
        if (code == ExitCode.DONE.number() && out.lost().isPresent()) {
            Failures.Told told = Failures.tell(out.lost().get());
            err.println(told.line());
            code = told.code().number();
        }
        ended.countDown();
        System.exit(code);
    }

    private static PrintWriter writer(OutputStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, Charset.defaultCharset()), true);
    }

    /** Runs a command in this process: errors go to {@code err}; returns the exit code. */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        return run(out, err, () -> false, args);
    }

    /** As {@link #run(PrintWriter, PrintWriter, String...)}; whatever fails once it was interrupted fails because of that. */
    static int run(PrintWriter out, PrintWriter err, BooleanSupplier interrupted, String... args) {
        CommandLine praline = commandLine(args)
                .setOut(out)
                .setErr(err)
                .setExecutionExceptionHandler((failure, command, parsed) ->
                        failed(failure, command.getErr(), interrupted.getAsBoolean(), verbose(parsed)));
        try {
            return praline.execute(args);
        } catch (Error broken) {
            // of what a command throws only exceptions get to the handler
            boolean verbose = Arrays.asList(args).contains(EveryCommand.VERBOSE);
            return failed(broken, err, interrupted.getAsBoolean(), verbose);
        }
    }

    /**
     * What understands these words. Where the first names a command, no other is read: their annotations cost more than most
     * commands do.
     */
    static CommandLine commandLine(String... args) {
        CommandLine praline = new CommandLine(new Praline());
        Optional<Class<?>> named = args.length == 0
                ? Optional.empty()
                : COMMANDS.stream().filter(one -> name(one).equals(args[0])).findFirst();
        named.<List<Class<?>>>map(List::of).orElse(COMMANDS).forEach(praline::addSubcommand);
        addToEvery(praline);
        praline.getCommandSpec()
                .addOption(OptionSpec.builder("-V", "--version")
                        .versionHelp(true)
                        .description("Show the version.")
                        .build());
        return praline.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(100)
                .setExecutionStrategy(Praline::execute)
                .setParameterExceptionHandler(Praline::wrongUse);
    }

    private static int execute(ParseResult parsed) {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        OptionLimits.check(parsed);
        return new CommandLine.RunLast().execute(parsed);
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    private static void addToEvery(CommandLine command) {
        command.getCommandSpec().addMixin("every", CommandSpec.forAnnotatedObject(new EveryCommand()));
        command.getSubcommands().values().forEach(Praline::addToEvery);
    }

    /** Ctrl-C or SIGTERM: the command's own thread is interrupted, and its ending waited for. */
    private static void endInOrder(Thread command, AtomicBoolean interrupted, CountDownLatch ended) {
        if (ended.getCount() > 0) {
            // an interrupted thread cannot begin to log: that fails, for good, with a trace of its own
            LoggerFactory.getLogger(Praline.class);
            interrupted.set(true);
            command.interrupt();
            try {
                ended.await(ORDERLY_END_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static int wrongUse(ParameterException wrong, String[] args) {
        CommandLine command = wrong.getCommandLine();
        List<String> unmatched = command.getUnmatchedArguments();
        // an option is mostly missing because it is misspelt
        String reason = unmatched.isEmpty()
                ? Failures.oneLine(wrong.getMessage())
                : unknown(command, unmatched) + unquoted(unmatched.get(0), args);
        command.getErr()
                .println(Failures.PREFIX + reason + "; see '"
                        + command.getCommandSpec().qualifiedName() + " --help'");
        return ExitCode.WRONG_USE.number();
    }

    private static String unknown(CommandLine command, List<String> unmatched) {
        String first = unmatched.get(0);
        boolean commands = !command.getSubcommands().isEmpty();
        String kind = first.startsWith("-") ? "unknown option" : commands ? "unknown command" : "unexpected argument";
        List<String> alike = new UnmatchedArgumentException(command, unmatched).getSuggestions();
        return kind + " '" + first + "'"
                + (alike.isEmpty() || kind.startsWith("unexpected") ? "" : "; did you mean " + alike.get(0) + "?");
    }

    /** A shell makes words of a pattern without quotes, of which an option takes the first. */
    private static String unquoted(String word, String... args) {
        int at = Arrays.asList(args).indexOf(word);
        boolean ofData = at > 1 && Arrays.asList(args).subList(0, at - 1).contains("--data");
        return ofData && !word.startsWith("-") ? "; put a pattern in quotes: --data '/data/train-*.tfrecord'" : "";
    }

    private static boolean verbose(ParseResult parsed) {
        ParseResult leaf = parsed;
        while (leaf.hasSubcommand()) {
            leaf = leaf.subcommand();
        }
        return leaf.hasMatchedOption(EveryCommand.VERBOSE);
    }

    private static int failed(Throwable failure, PrintWriter err, boolean interrupted, boolean verbose) {
        Failures.Told told = interrupted ? Failures.INTERRUPTED : Failures.tell(failure);
        err.println(told.line());
        if (verbose) {
            failure.printStackTrace(err);
        }
        return told.code().number();
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
