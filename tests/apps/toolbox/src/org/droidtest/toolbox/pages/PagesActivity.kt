package org.droidtest.toolbox.pages

import android.widget.EditText
import org.droidtest.toolbox.Texts
import org.droidtest.toolbox.ui.ToolActivity
import org.jsoup.Jsoup
import org.jsoup.safety.Safelist

/** Takes a web page apart. */
class PagesActivity : ToolActivity() {
    private lateinit var page: EditText
    private lateinit var selector: EditText

    override fun build() {
        page = field("page", Texts.PAGE)
        page.maxLines = 4
        selector = field("selector", "td, .note > a")
        buttons(
            "Links" to { show(parsed().select("a[href]").map { "${it.text()}: ${it.absUrl("href")}" }) },
            "Select" to { show(parsed().select(selector.text.toString()).map { it.outerHtml() }) },
            "Clean" to { page.setText(Jsoup.clean(page.text.toString(), Safelist.basic())); say("cleaned") },
        )
    }

    override fun opened() = say(parsed().title())

    override fun pick(row: String) = say(Jsoup.parseBodyFragment(row).text())

    private fun parsed() = Jsoup.parse(page.text.toString(), "https://example.org/")
}
