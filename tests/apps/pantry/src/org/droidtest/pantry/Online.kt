package org.droidtest.pantry

import android.annotation.SuppressLint
import android.os.Handler
import android.os.Looper
import android.webkit.JavascriptInterface
import android.webkit.WebView
import androidx.compose.runtime.Composable
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateListOf
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.rememberCoroutineScope
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.unit.dp
import androidx.compose.ui.viewinterop.AndroidView
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.droidtest.pantry.kit.Button
import org.droidtest.pantry.kit.Column
import org.droidtest.pantry.kit.Progress
import org.droidtest.pantry.kit.Text
import org.droidtest.pantry.kit.fill
import org.droidtest.pantry.kit.fillWidth
import org.droidtest.pantry.kit.padding

/** What the recipe's page asks of the app. */
class Recipes(private val say: (String) -> Unit) {
    private val main = Handler(Looper.getMainLooper())

    @JavascriptInterface
    fun portions(number: Int) {
        main.post { say(scale(number)) }
    }

    /** Planted: a recipe for nobody. */
    fun scale(portions: Int): String = "1 egg for every ${12 / portions} spoons"
}

@SuppressLint("SetJavaScriptEnabled")
@Composable
fun RecipesPage(navigator: Navigator) {
    var said by remember { mutableStateOf("Pancakes") }
    Top("Recipes", navigator)
    Text(said, Modifier.testTag("recipe").padding(16.dp, 8.dp))
    AndroidView({ context ->
        WebView(context).apply {
            settings.javaScriptEnabled = true
            addJavascriptInterface(Recipes { said = it }, "Pantry")
            loadUrl("file:///android_asset/recipe.html")
        }
    }, Modifier.fill())
}

/** What things cost, from the network. */
class Prices {
    private val known = java.util.ArrayList<String>()

    fun fetch(): List<String> =
        try {
            val connection = URL("https://prices.pantry.example.org/v1/today").openConnection() as HttpURLConnection
            connection.connectTimeout = 5_000
            connection.readTimeout = 5_000
            val lines = connection.inputStream.bufferedReader().readLines()
            known.clear()
            known.addAll(lines)
            lines
        } catch (e: IOException) {
            cached()
        }

    /** Planted: the first time nothing is known yet. */
    fun cached(): List<String> = listOf("As of the last time: " + known.get(0))
}

@Composable
fun PricesPage(store: Store, navigator: Navigator) {
    val scope = rememberCoroutineScope()
    val prices = remember { Prices() }
    val lines = remember { mutableStateListOf<String>() }
    var loading by remember { mutableStateOf(false) }
    Top("Prices", navigator)
    if (loading) Progress()
    Column(Modifier.fillWidth().padding(16.dp), space = 8.dp) {
        Text("${store.items.size} kinds on the shelf")
        Button("Refresh", "refresh", enabled = !loading) {
            loading = true
            scope.launch {
                val fetched = withContext(Dispatchers.IO) { prices.fetch() }
                lines.clear()
                lines.addAll(fetched)
                loading = false
            }
        }
        lines.forEach { Text(it) }
    }
}
