// Compiled by Kotlin's compiler as published and as translated; both must write the same class files.
package sample

import kotlin.properties.Delegates

sealed interface Shape {
    val area: Double

    data class Circle(val radius: Double) : Shape {
        override val area get() = Math.PI * radius * radius
    }

    data class Rectangle(val width: Double, val height: Double = width) : Shape {
        override val area by lazy { width * height }
    }

    data object Empty : Shape {
        override val area = 0.0
    }
}

@JvmInline
value class Label(val text: String) : Comparable<Label> {
    override fun compareTo(other: Label) = text.compareTo(other.text)
}

enum class Level(val weight: Int) {
    LOW(1),
    HIGH(10) {
        override fun describe() = "very " + super.describe()
    };

    open fun describe() = name.lowercase()
}

class Counter(start: Int) {
    var count: Int by Delegates.observable(start) { _, old, new -> history += "$old to $new" }
        private set
    private val history = mutableListOf<String>()

    operator fun plusAssign(amount: Int) {
        count += amount
    }

    operator fun get(index: Int) = history.getOrNull(index)

    companion object {
        const val NAME = "counter"

        @JvmStatic
        fun of(vararg amounts: Int) = Counter(0).apply { amounts.forEach { this += it } }
    }
}

inline fun <reified T> Iterable<*>.firstOf(orElse: () -> T): T {
    for (item in this) {
        if (item is T) return item
    }
    return orElse()
}

tailrec fun gcd(a: Long, b: Long): Long = if (b == 0L) a else gcd(b, a % b)

fun describe(shape: Shape, level: Level = Level.LOW): String = when (shape) {
    is Shape.Circle -> "circle of ${shape.radius} (${level.describe()})"
    is Shape.Rectangle -> {
        val (width, height) = shape
        if (width == height) "square of $width" else "rectangle of $width x $height"
    }
    Shape.Empty -> "nothing"
}

fun fibonacci(): Sequence<Long> = sequence {
    var pair = 0L to 1L
    while (true) {
        yield(pair.first)
        pair = pair.second to pair.first + pair.second
    }
}

suspend fun twice(block: suspend (Int) -> String): String {
    val first = block(1)
    return try {
        first + block(2)
    } catch (e: IllegalStateException) {
        "failed: ${e.message}"
    } finally {
        println("done")
    }
}

fun parse(text: String?): Int? = text?.trim()?.takeIf { it.isNotEmpty() }?.let {
    try {
        it.toInt()
    } catch (_: NumberFormatException) {
        null
    }
}

fun main() {
    val shapes = listOf(Shape.Circle(1.0), Shape.Rectangle(2.0), Shape.Empty)
    shapes.sortedByDescending { it.area }.forEachIndexed { index, shape -> println("$index: ${describe(shape)}") }
    println(shapes.groupBy { it::class.simpleName }.mapValues { (_, all) -> all.sumOf { it.area } })
    println(fibonacci().takeWhile { it < 1000u.toLong() }.filter { it and 1L == 0L }.toList())
    label@ for (i in 10 downTo 1 step 3) {
        for (j in 'a'..'e') {
            if (j == 'c') continue@label
            if (i < 3) break@label
            println("$i$j ${gcd(i.toLong(), 12)}")
        }
    }
    println(Counter.of(1, 2, 3)[2] ?: parse(" 7 "))
    println(listOf(1, "a", Label("x")).firstOf<Label> { Label("none") }.text)
}
