//// imports
import static androidx.test.espresso.Espresso.onView;
import static androidx.test.espresso.action.ViewActions.click;
import static androidx.test.espresso.action.ViewActions.closeSoftKeyboard;
import static androidx.test.espresso.action.ViewActions.longClick;
import static androidx.test.espresso.action.ViewActions.pressImeActionButton;
import static androidx.test.espresso.action.ViewActions.replaceText;
import static androidx.test.espresso.action.ViewActions.swipeDown;
import static androidx.test.espresso.action.ViewActions.swipeLeft;
import static androidx.test.espresso.action.ViewActions.swipeRight;
import static androidx.test.espresso.action.ViewActions.swipeUp;
import static androidx.test.espresso.matcher.ViewMatchers.hasDescendant;
import static androidx.test.espresso.matcher.ViewMatchers.isDisplayed;
import static androidx.test.espresso.matcher.ViewMatchers.withContentDescription;
import static androidx.test.espresso.matcher.ViewMatchers.withHint;
import static androidx.test.espresso.matcher.ViewMatchers.withResourceName;
import static androidx.test.espresso.matcher.ViewMatchers.withText;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;
import android.graphics.Rect;
import android.os.SystemClock;
import android.view.View;
import androidx.test.espresso.ViewInteraction;
import androidx.test.espresso.util.TreeIterables;
import androidx.test.ext.junit.runners.AndroidJUnit4;
import androidx.test.platform.app.InstrumentationRegistry;
import androidx.test.uiautomator.By;
import androidx.test.uiautomator.BySelector;
import androidx.test.uiautomator.Direction;
import androidx.test.uiautomator.UiDevice;
import androidx.test.uiautomator.UiObject2;
import androidx.test.uiautomator.Until;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.hamcrest.Description;
import org.hamcrest.Matcher;
import org.hamcrest.TypeSafeMatcher;
import org.junit.After;
import org.junit.Test;
import org.junit.runner.RunWith;
//// class
@RunWith(AndroidJUnit4.class)
public final class @NAME@ {
    private static final String PACKAGE = @PACKAGE@;
    private static final long PATIENCE = 5000;

    private final UiDevice device = UiDevice.getInstance(InstrumentationRegistry.getInstrumentation());

    @Test
    public void theAppDoesNotFail() throws Exception {
@STEPS@    }
@HELPERS@}
//// widget

    /** The widget of this number among equal ones; if it is -1, the one at its recorded place, or the first. */
    private UiObject2 widget(BySelector selector, int nth, double x, double y) {
        device.wait(Until.hasObject(selector), PATIENCE);
        List<UiObject2> found = device.findObjects(selector);
        if (nth >= 0 && nth < found.size()) {
            return found.get(nth);
        }
        for (UiObject2 one : found) {
            int left = (int) (x * device.getDisplayWidth());
            int top = (int) (y * device.getDisplayHeight());
            if (nth < 0 && one.getVisibleBounds().contains(left, top)) {
                return one;
            }
        }
        if (nth >= 0 || found.isEmpty()) {
            throw new AssertionError("not on the screen: " + selector);
        }
        return found.get(0);
    }
//// view

    /** The view of this number among equal ones; if it is -1, the one at its recorded place, or the first. */
    private ViewInteraction view(Matcher<View> matcher, int nth, double x, double y) {
        return onView(new TypeSafeMatcher<View>() {
            @Override
            protected boolean matchesSafely(View view) {
                return matcher.matches(view) && view == chosen(view.getRootView());
            }

            private View chosen(View root) {
                List<View> found = new ArrayList<>();
                for (View one : TreeIterables.depthFirstViewTraversal(root)) {
                    if (matcher.matches(one) && isDisplayed().matches(one)) {
                        found.add(one);
                    }
                }
                if (nth >= 0) {
                    return nth < found.size() ? found.get(nth) : null;
                }
                for (View one : found) {
                    Rect bounds = new Rect();
                    one.getGlobalVisibleRect(bounds);
                    int left = (int) (x * device.getDisplayWidth());
                    int top = (int) (y * device.getDisplayHeight());
                    if (bounds.contains(left, top)) {
                        return one;
                    }
                }
                return found.isEmpty() ? null : found.get(0);
            }

            @Override
            public void describeTo(Description description) {
                description.appendDescriptionOf(matcher);
            }
        });
    }
