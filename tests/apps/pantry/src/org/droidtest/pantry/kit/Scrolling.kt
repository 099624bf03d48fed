package org.droidtest.pantry.kit

import androidx.compose.runtime.Composable
import androidx.compose.runtime.getValue
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.saveable.rememberSaveable
import androidx.compose.runtime.setValue
import androidx.compose.ui.Modifier
import androidx.compose.ui.draw.clipToBounds
import androidx.compose.ui.input.pointer.PointerEventPass
import androidx.compose.ui.input.pointer.pointerInput
import androidx.compose.ui.input.pointer.positionChange
import androidx.compose.ui.layout.SubcomposeLayout
import androidx.compose.ui.layout.layout
import androidx.compose.ui.platform.testTag
import androidx.compose.ui.semantics.CollectionInfo
import androidx.compose.ui.semantics.ScrollAxisRange
import androidx.compose.ui.semantics.collectionInfo
import androidx.compose.ui.semantics.scrollBy
import androidx.compose.ui.semantics.scrollToIndex
import androidx.compose.ui.semantics.semantics
import androidx.compose.ui.semantics.verticalScrollAxisRange
import androidx.compose.ui.unit.Constraints
import androidx.compose.ui.unit.Dp
import androidx.compose.ui.unit.dp

/** How far something is scrolled, in pixels, and how far it can be. */
class Scroll(at: Float) {
    var at by mutableStateOf(at)
    var most by mutableStateOf(0f)

    /** Moves on by this much, as far as there is room; what it moved by. */
    fun by(pixels: Float): Float {
        val before = at
        at = (at + pixels).coerceIn(0f, most)
        return at - before
    }
}

/** Fingers and services that scroll. */
private fun Modifier.scrolls(scroll: Scroll): Modifier = semantics {
    verticalScrollAxisRange = ScrollAxisRange({ scroll.at }, { scroll.most })
    if (scroll.most > 0) {
        scrollBy { _, y ->
            scroll.by(y)
            true
        }
    }
}.pointerInput(scroll) {
    awaitPointerEventScope {
        while (true) {
            var moved = 0f
            var drags = false
            while (true) {
                // First, so that a drag takes the touch away from what is clickable inside.
                val change = awaitPointerEvent(PointerEventPass.Initial).changes.first()
                if (!change.pressed) break
                val step = change.positionChange().y
                moved += step
                drags = drags || kotlin.math.abs(moved) > viewConfiguration.touchSlop
                if (drags) {
                    scroll.by(-step)
                    change.consume()
                }
            }
        }
    }
}

/** A page that may be higher than the screen. */
@Composable
fun Scrolled(modifier: Modifier = Modifier, content: @Composable () -> Unit) {
    var kept by rememberSaveable { mutableStateOf(0f) }
    val scroll = androidx.compose.runtime.remember { Scroll(kept) }
    kept = scroll.at
    Box(
        modifier.clipToBounds().scrolls(scroll).layout { measurable, constraints ->
            val child = measurable.measure(constraints.copy(minHeight = 0, maxHeight = Constraints.Infinity))
            val height = minOf(child.height, constraints.maxHeight)
            scroll.most = (child.height - height).toFloat()
            scroll.by(0f)
            layout(child.width, height) { child.placeRelative(0, -scroll.at.toInt()) }
        },
        content,
    )
}

/** Rows of one height, of which only those in sight are composed. */
@Composable
fun <T> Rows(items: List<T>, key: (T) -> Any, tag: String, row: Dp = 64.dp, content: @Composable (T) -> Unit) {
    var kept by rememberSaveable { mutableStateOf(0f) }
    val scroll = androidx.compose.runtime.remember { Scroll(kept) }
    kept = scroll.at
    val spoken = Modifier.testTag(tag).semantics {
        collectionInfo = CollectionInfo(items.size, 1)
        scrollToIndex { index ->
            scroll.at = (index * row.value).coerceIn(0f, scroll.most)
            true
        }
    }
    SubcomposeLayout(spoken.clipToBounds().scrolls(scroll)) { constraints ->
        val height = row.roundToPx()
        scroll.most = maxOf(items.size * height - constraints.maxHeight, 0).toFloat()
        scroll.by(0f)
        val first = (scroll.at / height).toInt()
        val last = minOf(((scroll.at + constraints.maxHeight) / height).toInt(), items.size - 1)
        val each = Constraints.fixed(constraints.maxWidth, height)
        val placed = (first..last).flatMap { index ->
            subcompose(key(items[index])) { content(items[index]) }.map { index to it.measure(each) }
        }
        layout(constraints.maxWidth, constraints.maxHeight) {
            placed.forEach { (index, child) -> child.placeRelative(0, index * height - scroll.at.toInt()) }
        }
    }
}
