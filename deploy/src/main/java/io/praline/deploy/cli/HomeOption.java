package io.praline.deploy.cli;

/** Where the environment is read: nothing below it does. */
final class HomeOption {

    private HomeOption() {}

    static Home home() {
        return Home.of(System.getenv(), System.getProperty("user.home"));
    }
}
