package io.praline.deploy.local;

import io.praline.client.local.LaunchedWorker;

/** A child process as a worker of a pool. */
public record PoolProcess(ChildProcess process) implements LaunchedWorker {

    @Override
    public boolean running() {
        return process.alive();
    }

    @Override
    public void drain() {
        process.askToEnd();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public String lastWords() {
        return "code " + process.exitCode() + ", " + process.lastLine();
    }
}
