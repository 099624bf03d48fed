package org.droidtest.notes;

import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A title may say when the note is due: "Call Ana due 2024-05-17". */
final class DueDate {
    private static final Pattern DUE = Pattern.compile("\\bdue (\\d{4}-\\d{2}-\\d{2})\\b");

    private DueDate() {}

    /** The date as it is written, or null. */
    static String in(String title) {
        Matcher due = DUE.matcher(title);
        return due.find() ? due.group(1) : null;
    }

    /** Planted impossible-date: what looks like a date need not be one. */
    static LocalDate parse(String date) {
        return LocalDate.parse(date);
    }
}
