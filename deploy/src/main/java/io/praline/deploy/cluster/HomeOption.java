package io.praline.deploy.cluster;

/** Where the environment is read: nothing below it does. */
public final class HomeOption {

    private HomeOption() {}

    public static Home home() {
        return Home.of(System.getenv(), System.getProperty("user.home"));
    }
}
