package droidtest.host.chromium;

import droidtest.host.Json;
import droidtest.host.box.Chance;
import droidtest.host.box.Clock;
import droidtest.host.web.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Headless Chromium as the engine behind a web view: layout, style sheets and scripts of today. Its clock stands still
 * while nobody asks it for something, and is moved on with the device's.
 */
public final class Chromium implements Engine {
  /** Virtual time that a page is given after something has happened to it. */
  private static final int STEP_MS = 10;
  private static final int LOAD_STEP_MS = 50;
  private static final int LOAD_STEP_MOST_MS = 1000;
  /** A load that has not ended after this, in real time, is shown as it is. */
  private static final long LOAD_NS = 14_000_000_000L;
  /** A script that runs for longer in real time is stopped. */
  private static final long SCRIPT_MS = 5000;
  private static final long STOP_MS = 5000;
  /** A clock that has leapt further is followed no further: each timer between would run. */
  private static final long LEAP_MS = 20_000;
  /** Timers are run together when they are due within this; where they continue and on, within that. */
  private static final int TOGETHER_MS = 50;
  private static final int TOGETHER_LATER_MS = 250;
  private static final int TICKS = 20;
  private static final int FRAMES = 2;

  private final Engine.Host host;
  private final Path folder;
  private Page page;
  private String context;
  private Setting setting;
  private int[] extent = new int[3];
  private String url = "";
  private String title = "";
  private long due = -1;
  /** Frames still to come: events of an animation's end come with the next ones. */
  private int frames;
  private boolean replaced;
  private int ticks;

  /** @param folder where the pipes of this process's Chromium are */
  public Chromium(Path folder, Engine.Host host) {
    this.folder = folder;
    this.host = host;
  }

  @Override
  public boolean modern() {
    return true;
  }

  @Override
  public void load(String address, Answer content, Setting theSetting) throws IOException {
    setting = theSetting;
    ticks = 0;
    boolean inline = Page.inline(address);
    if (page == null || page.tab().over() || inline || !page.leadsTo(address)) {
      open();
    } else {
      sync();
    }
    page.prepare(setting, (int) Chance.nextSeed());
    if (inline) {
      page.write(address, content);
      step(LOAD_STEP_MS);
    } else {
      page.navigate(address, content);
    }
    long end = System.nanoTime() + LOAD_NS;
    for (int ms = LOAD_STEP_MS; !page.loaded() && System.nanoTime() < end; ms = Math.min(2 * ms, LOAD_STEP_MOST_MS)) {
      step(ms);
    }
    frame();
  }

  /** A new page for each site: Chromium's virtual clock does not follow a page from one process to another. */
  private void open() throws IOException {
    Page old = page;
    page = null;
    Pipe pipe = Pipe.of(folder);
    if (old != null) {
      old.tab().close();
      if (old.tab().over()) {
        context = null;
      }
    }
    page = new Page(pipe, context, host, Clock.currentTimeMillis());
    context = page.tab().context();
  }

  /** Lets virtual time pass on the page, until its requests are answered. */
  private void step(long ms) throws IOException {
    if (!page.grant(ms, SCRIPT_MS)) {
      stop();
    }
  }

  /** Moves the page's clock on to the device's. */
  private void sync() throws IOException {
    long behind = Clock.currentTimeMillis() - page.now();
    if (behind > LEAP_MS) {
      page.skip(behind - LEAP_MS);
      behind = LEAP_MS;
    }
    if (behind > 0) {
      step(behind);
    }
  }

  /** Has Chromium lay out and paint, by which observers and the ends of transitions come. */
  private void frame() throws IOException {
    page.frame();
    step(1);
  }

  /** Ends a script that does not end. */
  private void stop() throws IOException {
    page.tab().call("Runtime.terminateExecution", Map.of(), STOP_MS);
    host.console("uncaught", "the script was stopped after " + SCRIPT_MS + " ms", url, 0);
  }

  /** The value of an expression in the page; null if its script did not end or threw. */
  private Object eval(String expression) throws IOException {
    Object value = page.eval(expression, SCRIPT_MS);
    if (value == Page.LATE) {
      stop();
      return null;
    }
    return value;
  }

  private Object our(String call) throws IOException {
    return eval("window." + Prelude.HOLDER + "&&" + Prelude.HOLDER + "." + call);
  }

  @Override
  public String script(String source) {
    try {
      if (!setting.scripts()) {
        return "null";
      }
      ticks = 0;
      sync();
      Object result = eval("JSON.stringify((0,eval)(" + Message.quoted(source) + "))");
      step(STEP_MS);
      return result instanceof String json ? json : "null";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void place(String address) {
    try {
      ticks = 0;
      sync();
      our("place(" + Message.quoted(page.ownAddress(address)) + ")");
      step(STEP_MS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void act(int element, String kind, String text) throws IOException {
    ticks = 0;
    sync();
    Object asked = our("act(" + element + "," + Message.quoted(kind) + "," + Message.quoted(text) + ")");
    if (asked instanceof String json && Json.parse(json) instanceof List<?> list) {
      List<String> options = ((List<?>) list.get(1)).stream().map(String::valueOf).toList();
      int chosen = host.choose(options, ((Number) list.get(0)).intValue());
      if (chosen >= 0) {
        our("choose(" + element + "," + chosen + ")");
      }
    }
    step(STEP_MS);
    frame();
  }

  @Override
  public void scroll(int x, int y, int dx, int dy) throws IOException {
    float density = setting.density();
    our("scroll(" + x / density + "," + y / density + "," + dx / density + "," + dy / density + ")");
    frame();
  }

  @Override
  public void size(int width, int height) throws IOException {
    page.size(width, height, setting.density());
    frame();
  }

  @Override
  public long due() {
    return due < 0 ? -1 : Math.max(due, page.now() + (ticks < TICKS ? TOGETHER_MS : TOGETHER_LATER_MS));
  }

  @Override
  public void timers() {
    try {
      ticks++;
      sync();
      if (frames > 0) {
        frames--;
        frame();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public List<Element> elements() {
    try {
      return our("look()") instanceof String json ? Look.read(json, setting.density(), extent) : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public byte[] picture() throws IOException {
    return page.picture();
  }

  @Override
  public int[] extent() {
    return extent.clone();
  }

  /** Requests the title and the next timer, too. */
  @Override
  public String url() {
    try {
      if (our("state()") instanceof String json && Json.parse(json) instanceof List<?> state) {
        url = page.address(String.valueOf(state.get(0)));
        title = String.valueOf(state.get(1));
        frames = Boolean.TRUE.equals(state.get(3)) ? FRAMES : frames;
        replaced = Boolean.TRUE.equals(state.get(4));
        long first = ((Number) state.get(2)).longValue();
        due = first >= 0 ? page.deviceTime(first) : -1;
        if (frames > 0) {
          due = due < 0 ? page.now() : Math.min(due, page.now());
        }
      }
      return url;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean replaced() {
    return replaced;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public void close() {
    Page last = page;
    page = null;
    if (last != null) {
      last.tab().close();
      if (!last.tab().over()) {
        last.tab().forget();
      }
    }
  }
}
