package org.droidtest.notes;

/** One note as it is stored. */
final class Note {
    long id = -1;
    String title = "";
    String body = "";
    /** Words divided by spaces; null where the note was never tagged. */
    String tags;
    /** The note that this one was copied from, or 0. */
    long copyOf;

    boolean matches(String wanted) {
        String lower = wanted.toLowerCase();
        return title.toLowerCase().contains(lower) || body.toLowerCase().contains(lower);
    }
}
