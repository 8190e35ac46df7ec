package io.praline.tests.simulation;

import io.praline.schema.Pause;
import io.praline.schema.Pin;
import io.praline.topics.Topic;
import io.praline.topics.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;

/** A fault as it happens to a simulation. Numbers that name nobody there name somebody else. */
record Happening(Simulation in, Fault fault) {
    private static final List<Topic<?>> TOPICS = List.of(
            Topics.WORKER_HEARTBEATS,
            Topics.CONSUMPTION,
            Topics.CLIENT_HEARTBEATS,
            Topics.WORKER_COMMANDS,
            Topics.JOBS,
            Topics.SPLITS);
    private static final List<Topic<?>> INPUTS =
            Topics.all().stream().filter(Topic::dispatcherInput).toList();

    /** It is asked for again: what is in doubt is so a minute later. */
    private static final int MOST_GIVEN_UP = 3;

    private static final int MOST_LOST = 12;
    private static final int MOST_REFUSED = 4;

    /** Seconds behind which a lease is over, and behind which a consumer is lost. */
    private static final int LEASE = 30;

    private static final int LOST = 62;
    private static final long MOST_READ_AGAIN = 30_000;

    /** An hour, as far as clocks are set off. */
    private static final long MOST_SKEW = 3_600_000;

    void happen() {
        if (in.isHealed()) {
            return;
        }
        switch (fault.kind()) {
            case KILL_WORKER -> {
                in.worker(fault.who()).kill();
                in.startWorker(in.workerNumber(fault.who()), micros(20_000));
            }
            case STOP_WORKER -> stop(in.worker(fault.who()), micros(60_000));
            case CUT_WORKER -> cut(in.worker(fault.who()).name(), Kafka.NAME);
            case CUT_CHANNEL -> cut(in.worker(fault.who()).name(), in.hostOf(fault.other()));
            case RESET -> reset(in.worker(fault.who()), in.hostOf(fault.other()));
            case KILL_TRAINER -> killTrainer();
            case STOP_TRAINER -> trainer(trainer -> stop(trainer, micros(90_000)));
            case REPLACE_TRAINER ->
                trainer(trainer -> {
                    stop(trainer, micros(60_000));
                    in.restart(in.placeNumber(fault.who()), micros(60_000) / 3, false);
                });
            case SUPERSEDE_TRAINER ->
                trainer(trainer -> {
                    stop(trainer, Host.seconds(45) + micros(60_000));
                    in.restart(in.placeNumber(fault.who()), micros(3_000), false);
                });
            case CUT_TRAINER -> cut(in.hostOf(fault.who()), Kafka.NAME, 90_000);
            case HANG -> trainer(trainer -> trainer.hang(micros(60_000)));
            case LEAVE ->
                trainer(trainer -> {
                    trainer.leave();
                    if (fault.other() % 2 == 0) {
                        in.restart(in.placeNumber(fault.who()), micros(30_000), false);
                    }
                });
            case JOIN -> in.join(fault.who(), micros(2_000));
            case KILL_DISPATCHER -> {
                in.dispatching().kill(fault.who());
                in.world().after(Host.seconds(6) + micros(10_000), in.dispatching()::start);
            }
            case HAND_OVER -> in.dispatching().handOver(fault.who());
            case STOP_DISPATCHER -> in.dispatching().process(fault.who()).forEach(one -> stop(one, micros(5_500)));
            case LOSE -> topic().loseNext(1);
            case TWICE -> topic().doubleNext(1);
            case LAG -> {
                Kafka.Log log = topic();
                log.lag(micros(8_000) / 4);
                in.world().after(micros(30_000), () -> log.lag(0));
            }
            case POISON -> {
                String pool = in.worker(fault.other()).pool();
                in.kafka()
                        .log(INPUTS.get(fault.who() % INPUTS.size()), pool)
                        .append(pool.getBytes(StandardCharsets.UTF_8), new byte[] {0, 0, 0, 0, 1, (byte) fault.other()
                        });
            }
            case CLOCK -> {
                if (fault.other() % 2 == 0) {
                    in.worker(fault.who()).skew(skew());
                } else {
                    trainer(trainer -> trainer.skew(skew()));
                }
            }
            case BROKER_CLOCK -> topic().skew(skew());
            case KAFKA_AWAY -> {
                for (int i = 0; i < 4; i++) {
                    cut("c" + i, Kafka.NAME);
                    cut("d" + i, Kafka.NAME);
                    cut("w" + i, Kafka.NAME);
                    cut("v" + i, Kafka.NAME);
                }
                cut(Dispatching.NAME, Kafka.NAME);
            }
            case DRAIN_WORKER -> {
                int number = in.workerNumber(fault.who());
                in.worker(number).drain(() -> in.startWorker(number, micros(20_000)));
            }
            case PAUSE -> {
                in.request(in.jobOf(fault.who()), new Pause(true));
                later(micros(40_000), new Pause(false));
            }
            case PIN -> {
                in.request(in.jobOf(fault.who()), new Pin(true, fault.other() % 4, 0));
                later(micros(40_000), new Pin(false, 0, 0));
            }
            case GIVE_UP -> {
                int place = in.placeNumber(fault.who());
                for (int times = 0; times < MOST_GIVEN_UP; times++) {
                    in.world().after(times * micros(60_000), () -> in.giveUp(place));
                }
            }
            case CANCEL -> in.cancel(in.jobOf(fault.who()));
            case SPOIL -> in.spoil(fault.who());
            case LOSE_REQUEST -> {
                List<Kafka.Log> logs = in.kafka().logs(Topics.JOB_REQUESTS);
                logs.get(fault.other() % logs.size()).loseNext(1);
            }
            case LOSE_SOME -> topic().loseNext(2 + (int) (fault.millis() % MOST_LOST));
            case LEAVE_UNSURE ->
                trainer(trainer -> {
                    trainer.leaveUnsure();
                    in.restart(in.placeNumber(fault.who()), micros(30_000), false);
                });
            case LARGE_BEATS -> in.worker(fault.who()).refuse(1 + fault.other() % MOST_REFUSED);
            case DOZE ->
                trainer(trainer -> {
                    // some are who they were when they go on, some were lost, and some have a successor
                    boolean lost = fault.other() % 2 == 0;
                    long micros = Host.seconds(lost ? LOST : LEASE) + micros(lost ? 20_000 : 25_000);
                    trainer.doze(micros, () -> {
                        if (fault.other() % 3 == 0) {
                            in.restart(in.placeNumber(fault.who()), micros(5_000), false);
                        }
                    });
                });
            case STICK -> {
                int number = in.workerNumber(fault.who());
                in.worker(number).stick(fault.other() % 2 == 0, () -> in.startWorker(number, micros(20_000)));
            }
            case REREAD -> {
                in.dispatching().lose(fault.who(), Math.min(fault.millis(), MOST_READ_AGAIN));
                in.world().after(Host.seconds(6) + micros(10_000), in.dispatching()::start);
            }
            case ABANDON -> in.abandon(fault.who(), fault.other() % 2 == 0);
        }
    }

