package droidtest.web;

import droidtest.host.web.Engine;
import java.util.Map;
import java.util.Set;
import org.htmlunit.Page;
import org.htmlunit.WebWindow;
import org.htmlunit.corejs.javascript.BaseFunction;
import org.htmlunit.corejs.javascript.Context;
import org.htmlunit.corejs.javascript.Scriptable;
import org.htmlunit.corejs.javascript.ScriptableObject;
import org.htmlunit.corejs.javascript.Undefined;
import org.htmlunit.corejs.javascript.VarScope;
import org.htmlunit.html.HtmlPage;
import org.htmlunit.javascript.JavaScriptEngine;
import org.htmlunit.javascript.host.Window;

/** HtmlUnit's script engine, with the app's objects in place before a page's first script. */
final class Scripts extends JavaScriptEngine {
  private static final long serialVersionUID = 1;
  private static final int FRAME_MS = 16;
  /** Frames come by the clock, history is the web view's. */
  private static final String PRELUDE =
      "window.requestAnimationFrame=function(f){return setTimeout(function(){f(performance.now())}," + FRAME_MS + ")};"
          + "window.cancelAnimationFrame=function(id){clearTimeout(id)};"
          + "(function(go){History.prototype.back=function(){go(-1)};History.prototype.forward=function(){go(1)};"
          + "History.prototype.go=function(n){go(n===undefined?0:n|0)}})(window.__droidtest_go);"
          + "delete window.__droidtest_go;";

  private final transient Client client;
  private final transient Engine.Host host;

  Scripts(Client client, Engine.Host host) {
    super(client);
    this.client = client;
    this.host = host;
  }

  @Override
  public void initialize(WebWindow window, Page page) {
    super.initialize(window, page);
    Object global = window.getScriptableObject();
    if (!(global instanceof Window scope) || !(page instanceof HtmlPage) || client.setting() == null) {
      return;
    }
    getContextFactory().call(
        cx -> {
          VarScope top = ScriptableObject.getTopLevelScope(scope.getParentScope());
          ScriptableObject.putProperty(scope, "__droidtest_go", new Go(top));
          cx.evaluateString(top, PRELUDE, "", 1, null);
          for (Map.Entry<String, Set<String>> one : client.setting().objects().entrySet()) {
            Scriptable object = cx.newObject(top);
            for (String method : one.getValue()) {
              ScriptableObject.putProperty(object, method, new Method(top, one.getKey(), method));
            }
            ScriptableObject.putProperty(scope, one.getKey(), object);
          }
          return null;
        });
  }

  private final class Go extends BaseFunction {
    private static final long serialVersionUID = 1;

    Go(VarScope scope) {
      super(scope);
    }

    @Override
    public Object call(Context cx, Object target, VarScope scope, Object self, Object[] arguments) {
      host.navigate("history:" + (arguments.length == 0 ? 0 : (int) toNumber(arguments[0])), "GET");
      return Undefined.instance;
    }
  }

  /** A method of one of the app's objects. */
  private final class Method extends BaseFunction {
    private static final long serialVersionUID = 1;
    private final String object;
    private final String method;

    Method(VarScope scope, String object, String method) {
      super(scope);
      this.object = object;
      this.method = method;
    }

    @Override
    public Object call(Context cx, Object target, VarScope scope, Object self, Object[] arguments) {
      Object[] plain = new Object[arguments.length];
      for (int i = 0; i < plain.length; i++) {
        plain[i] = plain(arguments[i]);
      }
      Object result;
      try {
        result = host.call(object, method, plain);
      } catch (IllegalStateException e) {
        throw reportRuntimeError(e.getMessage());
      }
      return result == null ? Undefined.instance : result instanceof Number number ? number.doubleValue() : result;
    }
  }

  /** A value as the app's side understands it: a text, a number, a truth value, an array of those, null. */
  private static Object plain(Object value) {
    if (value == null || Undefined.isUndefined(value)) {
      return null;
    }
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (value instanceof Boolean) {
      return value;
    }
    if (value instanceof Scriptable list && isArrayLike(list)) {
      Object[] all = new Object[(int) Math.min(10_000, lengthOfArrayLike(Context.getCurrentContext(), list))];
      for (int i = 0; i < all.length; i++) {
        all[i] = plain(ScriptableObject.getProperty(list, i));
      }
      return all;
    }
    return null;
  }

  /** A text as a literal of JavaScript. */
  static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || c == '\u2028' || c == '\u2029') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
