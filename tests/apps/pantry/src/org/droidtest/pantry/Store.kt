package org.droidtest.pantry

import android.content.Context
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateListOf
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.setValue
import java.io.File

/** Something on the shelf. */
data class Item(val id: Int, val name: String, val amount: Int, val grams: Int, val until: String)

/** What is there and what is to be bought, kept in a file. */
class Store private constructor(private val file: File) {
    val items = mutableStateListOf<Item>()
    val shopping = mutableStateListOf<String>()
    var ounces by mutableStateOf(false)
    var notes by mutableStateOf("")

    init {
        if (file.exists()) read() else fill()
    }

    fun item(id: Int): Item? = items.firstOrNull { it.id == id }

    fun replace(item: Item) {
        val place = items.indexOfFirst { it.id == item.id }
        if (place >= 0) items[place] = item
        save()
    }

    fun add(name: String) {
        items.add(0, Item((items.maxOfOrNull { it.id } ?: 0) + 1, name, 1, 250, "2031-01-01"))
        save()
    }

    fun buy(name: String) {
        if (name !in shopping) shopping.add(name)
        save()
    }

    fun save() {
        val lines = items.map { listOf(it.id, it.name, it.amount, it.grams, it.until).joinToString("\t") }
        file.writeText((lines + shopping.map { "buy\t$it" }).joinToString("\n"))
    }

    private fun read() {
        for (line in file.readLines()) {
            val parts = line.split('\t')
            if (parts[0] == "buy") {
                shopping.add(parts[1])
            } else if (parts.size == 5) {
                items.add(Item(parts[0].toInt(), parts[1], parts[2].toInt(), parts[3].toInt(), parts[4]))
            }
        }
    }

    private fun fill() {
        FIRST.forEachIndexed { place, (name, amount, grams) ->
            val until = if (name == "Salt") "" else "2030-%02d-15".format(1 + place % 12)
            items.add(Item(place + 1, name, amount, grams, until))
        }
    }

    companion object {
        private var only: Store? = null

        fun of(context: Context): Store =
            only ?: Store(File(context.filesDir, "pantry.txt")).also { only = it }

        private val FIRST = listOf(
            Triple("Eggs", 2, 0), Triple("Flour", 3, 1000), Triple("Sugar", 4, 1000), Triple("Salt", 5, 500),
            Triple("Rice", 3, 500), Triple("Lentils", 4, 500), Triple("Oats", 3, 750), Triple("Pasta", 6, 500),
            Triple("Tomatoes", 5, 400), Triple("Beans", 4, 400), Triple("Chickpeas", 3, 400), Triple("Corn", 3, 300),
            Triple("Olive oil", 3, 900), Triple("Vinegar", 3, 500), Triple("Honey", 3, 350), Triple("Jam", 4, 250),
            Triple("Coffee", 3, 500), Triple("Tea", 3, 100), Triple("Cocoa", 3, 200), Triple("Yeast", 7, 7),
            Triple("Pepper", 3, 50), Triple("Paprika", 3, 50), Triple("Cumin", 3, 40), Triple("Raisins", 3, 200),
        )
    }
}
