package org.droidtest.toolbox.formats

import android.widget.EditText
import com.fasterxml.jackson.databind.ObjectMapper
import com.google.gson.GsonBuilder
import com.google.gson.JsonParser
import com.squareup.moshi.Moshi
import okio.Buffer
import org.droidtest.toolbox.Texts
import org.droidtest.toolbox.ui.ToolActivity

/** Reads and writes JSON with three libraries. */
class FormatsActivity : ToolActivity() {
    private lateinit var text: EditText
    private val jackson = ObjectMapper()
    private val gson = GsonBuilder().setPrettyPrinting().create()
    private val moshi = Moshi.Builder().build()

    override fun build() {
        text = field("JSON", Texts.ORDER)
        text.maxLines = 4
        buttons(
            "Tree" to { show(tree(text.text.toString())) },
            "Pretty" to { show(gson.toJson(JsonParser.parseString(text.text.toString())).lines()) },
            "Order" to { show(order(jackson.readValue(text.text.toString(), Order::class.java))) },
        )
        buttons(
            "Values" to { show(moshi.adapter(Any::class.java).fromJson(text.text.toString()).toString().split(", ")) },
            "Gson order" to { show(order(gson.fromJson(text.text.toString(), Order::class.java))) },
            "Hash" to { say(Buffer().writeUtf8(text.text.toString()).sha256().hex()) },
        )
    }

    private fun tree(text: String): List<String> {
        val rows = mutableListOf<String>()
        jackson.readTree(text).fields().forEach { (name, value) -> rows += "$name: ${value.nodeType} $value" }
        return rows
    }

    private fun order(order: Order): List<String> =
        order.lines.orEmpty().map { "${it.amount} ${it.article}" } + "total ${order.total()}"
}
