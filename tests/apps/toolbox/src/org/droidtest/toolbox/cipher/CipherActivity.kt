package org.droidtest.toolbox.cipher

import android.widget.EditText
import android.widget.Spinner
import org.droidtest.toolbox.ui.ToolActivity

/** Locks a text with a password, and shows its digests. */
class CipherActivity : ToolActivity() {
    private lateinit var text: EditText
    private lateinit var password: EditText
    private lateinit var kind: Spinner

    override fun build() {
        text = field("text", "The last ferry leaves at ten past six")
        password = field("password", "apple tree")
        kind = choice(*Box.KINDS.toTypedArray())
        buttons(
            "Lock" to { text.setText(box().lock(text.text.toString())); say("locked") },
            "Unlock" to { text.setText(box().unlock(text.text.toString())); say("unlocked") },
            "Digests" to { show(Digests.all(text.text.toString())) },
            "Sign" to { show(Digests.signature(text.text.toString())) },
        )
    }

    private fun box() = Box(kind.selectedItem.toString(), password.text.toString())
}
