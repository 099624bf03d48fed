package org.droidtest.probe;

import android.content.Intent;

/** Gives an answer to who asked. */
public final class AnswerActivity extends Screen {
    @Override
    void fill() {
        button(R.id.answer_ok, () -> answer(RESULT_OK));
        button(R.id.answer_cancel, () -> answer(RESULT_CANCELED));
        button(R.id.answer_own, () -> answer(RESULT_FIRST_USER));
        button(
                R.id.answer_forward,
                () -> {
                    startActivity(
                            new Intent(this, AnswerActivity.class)
                                    .addFlags(Intent.FLAG_ACTIVITY_FORWARD_RESULT));
                    finish();
                });
    }

    private void answer(int code) {
        setResult(code, new Intent().putExtra("text", "answer " + code));
        finish();
    }
}
