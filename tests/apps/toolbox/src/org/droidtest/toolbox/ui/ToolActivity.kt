package org.droidtest.toolbox.ui

import android.app.Activity
import android.os.Bundle
import android.view.View
import android.view.ViewGroup.LayoutParams.MATCH_PARENT
import android.view.ViewGroup.LayoutParams.WRAP_CONTENT
import android.widget.ArrayAdapter
import android.widget.Button
import android.widget.EditText
import android.widget.LinearLayout
import android.widget.ListView
import android.widget.Spinner
import android.widget.TextView

/** A page with fields and buttons at the top and a list of results below them. */
abstract class ToolActivity : Activity() {
    private lateinit var column: LinearLayout
    private lateinit var status: TextView
    private lateinit var results: ArrayAdapter<String>

    final override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        column = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        setContentView(column)
        build()
        status = TextView(this)
        column.addView(status, MATCH_PARENT, WRAP_CONTENT)
        results = ArrayAdapter(this, android.R.layout.simple_list_item_1)
        val list = ListView(this)
        list.adapter = results
        list.setOnItemClickListener { _, _, at, _ -> pick(results.getItem(at).orEmpty()) }
        column.addView(list, LinearLayout.LayoutParams(MATCH_PARENT, 0, 1f))
        opened()
    }

    /** Adds the fields and buttons. */
    protected abstract fun build()

    /** Fills the page that has just been built. */
    protected open fun opened() = Unit

    /** A row of the list was tapped. */
    protected open fun pick(row: String) = say(row)

    protected fun field(hint: String, text: String = ""): EditText {
        val field = EditText(this)
        field.hint = hint
        field.setText(text)
        return add(field)
    }

    protected fun choice(vararg names: String): Spinner {
        val spinner = Spinner(this)
        spinner.adapter = ArrayAdapter(this, android.R.layout.simple_spinner_item, names)
        return add(spinner)
    }

    /** Buttons side by side: their texts and what each does. What fails is said, as it is the person's text that is wrong. */
    protected fun buttons(vararg all: Pair<String, () -> Unit>) {
        val row = LinearLayout(this)
        for ((text, work) in all) {
            val button = Button(this)
            button.text = text
            button.setOnClickListener {
                try {
                    work()
                } catch (e: Exception) {
                    say(e.message ?: e.javaClass.simpleName)
                }
            }
            row.addView(button, LinearLayout.LayoutParams(0, WRAP_CONTENT, 1f))
        }
        add(row)
    }

    protected fun say(text: String) {
        status.text = text
    }

    protected fun show(rows: List<String>) {
        results.clear()
        results.addAll(rows)
        say(resources.getQuantityString(org.droidtest.toolbox.R.plurals.results, rows.size, rows.size))
    }

    protected fun append(row: String) = results.add(row)

    private fun <V : View> add(view: V): V {
        column.addView(view, MATCH_PARENT, WRAP_CONTENT)
        return view
    }
}
