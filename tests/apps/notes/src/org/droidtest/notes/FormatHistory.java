package org.droidtest.notes;

import java.util.Stack;

/** Undo and redo of the marks put into a text; typing begins a new history. */
final class FormatHistory {
    static final String BOLD = "**";
    static final String ITALIC = "_";

    private static final class Step {
        final String before;
        final String mark;

        Step(String before, String mark) {
            this.before = before;
            this.mark = mark;
        }
    }

    private final Stack<Step> applied = new Stack<>();
    private final Stack<Step> undone = new Stack<>();
    private final Stack<Step> merged = new Stack<>();

    String apply(String text, String mark) {
        applied.push(new Step(text, mark));
        undone.clear();
        return mark + text + mark;
    }

    String undo(String text) {
        if (applied.isEmpty()) {
            return text;
        }
        Step step = applied.pop();
        undone.push(step);
        return step.before;
    }

    /** Planted format-order: bold and italic in a row are merged, into a step never kept. */
    String redo(String text) {
        if (undone.isEmpty()) {
            return text;
        }
        Step step = undone.pop();
        if (step.mark.equals(ITALIC) && !applied.isEmpty() && applied.peek().mark.equals(BOLD)) {
            step = merged.pop();
        }
        applied.push(step);
        return step.mark + text + step.mark;
    }
}
