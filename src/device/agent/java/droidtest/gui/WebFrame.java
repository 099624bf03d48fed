package droidtest.gui;

import android.app.Activity;
import android.content.Context;
import android.content.ContextWrapper;
import android.graphics.Bitmap;
import android.graphics.BitmapFactory;
import android.graphics.Canvas;
import android.graphics.Rect;
import android.util.Log;
import android.webkit.ConsoleMessage;
import android.webkit.WebChromeClient;
import droidtest.host.Host;
import droidtest.host.box.Clock;
import droidtest.host.box.Process;
import droidtest.host.web.Engine;
import droidtest.host.web.Engines;
import droidtest.host.web.Turns;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** The engine of one web view: its page, its timers on the main looper, and how it fares. */
public final class WebFrame {
  private static final int LOAD_MS = 20_000;
  private static final int ACT_MS = 8_000;
  /** Pages whose timers have taken this long in real time have taken enough of it. */
  private static final long TIMERS_NS = 10_000_000_000L;
  private static final int LATE_MS = 50;
  private static final int LATE_TIMES = 20;
  /** So many engines at once are looked through for those that can go. */
  private static final int MANY = 4;

  /** The frames of this process life. */
  private static final List<WebFrame> ALL = new ArrayList<>();

  private final Web web;
  private final WebHost host;
  private final Turns turns = new Turns(this::last);
  private volatile Engine engine;
  private List<Engine.Element> elements = List.of();
  private boolean dirty;
  private boolean broken;
  private boolean ready;
  private String page = "";
  private String address = "";
  private String title = "";
  private long timersTook;
  private long planned = -1;
  private int late;
  private int width;
  private int height;
  private int[] extent;

  private WebFrame(Web web) {
    this.web = web;
    host = new WebHost(web, this, turns);
    ALL.add(this);
  }

  /** Null if the device has no engine. */
  static WebFrame open(Web web) {
    if (Host.options().web() == null && Host.options().browser() == null) {
      return null;
    }
    if (ALL.size() >= MANY) {
      // Few apps destroy their views: the pages of activities that are gone would pile up.
      List.copyOf(ALL).stream().filter(WebFrame::left).forEach(WebFrame::close);
    }
    return new WebFrame(web);
  }

  /** Whether nobody will see its view again. */
  private boolean left() {
    Context context = web.view().getContext();
    while (context instanceof ContextWrapper && !(context instanceof Activity)) {
      context = ((ContextWrapper) context).getBaseContext();
    }
    return context instanceof Activity && ((Activity) context).isDestroyed() && !web.view().isAttachedToWindow();
  }

  /** Ends the engines of a process life. */
  public static void end() {
    ALL.forEach(frame -> frame.turns.close());
    ALL.clear();
    Turns.end();
  }

  void close() {
    broken = true;
    turns.close();
    ALL.remove(this);
  }

  private void last() {
    Engine open = engine;
    engine = null;
    if (open != null) {
      try {
        open.close();
      } catch (RuntimeException | LinkageError e) {
        // It goes with its thread.
      }
    }
  }

  /** Whether there is a page to look at and to touch. */
  boolean ready() {
    return ready && !broken;
  }

  String address() {
    return address;
  }

  String title() {
    return title;
  }

  /** Shows a page; what follows is done when its scripts have run, or when they could not. */
  void load(String url, Engine.Answer content, Engine.Setting setting, Runnable then) {
    page = url;
    ready = false;
    elements = List.of();
    width = setting.width();
    height = setting.height();
    timersTook = 0;
    Callable<Boolean> load =
        () -> {
          if (engine == null) {
            engine = Engines.open(Host.options().web(), Host.options().browser(), host);
          }
          engine.load(url, content, setting);
          return true;
        };
    boolean taken =
        !broken
            && turns.engine(
                LOAD_MS,
                load,
                done -> {
                  ready = true;
                  changed();
                  then.run();
                },
                error -> {
                  fail(why(error));
                  then.run();
                });
    if (!taken) {
      if (!broken && turns.suspended()) {
        // The page that stood still for a dialog is left: so is its script.
        broken = true;
      }
      then.run();
    } else {
      watch();
    }
  }

  private static String why(Throwable error) {
    return String.valueOf(error instanceof UncheckedIOException ? error.getCause() : error);
  }

  /** A page that the engine cannot run: reported once per page, not a fault of the app. */
  void fail(String why) {
    String text = why.replaceAll("\\s+", " ");
    Process.limit("web-page", page + ": " + (text.length() > 200 ? text.substring(0, 200) : text));
  }

  /** Runs an action of the engine on the page, and handles the result. */
  private <T> boolean run(Callable<T> task, Consumer<T> then) {
    if (!ready()) {
      return false;
    }
    boolean taken =
        turns.engine(
            ACT_MS,
            task,
            (T done) -> {
              changed();
              then.accept(done);
            },
            error -> {
              fail(why(error));
              changed();
              then.accept(null);
            });
    watch();
    return taken;
  }

  void script(String source, Consumer<String> then) {
    if (!run(() -> engine.script(source), then)) {
      then.accept(null);
    }
  }

