package org.droidtest.pantry.kit

import androidx.compose.runtime.Composable
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.runtime.rememberUpdatedState
import androidx.compose.runtime.setValue
import androidx.compose.runtime.withFrameMillis
import androidx.compose.ui.Modifier
import androidx.compose.ui.composed
import androidx.compose.ui.draw.drawBehind
import androidx.compose.ui.geometry.CornerRadius
import androidx.compose.ui.geometry.Offset
import androidx.compose.ui.geometry.Size
import androidx.compose.ui.graphics.Color
import androidx.compose.ui.input.pointer.changedToUp
import androidx.compose.ui.input.pointer.pointerInput
import androidx.compose.ui.layout.Layout
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.semantics.ProgressBarRangeInfo
import androidx.compose.ui.semantics.Role
import androidx.compose.ui.semantics.disabled
import androidx.compose.ui.semantics.heading
import androidx.compose.ui.semantics.onClick
import androidx.compose.ui.semantics.progressBarRangeInfo
import androidx.compose.ui.semantics.role
import androidx.compose.ui.semantics.semantics
import androidx.compose.ui.semantics.text
import androidx.compose.ui.semantics.toggleableState
import androidx.compose.ui.state.ToggleableState
import androidx.compose.ui.text.AnnotatedString
import androidx.compose.ui.text.TextStyle
import androidx.compose.ui.text.drawText
import androidx.compose.ui.text.rememberTextMeasurer
import androidx.compose.ui.unit.Constraints
import androidx.compose.ui.unit.TextUnit
import androidx.compose.ui.unit.dp
import androidx.compose.ui.unit.sp

/** Colours of the whole app. */
object Colours {
    val paper = Color(0xfffffbf5)
    val ink = Color(0xff201a12)
    val faint = Color(0xff6f665a)
    val accent = Color(0xff2e7d32)
    val panel = Color(0xfff0e9dc)
}

/** Text that breaks into lines. */
@Composable
fun Text(
    value: String,
    modifier: Modifier = Modifier,
    size: TextUnit = 16.sp,
    color: Color = Colours.ink,
    title: Boolean = false,
) {
    val measurer = rememberTextMeasurer()
    val style = TextStyle(color = color, fontSize = size)
    var width by remember { mutableStateOf(Constraints.Infinity) }
    val result = remember(value, width, size, color) {
        measurer.measure(AnnotatedString(value), style, constraints = Constraints(maxWidth = width))
    }
    val named = modifier.semantics {
        text = AnnotatedString(value)
        if (title) heading()
    }
    Layout({}, named.drawBehind { drawText(result) }) { _, constraints ->
        width = constraints.maxWidth
        val (w, h) = result.size.width to result.size.height
        layout(w.coerceIn(constraints.minWidth, constraints.maxWidth), h.coerceAtLeast(constraints.minHeight)) {}
    }
}

/** A touch that goes down and up without moving away, and its action for who cannot touch. */
fun Modifier.clickable(
    enabled: Boolean = true,
    role: Role? = Role.Button,
    state: ToggleableState? = null,
    onClick: () -> Unit,
): Modifier = composed {
    val action by rememberUpdatedState(onClick)
    val spoken = Modifier.semantics(mergeDescendants = true) {
        if (role != null) this.role = role
        if (state != null) toggleableState = state
        if (enabled) {
            onClick {
                action()
                true
            }
        } else {
            disabled()
        }
    }
    if (!enabled) return@composed spoken
    spoken.pointerInput(Unit) {
        awaitPointerEventScope {
            while (true) {
                var down: Offset? = null
                while (down == null) {
                    down = awaitPointerEvent().changes.firstOrNull { it.pressed && !it.isConsumed }?.position
                }
                var open = true
                while (open) {
                    val change = awaitPointerEvent().changes.first()
                    val away = (change.position - down).getDistance() > viewConfiguration.touchSlop
                    if (change.isConsumed || away) {
                        open = false
                    } else if (change.changedToUp()) {
                        change.consume()
                        open = false
                        action()
                    } else if (!change.pressed) {
                        open = false
                    }
                }
            }
        }
    }
}

@Composable
fun Button(label: String, tag: String, enabled: Boolean = true, onClick: () -> Unit) {
    val back = if (enabled) Colours.accent else Colours.faint
    val shape = Modifier.drawBehind { drawRoundRect(back, cornerRadius = CornerRadius(8.dp.toPx())) }
    Box(Modifier.testTag(tag).clickable(enabled, onClick = onClick).touchable().then(shape).padding(12.dp)) {
        Text(label, color = Color.White)
    }
}

/** A label and a thumb that stands left or right. */
@Composable
fun Switch(label: String, tag: String, on: Boolean, onChange: (Boolean) -> Unit) {
    val state = if (on) ToggleableState.On else ToggleableState.Off
    val touch = Modifier.testTag(tag).clickable(role = Role.Switch, state = state) { onChange(!on) }
    Row(touch.fillWidth().height(56.dp).padding(16.dp, 8.dp)) {
        Text(label)
        Layout(
            {},
            Modifier.drawBehind {
                val radius = size.height / 2
                drawRoundRect(if (on) Colours.accent else Colours.faint, cornerRadius = CornerRadius(radius))
                drawCircle(Color.White, radius * 0.8f, Offset(if (on) size.width - radius else radius, radius))
            },
        ) { _, _ -> layout(44.dp.roundToPx(), 24.dp.roundToPx()) {} }
    }
}

/** A bar that runs from left to right for as long as it is shown. */
@Composable
fun Progress(modifier: Modifier = Modifier) {
    var place by remember { mutableStateOf(0f) }
    LaunchedEffect(Unit) {
        while (true) {
            withFrameMillis { place = (it % 1200) / 1200f }
        }
    }
    Layout(
        {},
        modifier.semantics { progressBarRangeInfo = ProgressBarRangeInfo.Indeterminate }.drawBehind {
            drawRect(Colours.panel)
            drawRect(Colours.accent, Offset(size.width * place, 0f), Size(size.width / 6, size.height))
        },
    ) { _, constraints -> layout(constraints.maxWidth, 4.dp.roundToPx()) {} }
}
