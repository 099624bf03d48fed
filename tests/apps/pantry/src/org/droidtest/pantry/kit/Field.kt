package org.droidtest.pantry.kit

import android.text.Editable
import android.text.InputType
import android.text.SpannableStringBuilder
import android.view.View
import android.view.inputmethod.BaseInputConnection
import android.view.inputmethod.EditorInfo
import android.view.inputmethod.InputConnection
import androidx.compose.runtime.Composable
import androidx.compose.runtime.remember
import androidx.compose.ui.Modifier
import androidx.compose.ui.draw.drawBehind
import androidx.compose.ui.focus.FocusEventModifierNode
import androidx.compose.ui.focus.FocusRequester
import androidx.compose.ui.focus.FocusState
import androidx.compose.ui.focus.focusRequester
import androidx.compose.ui.focus.focusTarget
import androidx.compose.ui.geometry.Offset
import androidx.compose.ui.node.ModifierNodeElement
import androidx.compose.ui.platform.PlatformTextInputMethodRequest
import androidx.compose.ui.platform.PlatformTextInputModifierNode
import androidx.compose.ui.platform.establishTextInputSession
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.semantics.contentDescription
import androidx.compose.ui.semantics.editableText
import androidx.compose.ui.semantics.isEditable
import androidx.compose.ui.semantics.onImeAction
import androidx.compose.ui.semantics.requestFocus
import androidx.compose.ui.semantics.semantics
import androidx.compose.ui.semantics.setText
import androidx.compose.ui.text.AnnotatedString
import androidx.compose.ui.text.input.ImeAction
import androidx.compose.ui.unit.dp
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch

/** What a field does: shared by the keyboard and by services. */
class FieldActions(val change: (String) -> Unit, val done: () -> Unit)

/** One line of text. */
@Composable
fun Field(
    value: String,
    label: String,
    tag: String,
    number: Boolean = false,
    onDone: () -> Unit = {},
    onChange: (String) -> Unit,
) {
    val focus = remember { FocusRequester() }
    val actions = FieldActions(onChange, onDone)
    val spoken = Modifier.testTag(tag).semantics(mergeDescendants = true) {
        contentDescription = label
        editableText = AnnotatedString(value)
        isEditable = true
        setText {
            onChange(it.text)
            true
        }
        requestFocus { focus.requestFocus() }
        onImeAction(ImeAction.Done) {
            onDone()
            true
        }
    }
    val line = Modifier.drawBehind {
        drawLine(Colours.accent, Offset(0f, size.height), Offset(size.width, size.height), 2.dp.toPx())
    }
    val input = Modifier.focusRequester(focus).then(InputElement(value, number, actions)).focusTarget()
    Box(
        spoken.then(input).clickable(role = null) { focus.requestFocus() }
            .fillWidth().height(56.dp).background(Colours.panel).then(line).padding(12.dp),
    ) {
        if (value.isEmpty()) Text(label, color = Colours.faint) else Text(value)
    }
}

/** Ties a field to the keyboard while it has the focus. */
private class InputElement(
    private val value: String,
    private val number: Boolean,
    private val actions: FieldActions,
) : ModifierNodeElement<InputNode>() {
    override fun create() = InputNode(value, number, actions)

    override fun update(node: InputNode) {
        node.actions = actions
        node.show(value)
    }

    override fun equals(other: Any?) =
        other is InputElement && other.value == value && other.number == number && other.actions === actions

    override fun hashCode() = value.hashCode()
}

private class InputNode(value: String, private val number: Boolean, var actions: FieldActions) :
    Modifier.Node(), FocusEventModifierNode, PlatformTextInputModifierNode {
    private val text: Editable = SpannableStringBuilder(value)
    private var session: Job? = null

    /** Takes over what the app shows, where that is not what was typed. */
    fun show(value: String) {
        if (!text.contentEquals(value)) text.replace(0, text.length, value)
    }

    override fun onFocusEvent(focusState: FocusState) {
        if (focusState.isFocused && session == null) {
            session = coroutineScope.launch {
                establishTextInputSession {
                    startInputMethod(PlatformTextInputMethodRequest { info -> connect(view, info) })
                }
            }
        } else if (!focusState.isFocused) {
            session?.cancel()
            session = null
        }
    }

    override fun onDetach() {
        session = null
    }

    private fun connect(view: View, info: EditorInfo): InputConnection {
        info.inputType = if (number) InputType.TYPE_CLASS_NUMBER else InputType.TYPE_CLASS_TEXT
        info.imeOptions = EditorInfo.IME_ACTION_DONE
        return Connection(view)
    }

    private inner class Connection(view: View) : BaseInputConnection(view, true) {
        override fun getEditable() = text

        override fun commitText(added: CharSequence, cursor: Int) = told(super.commitText(added, cursor))

        override fun setComposingText(added: CharSequence, cursor: Int) = told(super.setComposingText(added, cursor))

        override fun deleteSurroundingText(before: Int, after: Int) = told(super.deleteSurroundingText(before, after))

        override fun performEditorAction(action: Int): Boolean {
            actions.done()
            return true
        }

        private fun told(result: Boolean): Boolean {
            actions.change(text.toString())
            return result
        }
    }
}
