package org.droidtest.probe;

import android.content.Intent;

/** One of many on the back stack. */
public final class LevelActivity extends Screen {
    @Override
    void fill() {
        int level = getIntent().getIntExtra("level", 1);
        text(R.id.label, "level " + level);
        Intent deeper = new Intent(this, LevelActivity.class).putExtra("level", level + 1);
        Intent top = new Intent(this, NavigationActivity.class).putExtra("from", "level " + level);
        button(R.id.deeper, () -> startActivity(deeper));
        button(
                R.id.deeper_no_history,
                () -> startActivity(new Intent(deeper).addFlags(Intent.FLAG_ACTIVITY_NO_HISTORY)));
        button(
                R.id.clear_top,
                () ->
                        startActivity(
                                new Intent(top)
                                        .addFlags(
                                                Intent.FLAG_ACTIVITY_CLEAR_TOP
                                                        | Intent.FLAG_ACTIVITY_SINGLE_TOP)));
        button(
                R.id.to_front,
                () ->
                        startActivity(
                                new Intent(top).addFlags(Intent.FLAG_ACTIVITY_REORDER_TO_FRONT)));
        button(
                R.id.to_single_task,
                () ->
                        startActivity(
                                new Intent(this, SingleTaskActivity.class)
                                        .putExtra("from", "level " + level)));
        button(
                R.id.clear_task,
                () ->
                        startActivity(
                                new Intent(this, MainActivity.class)
                                        .addFlags(
                                                Intent.FLAG_ACTIVITY_NEW_TASK
                                                        | Intent.FLAG_ACTIVITY_CLEAR_TASK)));
        button(R.id.finish_affinity, this::finishAffinity);
    }
}
