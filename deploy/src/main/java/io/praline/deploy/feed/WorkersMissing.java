package io.praline.deploy.feed;

/** Something is asked for that takes workers and TensorFlow's library, and Python's package is installed without them. */
public final class WorkersMissing extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    static final String NEXT =
            "pip install --find-links FOLDER 'praline_data[local]', where 'praline wheel --out FOLDER'"
                    + " has built the wheels; a graph on a cluster that is up, or named by PRALINE_URL, needs neither";

    /** @param what is asked for */
    public WorkersMissing(String what) {
        super(what + " needs workers and TensorFlow's library, which come with praline_data[local]: install that");
    }
}
