package org.droidtest.toolbox.tasks

import android.widget.EditText
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancel
import kotlinx.coroutines.cancelChildren
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.filter
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.droidtest.toolbox.ui.ToolActivity

/** Work beside the main thread. */
class TasksActivity : ToolActivity() {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Main)
    private lateinit var amount: EditText

    override fun build() {
        amount = field("amount", "5")
        buttons(
            "Count" to { scope.launch { count() } },
            "Together" to { scope.launch { together() } },
            "Pass on" to { scope.launch { passOn() } },
        )
        buttons(
            "Hurry" to { scope.launch { hurry() } },
            "Stop" to { scope.coroutineContext.cancelChildren(); say("stopped") },
        )
    }

    private fun wanted() = (amount.text.toString().toIntOrNull() ?: 1).coerceIn(1, 50)

    private suspend fun count() {
        flow {
            for (n in 1..wanted()) {
                delay(100)
                emit(n)
            }
        }.filter { it % 2 == 1 }.map { it * it }.collect { append("counted $it") }
        say("counted")
    }

    private suspend fun together() {
        val sums = withContext(Dispatchers.Default) {
            (1..wanted()).map { n -> async { (1L..n * 1000L).sum() } }.awaitAll()
        }
        show(sums.map(Long::toString))
    }

    private suspend fun passOn() {
        val channel = Channel<String>(2)
        scope.launch {
            for (n in 1..wanted()) {
                channel.send("letter $n")
            }
            channel.close()
        }
        for (letter in channel) {
            append(letter)
        }
        say("all letters passed on")
    }

    private suspend fun hurry() = try {
        withTimeout(300) { delay(100L * wanted()) }
        say("in time")
    } catch (e: TimeoutCancellationException) {
        say("too late")
    }

    override fun onDestroy() {
        scope.cancel()
        super.onDestroy()
    }
}
