package org.droidtest.toolbox

/** Short texts that the pages begin with. */
object Texts {
    val lines = listOf(
        "The bread rises overnight in a cold kitchen",
        "A ladder leans against the apple tree",
        "The last ferry leaves at ten past six",
        "Every box of screws has one screw too few",
        "The map shows a bridge that was never built",
        "Rain fell on the roof of the old library",
        "She counted the stairs twice and got two numbers",
        "An honest scale weighs the same on Mondays",
        "The clock in the hall runs four minutes fast",
        "Nobody remembers who planted the apple tree",
        "The ferry to the island carries bread and letters",
        "A bridge needs two ends and some patience",
    )

    const val PAGE = """<html><head><title>Ferries</title></head><body>
<h1>Timetable</h1><p>From the <a href="/harbour">harbour</a> to the <a href="/island">island</a>.</p>
<table><tr><td>06:10</td><td>daily</td></tr><tr><td>18:10</td><td>not on Sundays</td></tr></table>
<p class=note>See <a href="https://example.org/fares">fares</a></body></html>"""

    const val ORDER = """{"number": 17, "customer": "A. Ferry", "paid": false, "lines": [
 {"article": "bread", "amount": 2, "price": 3.40}, {"article": "screws", "amount": 100, "price": 0.05}]}"""
}
