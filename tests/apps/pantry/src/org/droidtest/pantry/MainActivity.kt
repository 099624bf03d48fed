package org.droidtest.pantry

import android.os.Bundle
import androidx.activity.ComponentActivity
import androidx.activity.compose.BackHandler
import androidx.activity.compose.setContent
import androidx.compose.runtime.Composable
import androidx.compose.runtime.getValue
import androidx.compose.runtime.key
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.LocalContext
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.semantics.semantics
import androidx.compose.ui.semantics.testTagsAsResourceId
import androidx.compose.ui.unit.dp
import androidx.compose.ui.unit.sp
import org.droidtest.pantry.kit.Button
import org.droidtest.pantry.kit.Colours
import org.droidtest.pantry.kit.Column
import org.droidtest.pantry.kit.Row
import org.droidtest.pantry.kit.Text
import org.droidtest.pantry.kit.background
import org.droidtest.pantry.kit.fill
import org.droidtest.pantry.kit.fillWidth
import org.droidtest.pantry.kit.padding

/** The only activity. */
class MainActivity : ComponentActivity() {
    override fun onCreate(saved: Bundle?) {
        super.onCreate(saved)
        setContent { App() }
    }
}

/** Where the user is; what is behind is kept in the string, so that it can be saved. */
class Navigator(private val path: String, private val go: (String) -> Unit) {
    val here: String get() = path.substringAfterLast('/')
    val deep: Boolean get() = '/' in path

    fun to(place: String) = go("$path/$place")

    fun back() = go(path.substringBeforeLast('/'))
}

@Composable
fun App() {
    var path by rememberSaveable { mutableStateOf("shelf") }
    val store = Store.of(LocalContext.current.applicationContext)
    val navigator = Navigator(path) { path = it }
    BackHandler(navigator.deep) { navigator.back() }
    Column(Modifier.semantics { testTagsAsResourceId = true }.fill().background(Colours.paper)) {
        key(navigator.here) {
            val place = navigator.here
            when {
                place.startsWith("item:") -> ItemPage(store, navigator, place.substringAfter(':').toInt())
                place == "shopping" -> ShoppingPage(store, navigator)
                place == "trip" -> TripPage(navigator)
                place == "recipes" -> RecipesPage(navigator)
                place == "prices" -> PricesPage(store, navigator)
                place == "stocktaking" -> StocktakingPage(store, navigator)
                place == "timer" -> TimerPage(navigator)
                place == "settings" -> SettingsPage(store, navigator)
                else -> ShelfPage(store, navigator)
            }
        }
    }
}

/** The top of every page but the first. */
@Composable
fun Top(title: String, navigator: Navigator) {
    Row(Modifier.fillWidth().background(Colours.panel).padding(16.dp, 4.dp)) {
        Text(title, Modifier.testTag("title"), size = 22.sp, title = true)
        Button("Back", "up") { navigator.back() }
    }
}
