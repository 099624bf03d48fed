package org.droidtest.toolbox.words

import android.widget.EditText
import com.google.common.base.Splitter
import com.google.common.cache.CacheBuilder
import com.google.common.cache.CacheLoader
import com.google.common.collect.HashMultiset
import com.google.common.collect.Multimaps
import com.google.common.collect.Multisets
import com.google.common.hash.Hashing
import com.google.common.math.LongMath
import org.droidtest.toolbox.Texts
import org.droidtest.toolbox.ui.ToolActivity

/** Counts the words of a text. */
class WordsActivity : ToolActivity() {
    private lateinit var text: EditText
    private val hashes = CacheBuilder.newBuilder().maximumSize(100).build(
        object : CacheLoader<String, String>() {
            override fun load(word: String) = Hashing.murmur3_128().hashUnencodedChars(word).toString()
        },
    )

    override fun build() {
        text = field("text", Texts.lines.take(4).joinToString(". "))
        buttons(
            "Count" to { show(counts()) },
            "By length" to { show(byLength()) },
            "Hashes" to { show(words().distinct().map { "$it ${hashes.get(it)}" }) },
            "Orders" to { say("${LongMath.factorial(words().distinct().size.coerceAtMost(20))} orders") },
        )
    }

    override fun pick(row: String) = say("${hashes.get(row)}; ${hashes.size()} kept")

    private fun words(): List<String> =
        Splitter.onPattern("[^\\p{L}]+").omitEmptyStrings().splitToList(text.text.toString().lowercase())

    private fun counts(): List<String> =
        Multisets.copyHighestCountFirst(HashMultiset.create(words())).entrySet().map { "${it.count} ${it.element}" }

    private fun byLength(): List<String> =
        Multimaps.index(words().distinct()) { it!!.length }.asMap().toSortedMap().map { (n, all) -> "$n: $all" }
}
