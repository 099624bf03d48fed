package org.droidtest.toolbox

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.widget.ArrayAdapter
import android.widget.ListView
import org.droidtest.toolbox.cipher.CipherActivity
import org.droidtest.toolbox.formats.FormatsActivity
import org.droidtest.toolbox.pages.PagesActivity
import org.droidtest.toolbox.records.RecordsActivity
import org.droidtest.toolbox.search.SearchActivity
import org.droidtest.toolbox.tasks.TasksActivity
import org.droidtest.toolbox.words.WordsActivity

/** The list of tools. */
class MainActivity : Activity() {
    private val tools = listOf(
        "Search" to SearchActivity::class.java,
        "Web pages" to PagesActivity::class.java,
        "Cipher" to CipherActivity::class.java,
        "Tasks" to TasksActivity::class.java,
        "Records" to RecordsActivity::class.java,
        "Formats" to FormatsActivity::class.java,
        "Words" to WordsActivity::class.java,
    )

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        val list = ListView(this)
        list.adapter = ArrayAdapter(this, android.R.layout.simple_list_item_1, tools.map { it.first })
        list.setOnItemClickListener { _, _, at, _ -> startActivity(Intent(this, tools[at].second)) }
        setContentView(list)
        title = Edition.name
    }
}
