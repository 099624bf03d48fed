//// imports
import androidx.test.espresso.Espresso.onView
import androidx.test.espresso.action.ViewActions.click
import androidx.test.espresso.action.ViewActions.closeSoftKeyboard
import androidx.test.espresso.action.ViewActions.longClick
import androidx.test.espresso.action.ViewActions.pressImeActionButton
import androidx.test.espresso.action.ViewActions.replaceText
import androidx.test.espresso.action.ViewActions.swipeDown
import androidx.test.espresso.action.ViewActions.swipeLeft
import androidx.test.espresso.action.ViewActions.swipeRight
import androidx.test.espresso.action.ViewActions.swipeUp
import androidx.test.espresso.matcher.ViewMatchers.hasDescendant
import androidx.test.espresso.matcher.ViewMatchers.isDisplayed
import androidx.test.espresso.matcher.ViewMatchers.withContentDescription
import androidx.test.espresso.matcher.ViewMatchers.withHint
import androidx.test.espresso.matcher.ViewMatchers.withResourceName
import androidx.test.espresso.matcher.ViewMatchers.withText
import org.hamcrest.Matchers.allOf
import org.hamcrest.Matchers.startsWith
import org.junit.Assert.assertFalse
import org.junit.Assert.assertTrue
import android.graphics.Rect
import android.os.SystemClock
import android.view.View
import androidx.test.espresso.ViewInteraction
import androidx.test.espresso.util.TreeIterables
import androidx.test.ext.junit.runners.AndroidJUnit4
import androidx.test.platform.app.InstrumentationRegistry
import androidx.test.uiautomator.By
import androidx.test.uiautomator.BySelector
import androidx.test.uiautomator.Direction
import androidx.test.uiautomator.UiDevice
import androidx.test.uiautomator.UiObject2
import androidx.test.uiautomator.Until
import org.hamcrest.Description
import org.hamcrest.Matcher
import org.hamcrest.TypeSafeMatcher
import org.junit.After
import org.junit.Test
import org.junit.runner.RunWith
//// class
@RunWith(AndroidJUnit4::class)
class @NAME@ {
    private val device = UiDevice.getInstance(InstrumentationRegistry.getInstrumentation())

    @Test
    fun theAppDoesNotFail() {
@STEPS@    }
@HELPERS@
    private companion object {
        const val PACKAGE = @PACKAGE@
        const val PATIENCE = 5000L
    }
}
//// widget

    /** The widget of this number among equal ones; if it is -1, the one at its recorded place, or the first. */
    private fun widget(selector: BySelector, nth: Int, x: Double, y: Double): UiObject2 {
        device.wait(Until.hasObject(selector), PATIENCE)
        val found = device.findObjects(selector)
        val left = (x * device.displayWidth).toInt()
        val top = (y * device.displayHeight).toInt()
        val chosen = when {
            nth >= 0 -> found.getOrNull(nth)
            else -> found.find { it.visibleBounds.contains(left, top) } ?: found.firstOrNull()
        }
        return chosen ?: throw AssertionError("not on the screen: $selector")
    }
//// view

    /** The view of this number among equal ones; if it is -1, the one at its recorded place, or the first. */
    private fun view(matcher: Matcher<View>, nth: Int, x: Double, y: Double): ViewInteraction =
        onView(object : TypeSafeMatcher<View>() {
            override fun matchesSafely(view: View) = matcher.matches(view) && view === chosen(view.rootView)

            private fun chosen(root: View): View? {
                val found = TreeIterables.depthFirstViewTraversal(root)
                    .filter { matcher.matches(it) && isDisplayed().matches(it) }
                val left = (x * device.displayWidth).toInt()
                val top = (y * device.displayHeight).toInt()
                return when {
                    nth >= 0 -> found.getOrNull(nth)
                    else -> found.find { Rect().apply(it::getGlobalVisibleRect).contains(left, top) } ?: found.firstOrNull()
                }
            }

            override fun describeTo(description: Description) {
                description.appendDescriptionOf(matcher)
            }
        })