//// accessibleAs

    /** A view of this class, as accessibility services see it. */
    private static Matcher<View> accessibleAs(String name) {
        return new TypeSafeMatcher<View>() {
            @Override
            protected boolean matchesSafely(View view) {
                return name.contentEquals(view.getAccessibilityClassName());
            }

            @Override
            public void describeTo(Description description) {
                description.appendText("accessible as ").appendText(name);
            }
        };
    }
//// enter

    /** Replaces the text of a field. */
    private void enter(UiObject2 field, String text) {
        field.click();
        field.setText(text);
    }
//// tapInside

    /** A tap inside a widget, in fractions of its size. */
    private void tapInside(UiObject2 widget, double x, double y) {
        Rect bounds = widget.getVisibleBounds();
        device.click(bounds.left + (int) (x * bounds.width()), bounds.top + (int) (y * bounds.height()));
    }
//// tapAt

    /** A tap at a place of the screen, in fractions of its size. */
    private void tapAt(double x, double y) {
        device.click((int) (x * device.getDisplayWidth()), (int) (y * device.getDisplayHeight()));
    }
//// drag

    /** A drag between two places of the screen, in fractions of its size. */
    private void drag(double x, double y, double x2, double y2) {
        int width = device.getDisplayWidth();
        int height = device.getDisplayHeight();
        device.swipe((int) (x * width), (int) (y * height), (int) (x2 * width), (int) (y2 * height), 12);
    }
//// argument

    /** An argument of the test: -e NAME TEXT, or testInstrumentationRunnerArguments in Gradle. */
    private static String argument(String name) {
        String text = InstrumentationRegistry.getArguments().getString(name);
        if (text == null) {
            throw new AssertionError("the test needs the argument " + name);
        }
        return text;
    }
//// turn

    private boolean turned;

    private void turn(boolean to) throws Exception {
        turned = to;
        if (to) {
            device.setOrientationLeft();
        } else {
            device.setOrientationNatural();
        }
    }

    @After
    public void unfreeze() throws Exception {
        device.unfreezeRotation();
    }
//// away

    /** Leaves the app, runs a command if there is one, and returns. */
    private void away(String command) throws Exception {
        device.pressHome();
        SystemClock.sleep(1000);
        if (!command.isEmpty()) {
            shell(command);
        }
        launch();
    }
//// relaunch

    private void relaunch() throws Exception {
        shell("am force-stop " + PACKAGE);
        turn(false);
        launch();
    }
//// clear

    /** Clears the data of the app. */
    private void clear() throws Exception {
        assertTrue(PACKAGE + " is not installed", shell("pm clear " + PACKAGE).contains("Success"));
    }
//// grant

    /** Grants the permissions that the app requests. */
    private void grant() throws Exception {
        java.util.regex.Matcher names = Pattern.compile("[\\w.]+\\.permission\\.\\w+").matcher(shell("dumpsys package " + PACKAGE));
        while (names.find()) {
            shell("pm grant " + PACKAGE + " " + names.group());
        }
    }
//// launch

    /** Starts the app, or brings it to the front. */
    private void launch() throws Exception {
        shell("monkey -p " + PACKAGE + " -c android.intent.category.LAUNCHER 1");
        device.wait(Until.hasObject(By.pkg(PACKAGE).depth(0)), PATIENCE);
    }
//// hasCrashed

    /** Has the app crashed with this exception, and this method in the stack? */
    private boolean hasCrashed(String exception, String frame) throws Exception {
        SystemClock.sleep(1000);
        for (String crash : shell("logcat -b crash -d").split("FATAL EXCEPTION")) {
            boolean ours = crash.contains("Process: " + PACKAGE + ",");
            if (ours && crash.contains(exception) && crash.contains(frame)) {
                return true;
            }
        }
        return false;
    }
//// isBlocked

    /** Has Android reported that the app does not respond? It does so some seconds after an input. */
    private boolean isBlocked() throws Exception {
        device.pressKeyCode(59);
        SystemClock.sleep(15000);
        return shell("logcat -b events -d -s am_anr").contains("," + PACKAGE + ",");
    }
//// isGone

    private boolean isGone() throws Exception {
        return shell("pidof " + PACKAGE).trim().isEmpty();
    }
//// shell

    /** Runs a command as the shell's user. */
    private String shell(String command) throws Exception {
        return device.executeShellCommand(command);
    }
