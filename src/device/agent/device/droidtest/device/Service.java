package droidtest.device;

import android.content.ComponentName;
import android.graphics.Rect;
import android.os.Build;
import android.os.Process;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityNodeInfo;
import droidtest.host.Json;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The protocol of docs/agent-protocol.md, one request after another. */
final class Service {
  private static final int FRAME_LIMIT = 64 << 20;
  private static final long DEADLINE_MS = 2_000;

  private final DataInputStream in;
  private final DataOutputStream out;
  private final Automation automation;
  private final Fingers fingers;
  private final Front front;
  private Screen screen = new Screen();
  private String sent = "";
  private String activity = "";

  Service(InputStream in, OutputStream out, Automation automation, Front front) {
    this.in = new DataInputStream(new BufferedInputStream(in));
    this.out = new DataOutputStream(new BufferedOutputStream(out));
    this.automation = automation;
    this.fingers = new Fingers(automation);
    this.front = front;
  }

  void serve(String token) throws IOException {
    Map<String, Object> hello = new LinkedHashMap<>();
    hello.put("notice", "hello");
    hello.put("protocol", 1);
    hello.put("token", token);
    hello.put("sdk", Build.VERSION.SDK_INT);
    hello.put("pid", Process.myPid());
    send(hello);
    while (true) {
      Map<String, Object> request;
      try {
        request = receive();
      } catch (EOFException gone) {
        return;
      }
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("id", request.get("id"));
      try {
        if ("quit".equals(request.get("cmd"))) {
          answer.put("ok", true);
          send(answer);
          return;
        }
        answer.put("obs", carryOut(request));
      } catch (Refused refused) {
        answer.put("error", error(refused.code, refused.getMessage()));
      } catch (RuntimeException failure) {
        answer.put("error", error("internal", String.valueOf(failure)));
      }
      send(answer);
    }
  }

  private Map<String, Object> carryOut(Map<String, Object> request) {
    String command = String.valueOf(request.get("cmd"));
    boolean settled;
    if (command.equals("step")) {
      perform(object(request.get("action")));
      settled = automation.settle(number(request, "settle_ms"), DEADLINE_MS);
    } else if (command.equals("observe")) {
      if (Boolean.TRUE.equals(request.get("full"))) {
        sent = "";
      }
      settled = automation.settle(40, DEADLINE_MS);
    } else {
      throw new Refused("bad-request", "no such request: " + command);
    }
    return observation(settled);
  }

  private void perform(Map<String, Object> action) {
    String kind = String.valueOf(action.get("k"));
    switch (kind) {
      case "tap":
        fingers.tap(number(action, "x"), number(action, "y"), 20);
        return;
      case "drag":
        fingers.drag(number(action, "x"), number(action, "y"), number(action, "x2"), number(action, "y2"), number(action, "ms"));
        return;
      case "key":
        fingers.key((int) number(action, "code"));
        return;
      case "trackball":
        fingers.trackball(moves(action.get("moves")), Boolean.TRUE.equals(action.get("click")));
        return;
      default:
        onNode(kind, action);
    }
  }

  private static int[] moves(Object pairs) {
    if (!(pairs instanceof List)) {
      throw new Refused("bad-request", "moves is missing");
    }
    List<?> all = (List<?>) pairs;
    int[] moves = new int[2 * all.size()];
    for (int i = 0; i < moves.length; i++) {
      moves[i] = ((Number) ((List<?>) all.get(i / 2)).get(i % 2)).intValue();
    }
    return moves;
  }

  private void onNode(String kind, Map<String, Object> action) {
    AccessibilityNodeInfo node = screen.node((int) number(action, "n"));
    if (node == null || !node.refresh()) {
      throw new Refused("stale-widget", "the widget is gone");
    }
    Rect in = place(node);
    String dir = String.valueOf(action.get("dir"));
    switch (kind) {
      case "click":
        fingers.tap(in.exactCenterX(), in.exactCenterY(), 20);
        break;
      case "long":
        fingers.tap(in.exactCenterX(), in.exactCenterY(), 900);
        break;
      case "text":
        fingers.type(node, String.valueOf(action.get("s")), Boolean.TRUE.equals(action.get("ime")));
        break;
      case "scroll":
        across(in, dir, true, 0.2f, 400);
        break;
      case "swipe":
        across(in, dir, false, 0.12f, 100);
        break;
      case "pinch":
        fingers.pinch(in, dir.equals("in"));
        break;
      default:
        throw new Refused("bad-request", "no such action: " + kind);
    }
  }

