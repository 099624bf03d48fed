package org.droidtest.notes;

/** What a plan is about. */
enum Kind {
    MEETING(R.id.kind_meeting, R.string.meeting, "Who comes:\nWhere:"),
    TRIP(R.id.kind_trip, R.string.trip, "Tickets:\nTo pack:"),
    RECIPE(R.id.kind_recipe, R.string.recipe, "Ingredients:\nSteps:");

    final int button;
    final int label;
    final String text;

    Kind(int button, int label, String text) {
        this.button = button;
        this.label = label;
        this.text = text;
    }

    static Kind ofButton(int id) {
        for (Kind kind : values()) {
            if (kind.button == id) {
                return kind;
            }
        }
        return MEETING;
    }

    static Kind named(String name) {
        for (Kind kind : values()) {
            if (kind.name().equals(name)) {
                return kind;
            }
        }
        return null;
    }
}
