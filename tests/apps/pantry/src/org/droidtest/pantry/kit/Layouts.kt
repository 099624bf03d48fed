package org.droidtest.pantry.kit

import androidx.compose.runtime.Composable
import androidx.compose.ui.Modifier
import androidx.compose.ui.draw.drawBehind
import androidx.compose.ui.graphics.Color
import androidx.compose.ui.layout.Layout
import androidx.compose.ui.layout.MeasurePolicy
import androidx.compose.ui.layout.layout
import androidx.compose.ui.unit.Constraints
import androidx.compose.ui.unit.Dp
import androidx.compose.ui.unit.constrainHeight
import androidx.compose.ui.unit.constrainWidth
import androidx.compose.ui.unit.dp
import androidx.compose.ui.unit.offset

/** Children below each other, each as wide as it likes. */
@Composable
fun Column(modifier: Modifier = Modifier, space: Dp = 0.dp, content: @Composable () -> Unit) {
    val policy = MeasurePolicy { measurables, constraints ->
        val gap = space.roundToPx()
        var left = constraints.maxHeight
        val placed = measurables.map { measurable ->
            val height = if (constraints.hasBoundedHeight) maxOf(left, 0) else Constraints.Infinity
            val child = measurable.measure(constraints.copy(minWidth = 0, minHeight = 0, maxHeight = height))
            if (constraints.hasBoundedHeight) left -= child.height + gap
            child
        }
        val height = placed.sumOf { it.height } + gap * maxOf(placed.size - 1, 0)
        val width = placed.maxOfOrNull { it.width } ?: 0
        layout(constraints.constrainWidth(width), constraints.constrainHeight(height)) {
            var y = 0
            for (child in placed) {
                child.placeRelative(0, y)
                y += child.height + gap
            }
        }
    }
    Layout(content, modifier, policy)
}

/** Children beside each other; the first takes the width that the others leave. */
@Composable
fun Row(modifier: Modifier = Modifier, space: Dp = 8.dp, content: @Composable () -> Unit) {
    val policy = MeasurePolicy { measurables, constraints ->
        val gap = space.roundToPx()
        val free = constraints.copy(minWidth = 0, minHeight = 0)
        val others = measurables.drop(1).map { it.measure(free) }
        val taken = others.sumOf { it.width + gap }
        val width = maxOf(constraints.maxWidth - taken, 0)
        val first = measurables.take(1).map { it.measure(free.copy(minWidth = width, maxWidth = width)) }
        val placed = first + others
        val height = constraints.constrainHeight(placed.maxOfOrNull { it.height } ?: 0)
        layout(constraints.maxWidth, height) {
            var x = 0
            for (child in placed) {
                child.placeRelative(x, (height - child.height) / 2)
                x += child.width + gap
            }
        }
    }
    Layout(content, modifier, policy)
}

/** Children upon each other. */
@Composable
fun Box(modifier: Modifier = Modifier, content: @Composable () -> Unit) {
    val policy = MeasurePolicy { measurables, constraints ->
        val placed = measurables.map { it.measure(constraints.copy(minWidth = 0, minHeight = 0)) }
        val width = constraints.constrainWidth(placed.maxOfOrNull { it.width } ?: 0)
        val height = constraints.constrainHeight(placed.maxOfOrNull { it.height } ?: 0)
        layout(width, height) { placed.forEach { it.placeRelative(0, 0) } }
    }
    Layout(content, modifier, policy)
}

/** Room around the content. */
fun Modifier.padding(horizontal: Dp, vertical: Dp = horizontal): Modifier = layout { measurable, constraints ->
    val (x, y) = horizontal.roundToPx() to vertical.roundToPx()
    val child = measurable.measure(constraints.offset(-2 * x, -2 * y))
    layout(constraints.constrainWidth(child.width + 2 * x), constraints.constrainHeight(child.height + 2 * y)) {
        child.placeRelative(x, y)
    }
}

/** As wide as there is room for. */
fun Modifier.fillWidth(): Modifier = layout { measurable, constraints ->
    val child = measurable.measure(constraints.copy(minWidth = constraints.maxWidth))
    layout(child.width, child.height) { child.placeRelative(0, 0) }
}

/** All the room there is. */
fun Modifier.fill(): Modifier = layout { measurable, constraints ->
    val child = measurable.measure(
        constraints.copy(minWidth = constraints.maxWidth, minHeight = constraints.maxHeight),
    )
    layout(child.width, child.height) { child.placeRelative(0, 0) }
}

fun Modifier.height(height: Dp): Modifier = layout { measurable, constraints ->
    val pixels = height.roundToPx()
    val child = measurable.measure(constraints.copy(minHeight = pixels, maxHeight = pixels))
    layout(child.width, child.height) { child.placeRelative(0, 0) }
}

/** At least as large as a finger. */
fun Modifier.touchable(): Modifier = layout { measurable, constraints ->
    val least = 48.dp.roundToPx()
    val width = constraints.constrainWidth(least)
    val height = constraints.constrainHeight(least)
    val child = measurable.measure(constraints.copy(minWidth = width, minHeight = height))
    layout(child.width, child.height) { child.placeRelative(0, 0) }
}

fun Modifier.background(color: Color): Modifier = drawBehind { drawRect(color) }
