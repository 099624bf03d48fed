package droidtest.app;

import android.content.ComponentName;
import android.content.Intent;
import android.graphics.Rect;
import android.net.Uri;
import android.view.KeyEvent;
import android.widget.TextView;
import droidtest.gui.Input;
import droidtest.gui.Page;
import droidtest.gui.Screen;
import droidtest.gui.SoftKeyboard;
import droidtest.gui.Touch;
import droidtest.gui.Typing;
import droidtest.gui.VirtualTyping;
import droidtest.gui.WebTouch;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Performs one action of the protocol. */
final class Actions {
  private final SystemServer system;
  private final Page page;
  private final Touch touch;
  private final Typing typing;
  private final SoftKeyboard keyboard;
  private final LongConsumer wait;

  Actions(SystemServer system, Screen screen, Page page, LongConsumer wait) {
    this.system = system;
    this.page = page;
    this.wait = wait;
    Input input = new Input();
    touch = new Touch(screen, input, Settle::pass);
    keyboard = new SoftKeyboard(screen);
    typing = new Typing(screen, input, Settle::pass);
  }

  /** Null when done, else the reason: a text that starts with "bad" for a malformed request, or the stale widget. */
  String perform(Map<String, Object> action) throws Exception {
    String kind = String.valueOf(action.get("k"));
    switch (kind) {
      case "click":
      case "long":
      case "text":
      case "scroll":
      case "swipe":
      case "pinch":
        return onNode(kind, action);
      case "tap":
      case "drag":
        finger(kind, action);
        return null;
      case "key":
        key((int) number(action, "code"));
        return null;
      case "rotate":
        system.rotation.turn((int) number(action, "to"));
        return null;
      case "home":
        system.activities.lifecycle().scheduleAway(true);
        return null;
      case "launch":
        system.activities.start(AppProcess.launcher(), null, null, null, -1);
        return null;
      case "trackball":
        touch.trackball(moves((List<?>) action.get("moves")), Boolean.TRUE.equals(action.get("click")));
        return null;
      case "wait":
        wait.accept((long) number(action, "ms"));
        return null;
      case "sensor":
        Senses.feel(values(action));
        return null;
      case "fault":
        return system.faults.bring(String.valueOf(action.get("name")));
      case "location":
        Senses.locate(values(action));
        return null;
      case "call":
        Senses.call(String.valueOf(action.get("state")), String.valueOf(action.get("number")));
        return null;
      case "broadcast":
      case "service":
      case "start_activity":
        return send(kind, action);
      default:
        return "bad action " + kind;
    }
  }

  /** A touch by coordinates hits what is on the screen there, the keyboard first. */
  private void finger(String kind, Map<String, Object> action) {
    float x = number(action, "x");
    float y = number(action, "y");
    if (keyboard.type(x, y)) {
      return;
    }
    if (kind.equals("tap")) {
      touch.tap(x, y);
    } else {
      touch.drag(x, y, number(action, "x2"), number(action, "y2"), (long) number(action, "ms"));
    }
    keyboard.touched();
  }

  private void key(int code) {
    if (code == KeyEvent.KEYCODE_BACK && keyboard.back()) {
      return;
    }
    if (code == KeyEvent.KEYCODE_HOME) {
      system.activities.lifecycle().scheduleAway(true);
    } else {
      typing.key(code);
    }
  }

  private String onNode(String kind, Map<String, Object> action) {
    Page.Node node = page.node((int) number(action, "n"));
    if (node == null) {
      return "no node " + action.get("n");
    }
    if (!node.view.isAttachedToWindow() || !node.view.isShown() || !node.view.isEnabled() || node.visible.isEmpty()) {
      return "node " + action.get("n") + " is not there any more";
    }
    keyboard.away();
    Rect at = node.visible;
    float x = at.exactCenterX();
    float y = at.exactCenterY();
    String direction = String.valueOf(action.get("dir"));
    if (node.element >= 0) {
      if (kind.equals("text")) {
        WebTouch.type(node.view, node.element, String.valueOf(action.get("s")), Boolean.TRUE.equals(action.get("ime")));
        return null;
      }
      WebTouch.aim(node.view, node.element);
    }
    switch (kind) {
      case "click":
        touch.tap(x, y);
        break;
      case "long":
        touch.longPress(x, y);
        break;
      case "text":
        return text(node, action);
      case "scroll":
        // Content is revealed where the finger comes from.
        stroke(at, direction, -0.3f, 300);
        break;
      case "swipe":
        stroke(at, direction, 0.4f, 60);
        break;
      default:
        float far = Math.max(8, at.width() * 0.4f);
        float near = Math.max(4, at.width() * 0.1f);
        touch.pinch(x, y, direction.equals("in") ? far : near, direction.equals("in") ? near : far);
    }
    return null;
  }

  private String text(Page.Node node, Map<String, Object> action) {
    String text = String.valueOf(action.get("s"));
    boolean ime = Boolean.TRUE.equals(action.get("ime"));
    if (node.provider != null) {
      // A tap gives the focus, and with it what the field's action needs.
      touch.tap(node.visible.exactCenterX(), node.visible.exactCenterY());
      return VirtualTyping.text(node, text, ime, wait);
    }
    if (!(node.view instanceof TextView)) {
      return "bad target for text";
    }
    typing.text((TextView) node.view, text, ime);
    return null;
  }

  /** A stroke through the middle; {@code part} of the size to each side, forwards in the direction when positive. */
  private void stroke(Rect at, String direction, float part, long ms) {
    float dx = direction.equals("left") ? -1 : direction.equals("right") ? 1 : 0;
    float dy = direction.equals("up") ? -1 : direction.equals("down") ? 1 : 0;
    float x = at.exactCenterX();
    float y = at.exactCenterY();
    float fx = dx * part * at.width();
    float fy = dy * part * at.height();
    touch.drag(x - fx, y - fy, x + fx, y + fy, ms);
  }

  private String send(String kind, Map<String, Object> action) {
    Intent intent = new Intent((String) action.get("action"));
    if (action.get("component") != null) {
      String name = String.valueOf(action.get("component"));
      ComponentName component = ComponentName.unflattenFromString(name);
      intent.setComponent(component != null ? component : new ComponentName(AppProcess.packageName(), name));
    }
    if (action.get("data") != null) {
      intent.setData(Uri.parse(String.valueOf(action.get("data"))));
    }
    Extras.put(intent, (Map<?, ?>) action.get("extras"));
    if (kind.equals("broadcast")) {
      Announcements.complete(intent);
      boolean button = Intent.ACTION_MEDIA_BUTTON.equals(intent.getAction()) && intent.getComponent() == null;
      if (button && Audio.press(intent)) {
        return null;
      }
      intent.setPackage(AppProcess.packageName());
      system.broadcasts.send(intent, null, null, 0, null, null, false, false);
    } else if (kind.equals("service")) {
      system.services.start(intent);
    } else {
      intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
      system.activities.start(intent, null, null, null, -1);
    }
    return null;
  }

  private static int[] moves(List<?> pairs) {
    int[] moves = new int[2 * pairs.size()];
    for (int i = 0; i < moves.length; i++) {
      moves[i] = ((Number) ((List<?>) pairs.get(i / 2)).get(i % 2)).intValue();
    }
    return moves;
  }

  private static List<?> values(Map<String, Object> action) {
    Object values = action.get("values");
    return values instanceof List ? (List<?>) values : List.of();
  }

  private static float number(Map<String, Object> action, String name) {
    Object value = action.get(name);
    return value instanceof Number ? ((Number) value).floatValue() : 0;
  }
}
