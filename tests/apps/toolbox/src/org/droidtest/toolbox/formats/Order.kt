package org.droidtest.toolbox.formats

/** What the JSON on the page describes. Fields, since two libraries fill them by reflection. */
class Order {
    @JvmField var number = 0
    @JvmField var customer: String? = null
    @JvmField var paid = false
    @JvmField var lines: List<Line>? = null

    fun total(): Double = lines.orEmpty().sumOf { it.amount * it.price }

    class Line {
        @JvmField var article: String? = null
        @JvmField var amount = 0
        @JvmField var price = 0.0
    }
}
