package org.droidtest.pantry

import android.Manifest
import android.content.Context
import android.content.pm.PackageManager
import android.net.Uri
import android.text.Editable
import android.text.TextWatcher
import android.widget.EditText
import androidx.activity.ComponentActivity
import androidx.activity.compose.rememberLauncherForActivityResult
import androidx.activity.result.contract.ActivityResultContracts
import androidx.compose.runtime.Composable
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.LocalContext
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.unit.dp
import androidx.compose.ui.unit.sp
import androidx.compose.ui.viewinterop.AndroidView
import org.droidtest.pantry.kit.Button
import org.droidtest.pantry.kit.Column
import org.droidtest.pantry.kit.Field
import org.droidtest.pantry.kit.Question
import org.droidtest.pantry.kit.Scrolled
import org.droidtest.pantry.kit.Text
import org.droidtest.pantry.kit.fillWidth
import org.droidtest.pantry.kit.padding

/** Weights as the user wants to read them. */
object Units {
    fun show(grams: Int, ounces: Boolean): String = if (ounces) ounces(grams) else "$grams g"

    /** Planted: what has no weight is counted, and a count is no fraction. */
    fun ounces(grams: Int): String {
        val weight: Number = if (grams > 0) grams / 28.35 else grams
        return java.lang.String.format(java.util.Locale.ROOT, "%.1f oz", weight)
    }
}

object Portions {
    /** Planted: nobody eats. */
    fun each(grams: Int, portions: Int): Int = grams / portions
}

class Lending(private val item: Item) {
    /** Planted: nobody was chosen. */
    fun lend(to: Uri?): String = "${item.name} lent to number ${to!!.lastPathSegment}"
}

class Camera(private val context: Context) {
    val allowed: Boolean
        get() = context.checkSelfPermission(Manifest.permission.CAMERA) == PackageManager.PERMISSION_GRANTED

    /** Planted: the camera is opened whatever the user has said. */
    fun open(): String {
        context.enforceCallingOrSelfPermission(Manifest.permission.CAMERA, "the camera of the pantry")
        return "Photo taken"
    }
}

@Composable
fun ItemPage(store: Store, navigator: Navigator, id: Int) {
    val item = store.item(id)
    Top(item?.name ?: "Gone", navigator)
    if (item == null) {
        Text("There is no such thing any more.", Modifier.padding(16.dp))
    } else {
        Scrolled { Column(Modifier.fillWidth().padding(16.dp), space = 12.dp) { ItemParts(store, navigator, item) } }
    }
}

@Composable
private fun ItemParts(store: Store, navigator: Navigator, item: Item) {
    var said by rememberSaveable { mutableStateOf("") }
    var asks by rememberSaveable { mutableStateOf("") }
    val contact = rememberLauncherForActivityResult(ActivityResultContracts.PickContact()) {
        said = Lending(item).lend(it)
    }
    Text("${item.amount} there, each ${Units.show(item.grams, store.ounces)}", Modifier.testTag("amount"))
    if (said.isNotEmpty()) Text(said, Modifier.testTag("said"), size = 14.sp)
    Button("One more", "more") { store.replace(item.copy(amount = item.amount + 1)) }
    Button("Buy", "buy") {
        store.buy(item.name)
        said = "On the list"
    }
    Button("Lend", "lend") { contact.launch(null) }
    PhotoButton { said = it }
    Button("Portions", "portions") { asks = "portions" }
    Button("Delete", "delete") { asks = "delete" }
    Note(store)
    when (asks) {
        "portions" -> PortionsQuestion(item) { answer ->
            asks = ""
            said = answer ?: said
        }
        "delete" -> Question("Delete ${item.name}?", { asks = "" }) {
            Button("Delete it", "confirm") {
                asks = ""
                val place = store.items.indexOf(item)
                store.items.remove(item)
                store.save()
                Bin.put(place, item)
                navigator.back()
            }
            Button("Keep it", "keep") { asks = "" }
        }
    }
}

/** Asks for the camera, and says why where the user has refused before. */
@Composable
private fun PhotoButton(say: (String) -> Unit) {
    val context = LocalContext.current
    val camera = remember { Camera(context) }
    var explains by rememberSaveable { mutableStateOf(false) }
    val permission = rememberLauncherForActivityResult(ActivityResultContracts.RequestPermission()) {
        say(camera.open())
    }
    Button("Photo", "photo") {
        val activity = context as ComponentActivity
        when {
            camera.allowed -> say(camera.open())
            activity.shouldShowRequestPermissionRationale(Manifest.permission.CAMERA) -> explains = true
            else -> permission.launch(Manifest.permission.CAMERA)
        }
    }
    if (explains) {
        Question("May the pantry use the camera?", { explains = false }) {
            Text("A photo of the label is kept with the item.")
            Button("Ask me", "ask") {
                explains = false
                permission.launch(Manifest.permission.CAMERA)
            }
            Button("No photo", "refuse") { explains = false }
        }
    }
}

@Composable
private fun PortionsQuestion(item: Item, onAnswer: (String?) -> Unit) {
    var portions by rememberSaveable { mutableStateOf("") }
    Question("How many portions?", { onAnswer(null) }) {
        Field(portions, "Number of portions", "count", number = true) { portions = it }
        Button("Divide", "divide", enabled = portions.isNotBlank()) {
            val number = portions.trim().toIntOrNull()
            onAnswer(if (number == null) "Not a number" else "${Portions.each(item.grams, number)} g each")
        }
        Button("Cancel", "cancel") { onAnswer(null) }
    }
}

/** An editor of the platform inside the page. */
@Composable
private fun Note(store: Store) {
    AndroidView({ context ->
        EditText(context).apply {
            hint = "Note"
            setText(store.notes)
            addTextChangedListener(object : TextWatcher {
                override fun beforeTextChanged(text: CharSequence, start: Int, count: Int, after: Int) = Unit

                override fun onTextChanged(text: CharSequence, start: Int, before: Int, count: Int) = Unit

                override fun afterTextChanged(text: Editable) {
                    store.notes = text.toString()
                }
            })
        }
    }, Modifier.fillWidth())
}
