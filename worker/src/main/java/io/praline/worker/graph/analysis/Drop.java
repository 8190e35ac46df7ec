package io.praline.worker.graph.analysis;

import io.praline.worker.graph.DatasetOps;
import io.praline.worker.graph.OpTraits;

/**
 * A place where elements may be left out.
 *
 * @param transformation the name of the one that does it, or that calls the function in which it is done
 * @param op TensorFlow's op of the dataset node that does it
 * @param how which elements it leaves out
 * @param where where it stands
 */
public record Drop(String transformation, String op, OpTraits.Drops how, Where where) {

    /** Where a drop stands, and so of what its places are counted. */
    public enum Where {
        /** Behind the sources. */
        PATH,
        /** In the function that opens a file, over that file's records: a position is one in the file. */
        FILE,
        /** In a function that makes a dataset of an element or of a group of them. */
        GROUP
    }

    /** In words. */
    public String words() {
        String place =
                switch (where) {
                    case PATH -> "";
                    case FILE -> " in each file";
                    case GROUP -> " in each group";
                };
        return transformation + ": " + DatasetOps.word(op) + " leaves elements out by " + OpTraits.word(how) + place;
    }
}