  /** Where a widget can be touched: a keyboard over its middle would take the touch, and is closed first. */
  private Rect place(AccessibilityNodeInfo node) {
    Rect in = new Rect();
    node.getBoundsInScreen(in);
    if (automation.hasKeyboardAt(in.centerX(), in.centerY())) {
      fingers.key(KeyEvent.KEYCODE_BACK);
      automation.settle(DEADLINE_MS, DEADLINE_MS);
      if (!node.refresh()) {
        throw new Refused("stale-widget", "the widget is gone");
      }
      node.getBoundsInScreen(in);
    }
    return in;
  }

  /** A drag across the widget; to reveal what is in a direction the finger goes the other way. */
  private void across(Rect in, String dir, boolean reveal, float margin, long ms) {
    boolean upright = dir.equals("up") || dir.equals("down");
    boolean towardsEnd = reveal == (dir.equals("up") || dir.equals("left"));
    float low = margin;
    float high = 1 - margin;
    float from = towardsEnd ? low : high;
    float to = towardsEnd ? high : low;
    float x = in.exactCenterX();
    float y = in.exactCenterY();
    if (upright) {
      fingers.drag(x, in.top + in.height() * from, x, in.top + in.height() * to, ms);
    } else {
      fingers.drag(in.left + in.width() * from, y, in.left + in.width() * to, y, ms);
    }
  }

  private Map<String, Object> observation(boolean settled) {
    screen = Screen.read(automation);
    List<Integer> pids = front.pids();
    ComponentName top = Front.activity();
    String name = top == null ? automation.lastWindowClass() : top.getClassName();
    int[] display = Front.display();
    Map<String, Object> obs = new LinkedHashMap<>();
    List<String> visited = new ArrayList<>();
    if (!name.equals(activity)) {
      visited.add(name);
      activity = name;
    }
    obs.put("alive", !pids.isEmpty());
    obs.put("pids", pids);
    obs.put("front", top == null || !screen.front.isEmpty() ? screen.front : top.getPackageName());
    obs.put("activity", name);
    obs.put("rotation", display == null ? 0 : display[0]);
    obs.put("screen", display == null ? new int[] {0, 0} : new int[] {display[1], display[2]});
    String page = Json.write(screen.json());
    boolean unchanged = page.equals(sent);
    obs.put("unchanged", unchanged);
    if (!unchanged) {
      obs.put("page", screen.json());
      sent = page;
    }
    obs.put("visited", visited);
    obs.put("toasts", automation.takeToasts());
    obs.put("settled", settled);
    return obs;
  }

  private static Map<String, Object> error(String code, String message) {
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("code", code);
    error.put("message", message);
    return error;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    if (value instanceof Map) {
      return (Map<String, Object>) value;
    }
    throw new Refused("bad-request", "an object is missing");
  }

  private static long number(Map<String, Object> from, String name) {
    Object value = from.get(name);
    if (value instanceof Number) {
      return ((Number) value).longValue();
    }
    throw new Refused("bad-request", name + " is missing");
  }

  private Map<String, Object> receive() throws IOException {
    int length = in.readInt();
    if (length < 0 || length > FRAME_LIMIT) {
      throw new IOException("frame of " + length + " bytes");
    }
    byte[] body = new byte[length];
    in.readFully(body);
    return object(Json.parse(new String(body, StandardCharsets.UTF_8)));
  }

  private void send(Map<String, Object> message) throws IOException {
    byte[] body = Json.write(message).getBytes(StandardCharsets.UTF_8);
    out.writeInt(body.length);
    out.write(body);
    out.flush();
  }

  /** A request that cannot be performed, with the protocol's code. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    final String code;

    Refused(String code, String message) {
      super(message);
      this.code = code;
    }
  }
}
