package org.droidtest.toolbox.search

import android.widget.EditText
import org.droidtest.toolbox.Texts
import org.droidtest.toolbox.ui.ToolActivity

/** Finds notes by their words. */
class SearchActivity : ToolActivity() {
    private val notes = Notes()
    private lateinit var query: EditText

    override fun build() {
        query = field("query", "apple OR ferry")
        buttons(
            "Search" to { show(notes.search(query.text.toString())) },
            "Add" to { notes.add(query.text.toString()); say("${notes.count()} notes") },
            "Like" to { show(notes.like(query.text.toString())) },
        )
    }

    override fun opened() {
        Texts.lines.forEach(notes::add)
        say("${notes.count()} notes")
    }

    override fun onDestroy() {
        notes.close()
        super.onDestroy()
    }
}
