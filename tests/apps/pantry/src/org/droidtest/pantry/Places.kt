package org.droidtest.pantry

import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.rememberCoroutineScope
import androidx.compose.runtime.saveable.Saver
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.unit.dp
import androidx.compose.ui.unit.sp
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.droidtest.pantry.kit.Button
import org.droidtest.pantry.kit.Column
import org.droidtest.pantry.kit.Field
import org.droidtest.pantry.kit.Progress
import org.droidtest.pantry.kit.Scrolled
import org.droidtest.pantry.kit.Switch
import org.droidtest.pantry.kit.Text
import org.droidtest.pantry.kit.fillWidth
import org.droidtest.pantry.kit.padding

/** Counts what is there, away from the main thread. */
class Stocktaking(private val items: List<Item>) {
    fun count(scarce: Boolean): String {
        val counted = items.filter { !scarce || it.amount == 0 }
        return "${counted.size} kinds, ${average(counted)} of each"
    }

    /** Planted: where nothing is scarce there is no average. */
    fun average(counted: List<Item>): Int = counted.sumOf { it.amount } / counted.size
}

@Composable
fun StocktakingPage(store: Store, navigator: Navigator) {
    val scope = rememberCoroutineScope()
    var scarce by rememberSaveable { mutableStateOf(false) }
    var counting by remember { mutableStateOf(false) }
    var result by rememberSaveable { mutableStateOf("Not counted yet") }
    Top("Stocktaking", navigator)
    if (counting) Progress()
    Column(Modifier.fillWidth().padding(16.dp), space = 12.dp) {
        Switch("Used up only", "scarce", scarce) { scarce = it }
        Button("Count", "count_all", enabled = !counting) {
            counting = true
            val work = Stocktaking(store.items.toList())
            scope.launch {
                result = withContext(Dispatchers.Default) { work.count(scarce) }
                counting = false
            }
        }
        Text(result, Modifier.testTag("result"))
    }
}

/** Seconds that are left; a timer that was never started has none. */
class Countdown(left: Int, running: Boolean) {
    var left by mutableStateOf(left)
    var running by mutableStateOf(running)
}

object Timers {
    fun save(timer: Countdown): String = if (timer.running || timer.left == 0) "${timer.left}" else "paused ${timer.left}"

    /** Planted: only what runs is read. */
    fun restore(saved: String): Countdown {
        val left = Integer.parseInt(saved)
        return Countdown(left, left > 0)
    }
}

@Composable
fun TimerPage(navigator: Navigator) {
    val timer = rememberSaveable(saver = Saver({ Timers.save(it) }, { Timers.restore(it) })) { Countdown(0, false) }
    LaunchedEffect(timer.running) {
        while (timer.running && timer.left > 0) {
            delay(1000)
            timer.left--
        }
        timer.running = false
    }
    Top("Timer", navigator)
    // It runs for as long as the page is there.
    Progress()
    Column(Modifier.fillWidth().padding(16.dp), space = 12.dp) {
        Text("${timer.left / 60} min ${timer.left % 60} s", size = 28.sp)
        Button("Five minutes", "five") {
            timer.left = 300
            timer.running = true
        }
        Button(if (timer.running) "Pause" else "Go on", "pause", enabled = timer.left > 0) {
            timer.running = !timer.running
        }
    }
}

object Budget {
    /** Planted: too long for an int. */
    fun parse(text: String): Int = Integer.parseInt(text)
}

object Backup {
    /** Planted: the main thread writes, and waits. */
    fun write(store: Store) {
        Thread.sleep(8_000)
        store.save()
    }
}

@Composable
fun SettingsPage(store: Store, navigator: Navigator) {
    var budget by rememberSaveable { mutableStateOf("") }
    var said by rememberSaveable { mutableStateOf("") }
    Top("Settings", navigator)
    Scrolled {
        Column(Modifier.fillWidth(), space = 8.dp) {
            Switch("Ounces", "ounces", store.ounces) { store.ounces = it }
            Field(budget, "Budget of a week", "budget", number = true) { text ->
                budget = text.filter { it.isDigit() }
            }
            Button("Keep budget", "keep_budget", enabled = budget.isNotEmpty()) {
                said = "${Budget.parse(budget) / 7} a day"
            }
            Button("Back up", "backup") {
                Backup.write(store)
                said = "Backed up"
            }
            Text(said, Modifier.testTag("said").padding(16.dp))
        }
    }
}
