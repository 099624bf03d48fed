package droidtest.host.chromium;

import java.util.Map;
import java.util.Set;

/** What is in a document before its first script: the app's objects, the device's chance, and our functions. */
final class Prelude {
  /** The name of our functions' holder in a window; K below. */
  static final String HOLDER = "__droidtest";

  /**
   * Frames come by the clock, history and windows are the web view's. Listeners are noted, for what can be clicked;
   * timers, for when time has to move on.
   */
  private static final String PARTS =
      """
      (function (K, secret, seed, objects) {
        if (window[K]) return;
        const ask = window.prompt.bind(window), parse = JSON.parse, print = JSON.stringify, D = Date;
        const add0 = window.addEventListener.bind(window);
        const call = what => {
          const text = ask(secret + print(what));
          if (text === null) return undefined;
          const answer = parse(text);
          if ('error' in answer) throw new Error(answer.error);
          return answer.value === null ? undefined : answer.value;
        };
        const plain = v => v === undefined || typeof v === 'function' ? null
          : v !== null && typeof v === 'object' ? (typeof v.length === 'number' ? Array.from(v).slice(0, 10000).map(plain) : null) : v;
        const hide = (on, name, value) =>
          Object.defineProperty(on, name, { value, writable: true, configurable: true, enumerable: false });
        const random = () => {
          seed = seed + 0x6D2B79F5 | 0;
          let t = Math.imul(seed ^ seed >>> 15, 1 | seed);
          t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
          return ((t ^ t >>> 14) >>> 0) / 4294967296;
        };
        hide(Math, 'random', random);
        hide(Crypto.prototype, 'getRandomValues', function (a) {
          const bytes = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
          for (let i = 0; i < bytes.length; i++) bytes[i] = random() * 256;
          return a;
        });
        hide(Crypto.prototype, 'randomUUID', () => '10000000-1000-4000-8000-100000000000'.replace(/[018]/g,
          c => (c ^ random() * 16 >> c / 4).toString(16)));
        const paint = window.requestAnimationFrame.bind(window);
        const due = new Map(), set = window.setTimeout, every = window.setInterval, clear = window.clearTimeout;
        const eachMs = ms => Math.max(1, +ms || 0);
        hide(window, 'setTimeout', function (f, ms, ...rest) {
          if (typeof f !== 'function') f = (0, eval).bind(null, String(f));
          const id = set.call(window, function () { due.delete(id); f.apply(this, rest); }, ms);
          due.set(id, D.now() + eachMs(ms));
          return id;
        });
        hide(window, 'setInterval', function (f, ms, ...rest) {
          if (typeof f !== 'function') f = (0, eval).bind(null, String(f));
          const id = every.call(window, function () { due.set(id, D.now() + eachMs(ms)); f.apply(this, rest); }, ms);
          due.set(id, D.now() + eachMs(ms));
          return id;
        });
        const stop = id => { due.delete(+id); clear.call(window, id); };
        hide(window, 'clearTimeout', stop);
        hide(window, 'clearInterval', stop);
        hide(window, 'requestAnimationFrame', f => window.setTimeout(() => f(performance.now()), 16));
        hide(window, 'cancelAnimationFrame', stop);
        hide(window, 'requestIdleCallback',
          f => window.setTimeout(() => f({ didTimeout: false, timeRemaining: () => 50 }), 16));
        hide(window, 'cancelIdleCallback', stop);
        hide(History.prototype, 'go', n => { call({ go: n | 0 }); });
        hide(History.prototype, 'back', () => { call({ go: -1 }); });
        hide(History.prototype, 'forward', () => { call({ go: 1 }); });
        const states = new Map(), put = History.prototype.replaceState;
        let replaced = false;
        for (const name of ['pushState', 'replaceState']) {
          const real = History.prototype[name];
          hide(History.prototype, name, function (state, ...rest) {
            real.call(this, state, ...rest);
            states.set(location.href, state);
            replaced = name === 'replaceState';
          });
        }
        // Back and forward within a document: the list of places is the web view's.
        const place = url => {
          const from = location.href;
          const state = states.has(url) ? states.get(url) : null;
          put.call(history, state, '', url);
          dispatchEvent(new PopStateEvent('popstate', { state }));
          if (from.split('#')[0] === url.split('#')[0]) dispatchEvent(new HashChangeEvent('hashchange', { oldURL: from, newURL: url }));
        };
        add0('hashchange', () => { replaced = false; });
        hide(window, 'open', url => { if (url) call({ open: new URL(url, document.baseURI).href }); return null; });
        hide(window, 'close', () => {});
        const touches = ['click', 'touchstart', 'touchend', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'];
        const heard = new WeakMap(), roots = new WeakMap();
        const add = EventTarget.prototype.addEventListener, remove = EventTarget.prototype.removeEventListener;
        hide(EventTarget.prototype, 'addEventListener', function (type, f, how) {
          if (f && touches.includes(type)) {
            const on = this || window;
            heard.set(on, (heard.get(on) || new Set()).add(type));
          }
          return add.call(this || window, type, f, how);
        });
        const attach = Element.prototype.attachShadow;
        hide(Element.prototype, 'attachShadow', function (how) {
          const root = attach.call(this, how);
          roots.set(this, root);
          return root;
        });
        for (const [name, methods] of Object.entries(objects)) {
          const object = {};
          for (const method of methods) object[method] = (...all) => call({ object: name, method, all: all.map(plain) });
          hide(window, name, object);
        }
        const at = () => due.size === 0 ? -1 : Math.min(...due.values());
        const first = w => {
          let soonest = w[K].at();
          for (let i = 0; i < w.frames.length; i++) {
            try {
              const inner = first(w.frames[i]);
              if (inner >= 0 && (soonest < 0 || inner < soonest)) soonest = inner;
            } catch (e) { /* A frame of another origin keeps its own. */ }
          }
          return soonest;
        };
        // As on a device without animations: what ends has ended, what does not stands still.
        const still = new WeakSet();
        const moves = () => {
          let any = false;
          for (const a of document.getAnimations()) {
            if (a.playState !== 'running' || still.has(a)) continue;
            try {
              const timing = a.effect.getComputedTiming();
              if (Number.isFinite(timing.endTime) && a.playbackRate !== 0) {
                a.finish();
                any = true;
              } else {
                still.add(a);
                a.pause();
              }
            } catch (e) {
              still.add(a);
            }
          }
          return any;
        };
        hide(window, K, {
          at, heard, roots, touches, place,
          frame: () => new Promise(done => paint(() => done(1))),
          state: () => print([location.href, document.title, first(window), moves(), replaced]),
        });
      })""";

  private Prelude() {}

  /**
   * @param secret starts the prompts that are calls of ours
   * @param seed of the page's random numbers
   * @param objects the app's objects: their methods, by name
   */
  static String of(String secret, int seed, Map<String, Set<String>> objects) {
    StringBuilder text = new StringBuilder(PARTS);
    text.append('(').append(Message.quoted(HOLDER)).append(',').append(Message.quoted(secret)).append(',');
    text.append(seed).append(',');
    Message.write(text, objects);
    text.append(");\n");
    text.append(Look.SCRIPT).append('(').append(Message.quoted(HOLDER)).append(");\n");
    return text.append(Touch.SCRIPT).append('(').append(Message.quoted(HOLDER)).append(");").toString();
  }
}
