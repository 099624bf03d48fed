package org.droidtest.pantry

import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent
import androidx.compose.runtime.Composable
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.unit.dp
import org.droidtest.pantry.kit.Button
import org.droidtest.pantry.kit.Column
import org.droidtest.pantry.kit.Field
import org.droidtest.pantry.kit.Row
import org.droidtest.pantry.kit.Rows
import org.droidtest.pantry.kit.Text
import org.droidtest.pantry.kit.fillWidth
import org.droidtest.pantry.kit.padding

/** A walk through the shop. */
class Trip(val wanted: Int) {
    var got by mutableStateOf(0)

    companion object {
        /** Planted: the walk that is on lives no longer than the process. */
        private var current: Trip? = null

        fun start(wanted: Int) {
            current = Trip(wanted)
        }

        fun progress(): Trip = current ?: throw IllegalStateException("no trip was started")
    }
}

/** Another app tells that something is there again. */
class RestockReceiver : BroadcastReceiver() {
    override fun onReceive(context: Context, intent: Intent) {
        val store = Store.of(context.applicationContext)
        if (store.shopping.isNotEmpty()) restock(store, intent)
    }

    /** Planted: who sends the broadcast need not say what is there. */
    fun restock(store: Store, intent: Intent) {
        val name = intent.getStringExtra("item")!!
        store.shopping.remove(name.trim())
        store.save()
    }
}

@Composable
fun ShoppingPage(store: Store, navigator: Navigator) {
    var name by rememberSaveable { mutableStateOf("") }
    val add = {
        if (name.isNotBlank()) store.buy(name.trim().replace('\t', ' '))
        name = ""
    }
    Top("Shopping", navigator)
    Field(name, "What to buy", "wanted", onDone = add) { name = it }
    Row(Modifier.fillWidth().padding(16.dp, 4.dp)) {
        Text("${store.shopping.size} to buy")
        Button("Add", "add", enabled = name.isNotBlank(), onClick = add)
        Button("Go shopping", "go") {
            Trip.start(store.shopping.size)
            navigator.to("trip")
        }
    }
    Rows(store.shopping.toList(), { it }, "list") { wanted ->
        Row(Modifier.padding(16.dp, 4.dp)) {
            Text(wanted, Modifier.testTag("wanted_row"))
            Button("Bought", "bought") {
                store.shopping.remove(wanted)
                store.add(wanted)
            }
        }
    }
}

@Composable
fun TripPage(navigator: Navigator) {
    val trip = Trip.progress()
    Top("In the shop", navigator)
    Column(Modifier.fillWidth().padding(16.dp), space = 12.dp) {
        Text("${trip.got} of ${trip.wanted} in the basket", Modifier.testTag("basket"))
        Button("Into the basket", "basket_add", enabled = trip.got < trip.wanted) { trip.got++ }
        Button("Done", "trip_done") { navigator.back() }
    }
}
