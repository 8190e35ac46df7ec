package io.praline.worker.storage.glob;

import java.util.Comparator;

/**
 * The order of names by their code points, which is that of their bytes in UTF-8, of stores of objects, and of Python. Java's
 * own has characters beyond the first 65,536 before the last 8,192 of these.
 */
public enum NameOrder implements Comparator<String> {
    BY_CODE_POINT;

    @Override
    public int compare(String one, String other) {
        int shorter = Math.min(one.length(), other.length());
        for (int i = 0; i < shorter; i++) {
            char its = one.charAt(i);
            char others = other.charAt(i);
            if (its != others) {
                boolean beyond = Character.isSurrogate(its);
                return beyond == Character.isSurrogate(others) ? its - others : beyond ? 1 : -1;
            }
        }
        return one.length() - other.length();
    }
}