  /** Moves to a place of the page that is there. */
  void place(String url) {
    run(() -> {
      engine.place(url);
      return true;
    }, done -> {});
  }

  /** Scrolls what is at this place of the view. */
  void scroll(int x, int y, int dx, int dy) {
    run(() -> {
      engine.scroll(x, y, dx, dy);
      return true;
    }, done -> {});
  }

  /** Paints the page, as far as the engine can. */
  void paint(Canvas canvas, int wide, int high) {
    byte[][] picture = {null};
    if (ready()) {
      turns.engine(ACT_MS, () -> engine.picture(), made -> picture[0] = made, error -> {});
    }
    Bitmap bitmap = picture[0] == null ? null : BitmapFactory.decodeByteArray(picture[0], 0, picture[0].length);
    if (bitmap != null) {
      canvas.drawBitmap(bitmap, null, new Rect(0, 0, wide, high), null);
      bitmap.recycle();
    }
  }

  /** How far the page is scrolled, how far it can be, how high it is; null if the engine has no layout. */
  int[] extent() {
    return extent;
  }

  /** The view has another size than the page was laid out for. */
  void size(int theWidth, int theHeight) {
    if (ready() && theWidth > 0 && theHeight > 0 && (theWidth != width || theHeight != height)) {
      width = theWidth;
      height = theHeight;
      run(() -> {
        engine.size(theWidth, theHeight);
        return true;
      }, done -> {});
    }
  }

  void act(int element, String kind, String text) {
    run(() -> {
      engine.act(element, kind, text);
      return true;
    }, done -> {});
  }

  /** After work of the engine: its page and timers may have changed. */
  private void changed() {
    late = 0;
    dirty = true;
    turns.engine(
        ACT_MS,
        () -> new Object[] {engine.url(), engine.title(), engine.due(), engine.replaced(), engine.modern()},
        (Object[] now) -> {
          address = (String) now[0];
          title = (String) now[1];
          plan((long) now[2]);
          web.moved(address, title, (boolean) now[3], (boolean) now[4]);
          web.touch().changed();
        },
        error -> {});
  }

  /** What the page shows, as it is now; what was there before while a script stands still. */
  List<Engine.Element> elements() {
    if (ready() && dirty) {
      dirty = false;
      turns.engine(
          ACT_MS,
          () -> engine.elements(),
          found -> {
            elements = found;
            extent = engine.extent();
          },
          error -> fail(why(error)));
    }
    return elements;
  }

  private void plan(long due) {
    if (due < 0 || timersTook > TIMERS_NS || planned >= 0 && planned <= due) {
      return;
    }
    planned = due;
    web.loads().post(Math.max(1, due - Clock.currentTimeMillis()), () -> tick(due));
  }

  private void tick(long due) {
    if (planned != due) {
      return;
    }
    planned = -1;
    if (turns.suspended()) {
      planned = due;
      web.loads().post(LATE_MS, () -> tick(due));
      return;
    }
    long from = System.nanoTime();
    run(() -> {
      engine.timers();
      return true;
    }, done -> {});
    timersTook += System.nanoTime() - from;
    if (timersTook > TIMERS_NS) {
      fail("its timers take too long");
    }
  }

  /** Retries an engine that does not answer, and finally gives up. */
  private void watch() {
    if (broken || turns.suspended() || !turns.busy()) {
      return;
    }
    if (++late > LATE_TIMES) {
      fail("its scripts do not end");
      close();
      return;
    }
    web.loads().post(LATE_MS, this::watch);
  }

  /** A message of a script, on the main thread. */
  void heard(String level, String message, String source, int line) {
    boolean uncaught = level.equals("uncaught");
    ConsoleMessage.MessageLevel rank =
        switch (level) {
          case "uncaught", "error" -> ConsoleMessage.MessageLevel.ERROR;
          case "warn" -> ConsoleMessage.MessageLevel.WARNING;
          case "debug" -> ConsoleMessage.MessageLevel.DEBUG;
          default -> ConsoleMessage.MessageLevel.LOG;
        };
    String text = uncaught ? "Uncaught " + message : message;
    WebChromeClient chrome = web.getWebChromeClient();
    if (chrome == null || !chrome.onConsoleMessage(new ConsoleMessage(text, source, line, rank))) {
      int priority = rank == ConsoleMessage.MessageLevel.ERROR ? Log.ERROR : Log.INFO;
      Log.println(priority, "chromium", "[CONSOLE(" + line + ")] \"" + text + "\", source: " + source + " (" + line + ")");
    }
    if (uncaught && (endless(message) || !engine.modern() && modern(message))) {
      fail(text);
    }
  }

  /** Language that the engine cannot read: the page's fault it is not. */
  private static boolean modern(String message) {
    String text = message.toLowerCase(java.util.Locale.ROOT);
    return text.contains("syntax error") || text.contains("missing ") || text.contains("illegal character")
        || text.contains("identifier is a reserved word") || text.contains("invalid ");
  }

  private static boolean endless(String message) {
    return message.contains("stopped after");
  }
}
