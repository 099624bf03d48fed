package org.droidtest.pantry.kit

import androidx.compose.runtime.Composable
import androidx.compose.ui.Alignment
import androidx.compose.ui.Modifier
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.semantics.Role
import androidx.compose.ui.semantics.paneTitle
import androidx.compose.ui.semantics.semantics
import androidx.compose.ui.semantics.testTagsAsResourceId
import androidx.compose.ui.unit.IntOffset
import androidx.compose.ui.unit.dp
import androidx.compose.ui.unit.sp
import androidx.compose.ui.window.Dialog
import androidx.compose.ui.window.Popup
import androidx.compose.ui.window.PopupProperties

/** A question with a title. */
@Composable
fun Question(title: String, onDismiss: () -> Unit, content: @Composable () -> Unit) {
    Dialog(onDismissRequest = onDismiss) {
        val pane = Modifier.semantics {
            paneTitle = title
            testTagsAsResourceId = true
        }
        Column(pane.background(Colours.paper).padding(24.dp), space = 12.dp) {
            Text(title, size = 20.sp, title = true)
            content()
        }
    }
}

/** Entries in a window above the page. */
@Composable
fun Menu(entries: List<Pair<String, () -> Unit>>, onDismiss: () -> Unit) {
    Popup(Alignment.TopEnd, IntOffset.Zero, onDismiss, PopupProperties(focusable = true)) {
        Column(Modifier.semantics { testTagsAsResourceId = true }.background(Colours.panel)) {
            for ((label, action) in entries) {
                val tag = "menu_" + label.lowercase().replace(' ', '_')
                Box(
                    Modifier.testTag(tag).clickable(role = Role.Button) {
                        onDismiss()
                        action()
                    }.height(48.dp).padding(16.dp, 12.dp),
                ) { Text(label) }
            }
        }
    }
}
