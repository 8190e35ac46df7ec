package io.praline.deploy.terminal;

/** Numbers of the command line that cannot be, told by the option's name as the user wrote it. */
public final class OptionLimits {

    private OptionLimits() {}

    public static void atLeast(long least, String option, long given) {
        if (given < least) {
            throw new CommandFailed(
                    ExitCode.WRONG_USE,
                    option + (least == 0 ? " must not be negative" : " must be at least " + least) + ", is " + given);
        }
    }
}