    private void later(long micros, SpecificRecord body) {
        String job = in.jobOf(fault.who());
        in.world().after(micros, () -> in.request(job, body));
    }

    private long micros(long mostMillis) {
        return TimeUnit.MILLISECONDS.toMicros(Math.min(fault.millis(), mostMillis));
    }

    private long skew() {
        return Math.min(MOST_SKEW, fault.millis() * 40) * (fault.other() % 4 < 2 ? 1 : -1);
    }

    private Kafka.Log topic() {
        List<Kafka.Log> logs = in.kafka().logs(TOPICS.get(fault.who() % TOPICS.size()));
        return logs.get(fault.other() % logs.size());
    }

    private void stop(Host process, long micros) {
        process.stop();
        in.world().after(micros, process::resume);
    }

    private void cut(String one, String other) {
        cut(one, other, 60_000);
    }

    private void cut(String one, String other, long mostMillis) {
        in.disturb(one);
        in.world().cut(one, other);
        in.world().after(micros(mostMillis), () -> in.world().heal(one, other));
    }

    private void reset(WorkerProcess worker, String client) {
        in.wires().stream()
                .filter(wire -> wire.joins(client, worker.name()))
                .toList()
                .forEach(Wire::reset);
    }

    private void killTrainer() {
        trainer(trainer -> {
            trainer.kill();
            if (!in.leavesTheDead()) {
                in.restart(in.placeNumber(fault.who()), micros(30_000), fault.other() % 2 == 0);
            }
        });
    }

    /** Whoever has the place and trains. */
    private void trainer(java.util.function.Consumer<TrainerProcess> its) {
        in.trainerOf(fault.who()).filter(TrainerProcess::mayStillTrain).ifPresent(its);
    }
}
