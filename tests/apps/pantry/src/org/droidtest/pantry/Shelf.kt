package org.droidtest.pantry

import androidx.compose.runtime.Composable
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.unit.dp
import androidx.compose.ui.unit.sp
import java.time.LocalDate
import org.droidtest.pantry.kit.Button
import org.droidtest.pantry.kit.Colours
import org.droidtest.pantry.kit.Column
import org.droidtest.pantry.kit.Field
import org.droidtest.pantry.kit.Menu
import org.droidtest.pantry.kit.Row
import org.droidtest.pantry.kit.Rows
import org.droidtest.pantry.kit.Text
import org.droidtest.pantry.kit.background
import org.droidtest.pantry.kit.clickable
import org.droidtest.pantry.kit.fillWidth
import org.droidtest.pantry.kit.padding

/** What can be done with the things on the shelf. */
class Shelf(private val store: Store) {
    var message by mutableStateOf("")

    /** Items with a word that begins as the query does. */
    fun find(query: String): List<Item> {
        if (query.isEmpty()) return store.items
        val first = initial(query)
        return store.items.filter { item -> item.name.split(' ').any { first == it[0].lowercaseChar() } }
            .filter { it.name.contains(query.trim(), ignoreCase = true) }
    }

    /** Planted: what is left of a blank has no beginning. */
    fun initial(query: String): Char {
        val first = query.trim()[0]
        return Character.toLowerCase(first)
    }

    fun byName() = sort(compareBy { it.name })

    fun byDate() = sort(compareBy { due(it) })

    private fun sort(order: Comparator<Item>) {
        val sorted = store.items.sortedWith(order)
        store.items.clear()
        store.items.addAll(sorted)
        store.save()
    }

    /** Planted: not everything has a date. */
    fun due(item: Item): LocalDate = LocalDate.parse(item.until)

    fun take(item: Item) {
        val left = item.copy(amount = item.amount - 1)
        store.replace(left)
        message = "One of ${item.name} taken, it was ${share(left)} % of the rest"
    }

    /** Planted: nothing is left of the last one. */
    fun share(left: Item): Int = 100 / left.amount

    /** Planted: the bin is emptied by the first that comes back. */
    fun undo() {
        val (place, item) = Bin.back(Bin.deleted - 1)
        store.items.add(minOf(place, store.items.size), item)
        store.save()
        message = "${item.name} is back"
    }
}

/** What was deleted in this life of the process. */
object Bin {
    private val kept = java.util.ArrayList<Pair<Int, Item>>()
    var deleted by mutableStateOf(0)

    fun put(place: Int, item: Item) {
        kept.add(place to item)
        deleted++
    }

    fun back(number: Int): Pair<Int, Item> {
        val found = kept[number]
        kept.clear()
        deleted--
        return found
    }
}

@Composable
fun ShelfPage(store: Store, navigator: Navigator) {
    val shelf = remember { Shelf(store) }
    var query by rememberSaveable { mutableStateOf("") }
    var open by remember { mutableStateOf(false) }
    Row(Modifier.fillWidth().background(Colours.panel).padding(16.dp, 4.dp)) {
        Text("Pantry", size = 22.sp, title = true)
        if (Bin.deleted > 0) Button("Undo", "undo") { shelf.undo() }
        Button("Menu", "menu") { open = true }
        if (open) Menu(places(shelf, navigator)) { open = false }
    }
    Field(query, "Search", "search") { query = it }
    if (shelf.message.isNotEmpty()) Text(shelf.message, Modifier.testTag("message").padding(16.dp, 4.dp), size = 14.sp)
    Rows(shelf.find(query).toList(), { it.id }, "items") { item ->
        Row(Modifier.testTag("item").clickable(role = null) { navigator.to("item:${item.id}") }.padding(16.dp, 4.dp)) {
            Column {
                Text(item.name)
                val until = if (item.until.isEmpty()) "no date" else item.until
                Text("${item.amount} there, $until", size = 13.sp, color = Colours.faint)
            }
            Button("Take", "take", enabled = item.amount > 0) { shelf.take(item) }
        }
    }
}

private fun places(shelf: Shelf, navigator: Navigator): List<Pair<String, () -> Unit>> = listOf(
    "Sort by name" to { shelf.byName() },
    "Sort by date" to { shelf.byDate() },
    "Shopping" to { navigator.to("shopping") },
    "Recipes" to { navigator.to("recipes") },
    "Prices" to { navigator.to("prices") },
    "Stocktaking" to { navigator.to("stocktaking") },
    "Timer" to { navigator.to("timer") },
    "Settings" to { navigator.to("settings") },
)