//// accessibleAs

    /** A view of this class, as accessibility services see it. */
    private fun accessibleAs(name: String): Matcher<View> = object : TypeSafeMatcher<View>() {
        override fun matchesSafely(view: View) = name.contentEquals(view.accessibilityClassName)

        override fun describeTo(description: Description) {
            description.appendText("accessible as ").appendText(name)
        }
    }
//// enter

    /** Replaces the text of a field. */
    private fun enter(field: UiObject2, text: String) {
        field.click()
        field.text = text
    }
//// tapInside

    /** A tap inside a widget, in fractions of its size. */
    private fun tapInside(widget: UiObject2, x: Double, y: Double) {
        val bounds: Rect = widget.visibleBounds
        device.click(bounds.left + (x * bounds.width()).toInt(), bounds.top + (y * bounds.height()).toInt())
    }
//// tapAt

    /** A tap at a place of the screen, in fractions of its size. */
    private fun tapAt(x: Double, y: Double) {
        device.click((x * device.displayWidth).toInt(), (y * device.displayHeight).toInt())
    }
//// drag

    /** A drag between two places of the screen, in fractions of its size. */
    private fun drag(x: Double, y: Double, x2: Double, y2: Double) {
        val width = device.displayWidth
        val height = device.displayHeight
        device.swipe((x * width).toInt(), (y * height).toInt(), (x2 * width).toInt(), (y2 * height).toInt(), 12)
    }
//// argument

    /** An argument of the test: -e NAME TEXT, or testInstrumentationRunnerArguments in Gradle. */
    private fun argument(name: String): String =
        InstrumentationRegistry.getArguments().getString(name) ?: throw AssertionError("the test needs the argument $name")
//// turn

    private var turned = false

    private fun turn(to: Boolean) {
        turned = to
        if (to) device.setOrientationLeft() else device.setOrientationNatural()
    }

    @After
    fun unfreeze() {
        device.unfreezeRotation()
    }
//// away

    /** Leaves the app, runs a command if there is one, and returns. */
    private fun away(command: String) {
        device.pressHome()
        SystemClock.sleep(1000)
        if (command.isNotEmpty()) shell(command)
        launch()
    }
//// relaunch

    private fun relaunch() {
        shell("am force-stop $PACKAGE")
        turn(false)
        launch()
    }
//// clear

    /** Clears the data of the app. */
    private fun clear() {
        assertTrue("$PACKAGE is not installed", shell("pm clear $PACKAGE").contains("Success"))
    }
//// grant

    /** Grants the permissions that the app requests. */
    private fun grant() {
        for (name in Regex("[\\w.]+\\.permission\\.\\w+").findAll(shell("dumpsys package $PACKAGE"))) {
            shell("pm grant $PACKAGE ${name.value}")
        }
    }
//// launch

    /** Starts the app, or brings it to the front. */
    private fun launch() {
        shell("monkey -p $PACKAGE -c android.intent.category.LAUNCHER 1")
        device.wait(Until.hasObject(By.pkg(PACKAGE).depth(0)), PATIENCE)
    }
//// hasCrashed

    /** Has the app crashed with this exception, and this method in the stack? */
    private fun hasCrashed(exception: String, frame: String): Boolean {
        SystemClock.sleep(1000)
        return shell("logcat -b crash -d").split("FATAL EXCEPTION").any {
            "Process: $PACKAGE," in it && exception in it && frame in it
        }
    }
//// isBlocked

    /** Has Android reported that the app does not respond? It does so some seconds after an input. */
    private fun isBlocked(): Boolean {
        device.pressKeyCode(59)
        SystemClock.sleep(15000)
        return ",$PACKAGE," in shell("logcat -b events -d -s am_anr")
    }
//// isGone

    private fun isGone() = shell("pidof $PACKAGE").isBlank()
//// shell

    /** Runs a command as the shell's user. */
    private fun shell(command: String): String = device.executeShellCommand(command)
