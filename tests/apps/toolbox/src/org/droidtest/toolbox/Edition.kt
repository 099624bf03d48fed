package org.droidtest.toolbox

/** Which build this is: what `build.sh` with EDITION changes, so that two builds differ in one class. */
object Edition {
    val name: String = listOf("edition", "1").joinToString(" ")
}
