package droidtest.host.chromium;

import droidtest.host.Json;
import droidtest.host.web.Engine.Element;
import java.util.ArrayList;
import java.util.List;

/**
 * What a page shows: elements to touch, and texts, in the order of the document, with their places. Roles, names and
 * paths follow {@code droidtest.web.Roles} and {@code droidtest.web.Elements}, the same for HtmlUnit.
 */
final class Look {
  /** Defines {@code look()}: JSON of [scrolled, most to scroll, height, elements]. */
  static final String SCRIPT =
      """
      (function (K) {
        const our = window[K];
        if (!our || our.look) return;
        const MOST = 400, LONGEST = 500;
        const CLICKABLE = 1, CHECKABLE = 4, CHECKED = 8, ENABLED = 16, FOCUSABLE = 32, FOCUSED = 64, PASSWORD = 256,
          SELECTED = 512, EDITABLE = 1024;
        const A = 'android.widget.';
        const cut = text => text.length > LONGEST ? text.slice(0, LONGEST) : text;
        const neat = text => (text || '').trim().replace(/\\s+/g, ' ');
        const tag = e => e.localName;
        const type = e => (e.getAttribute('type') || '').toLowerCase();
        const role = e => (e.getAttribute('role') || '').toLowerCase();
        const parts = new Set(['script', 'style', 'head', 'template', 'noscript', 'option', 'optgroup']);
        const input = e => tag(e) === 'input' && type(e) !== 'hidden';
        const words = e => neat(e.shadowRoot || our.roots.get(e) ? below(e).map(words).join(' ') || e.innerText
          : e.innerText === undefined ? e.textContent : e.innerText);
        const ownWords = e => {
          let text = '';
          for (const n of (our.roots.get(e) || e.shadowRoot || e).childNodes) if (n.nodeType === 3) text += n.data + ' ';
          return neat(text);
        };
        const below = e => {
          if (tag(e) === 'slot') {
            const given = e.assignedElements({ flatten: true });
            return given.length ? given : Array.from(e.children);
          }
          return Array.from((our.roots.get(e) || e.shadowRoot || e).children);
        };
        const view = e => e.ownerDocument.defaultView || window;
        const shown = e => {
          if (parts.has(tag(e)) || tag(e) === 'input' && type(e) === 'hidden') return false;
          const style = view(e).getComputedStyle(e);
          return style.display !== 'none' && style.visibility !== 'hidden' && style.visibility !== 'collapse'
            && !e.hasAttribute('inert');
        };
        const react = e => {
          for (const name of Object.keys(e)) {
            if (name.startsWith('__reactProps$')) {
              const p = e[name];
              return !!p && !!(p.onClick || p.onTouchStart || p.onTouchEnd || p.onMouseDown || p.onPointerDown || p.onPointerUp);
            }
            if (name.startsWith('__reactContainer$')) return null;
          }
          return false;
        };
        const listens = t => {
          if (!t) return false;
          if (t.nodeType === 1) {
            const props = react(t);
            // All of React's events are heard at the root, on behalf of the elements that have handlers.
            if (props !== false) return props === true;
          }
          const heard = our.heard.get(t) || (view1(t) && view1(t).heard.get(t));
          return !!heard || our.touches.some(name => typeof t['on' + name] === 'function');
        };
        const view1 = t => { try { const w = t.ownerDocument && t.ownerDocument.defaultView; return w && w[K]; } catch (e) { return null; } };
        const edits = e => tag(e) === 'textarea' || e.isContentEditable && e.getAttribute('contenteditable') !== null
          || input(e) && !button(e) && !['checkbox', 'radio', 'range', 'file', 'color'].includes(type(e));
        const button = e => tag(e) === 'button' || role(e) === 'button'
          || tag(e) === 'input' && ['submit', 'button', 'reset', 'image'].includes(type(e));
        const roles = new Set(['button', 'link', 'tab', 'checkbox', 'radio', 'menuitem', 'option', 'switch']);
        const own = e => tag(e) === 'a' && e.hasAttribute('href') || input(e)
          || ['area', 'button', 'select', 'textarea', 'summary'].includes(tag(e))
          || e.getAttribute('contenteditable') === 'true' || roles.has(role(e));
        const pointer = e => view(e).getComputedStyle(e).cursor === 'pointer';
        const kind = e => button(e) ? A + 'Button'
          : tag(e) === 'input' && type(e) === 'checkbox' || role(e) === 'checkbox' || role(e) === 'switch' ? A + 'CheckBox'
          : tag(e) === 'input' && type(e) === 'radio' || role(e) === 'radio' ? A + 'RadioButton'
          : tag(e) === 'select' ? A + 'Spinner' : type(e) === 'range' ? A + 'SeekBar'
          : edits(e) ? A + 'EditText' : 'android.view.View';
        const text = e => {
          let found;
          if (tag(e) === 'input') {
            if (type(e) === 'password') found = '\\u2022'.repeat(Math.min(100, e.value.length));
            else if (type(e) === 'checkbox' || type(e) === 'radio') {
              const label = e.labels && e.labels[0];
              found = label ? words(label) : '';
            } else if (type(e) === 'image') found = e.alt;
            else {
              found = e.value;
              if (!found && button(e)) found = type(e) === 'submit' ? 'Submit' : type(e) === 'reset' ? 'Reset' : '';
            }
          } else if (tag(e) === 'textarea') found = e.value;
          else if (tag(e) === 'select') found = e.selectedOptions[0] ? neat(e.selectedOptions[0].text) : '';
          else found = words(e);
          return cut(found || e.getAttribute('aria-label') || '');
        };
        const note = (e, text) => {
          const other = e.getAttribute('aria-label') || e.getAttribute('title') || '';
          return other === text ? '' : cut(other);
        };
        const inputType = e => !edits(e) ? 0 : tag(e) === 'textarea' ? 0x20001
          : ({ number: 2, tel: 3, email: 0x21, url: 0x11, password: 0x81, date: 0x14, time: 0x24 })[type(e)] || 1;
        const longest = e => edits(e) && e.maxLength >= 0 ? e.maxLength : -1;
        const flags = (e, clickable) => (clickable ? CLICKABLE : 0) | (e.disabled || e.getAttribute('aria-disabled') === 'true' ? 0 : ENABLED)
          | (own(e) ? FOCUSABLE : 0) | (e.getRootNode().activeElement === e ? FOCUSED : 0)
          | (tag(e) === 'input' && type(e) === 'password' ? PASSWORD : 0)
          | (edits(e) && !e.readOnly ? EDITABLE : 0)
          | (tag(e) === 'input' && ['checkbox', 'radio'].includes(type(e)) ? CHECKABLE | (e.checked ? CHECKED : 0) : 0)
          | (e.getAttribute('aria-checked') ? CHECKABLE | (e.getAttribute('aria-checked') === 'true' ? CHECKED : 0) : 0)
          | (e.getAttribute('aria-selected') === 'true' ? SELECTED : 0);
        const list = e => {
          let first = null;
          for (const child of below(e)) {
            if (!(child.textContent || '').trim()) continue;
            if (tag(child) === first) return true;
            first = tag(child);
          }
          return false;
        };
        // A dialog or a menu may lie above an element: then a finger does not reach it.
        const covered = (e, box) => {
          const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
          if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
          const root = e.getRootNode();
          const top = (root.elementFromPoint ? root : document).elementFromPoint(x, y);
          if (!top || top === e || e.contains(top) || top.contains(e) || top.getRootNode() !== root) return false;
          for (let up = top; up && up.nodeType === 1; up = up.parentElement) {
            const place = getComputedStyle(up).position;
            if (place === 'fixed' || place === 'absolute') {
              const size = up.getBoundingClientRect();
              return !up.contains(e) && size.width * size.height > innerWidth * innerHeight / 4;
            }
          }
          return false;
        };
        let found, acted;
        const put = (e, parent, kind, path, text, flags, dx, dy, range) => {
          const box = (range || e).getBoundingClientRect();
          const top = document === e.ownerDocument && !range && covered(e, box);
          const empty = box.width < 1 || box.height < 1 || top;
          found.push([parent, kind, path, e.id || '', text, range ? '' : note(e, text), range ? '' : e.getAttribute('placeholder') || '',
            flags, inputType(e), longest(e), empty ? [0, 0, 0, 0]
            : [box.left + dx, box.top + dy, box.right + dx, box.bottom + dy].map(n => Math.round(n))]);
          acted.push(e);
          return found.length - 1;
        };
        const page = (doc, parent, path, dx, dy) => {
          if (!doc.body) return;
          const above = new Set();
          const mark = e => {
            let any = touchable(e) || tag(e) === 'iframe' || tag(e) === 'frame';
            let inside = false;
            for (const child of below(e)) inside = mark(child) || inside;
            if (inside) above.add(e);
            return any || inside;
          };
          const touchable = e => own(e) || listens(e);
          if (shown(doc.body)) mark(doc.body);
          const all = listens(doc) || listens(doc.documentElement) || listens(doc.defaultView);
          const walk = (from, parent, path, delegated, hand) => {
            for (const e of below(from)) {
              if (found.length >= MOST || !shown(e)) continue;
              const here = path + '/' + tag(e);
              if (tag(e) === 'iframe' || tag(e) === 'frame') {
                const box = e.getBoundingClientRect();
                let inner = null;
                try { inner = e.contentDocument; } catch (x) { /* Of another origin. */ }
                if (inner) page(inner, parent, here, dx + box.left + e.clientLeft, dy + box.top + e.clientTop);
                continue;
              }
              const hears = listens(e), listening = delegated || hears, points = pointer(e);
              const touch = own(e) || hears || listening && points && !hand && !above.has(e) && !!words(e) && !ownWords(e);
              const holds = above.has(e);
              let index = parent;
              const many = !own(e) && (holds || list(e));
              if (touch && !many) {
                index = put(e, parent, kind(e), here, text(e), flags(e, true), dx, dy);
              } else if (!holds && (tag(e) === 'img' || (e.textContent || '').trim() || e.shadowRoot)) {
                const says = tag(e) === 'img' ? e.alt : cut(words(e));
                if (says && (tag(e) === 'img' || ownWords(e))) {
                  put(e, parent, A + (tag(e) === 'img' ? 'Image' : 'TextView'), here, says, flags(e, listening), dx, dy);
                  continue;
                }
              } else if (holds) {
                const says = cut(ownWords(e));
                if (says) {
                  const range = doc.createRange();
                  range.selectNodeContents(Array.from(e.childNodes).find(n => n.nodeType === 3 && n.data.trim()) || e);
                  put(e, parent, A + 'TextView', here + '/text()', says, flags(e, listening), dx, dy, range);
                }
              }
              if (!touch || holds || many) walk(e, index, here, listening, points);
            }
          };
          walk(doc.body, parent, path + '/html/body', all || listens(doc.body), pointer(doc.body));
        };
        our.look = () => {
          found = [];
          acted = our.acted = [];
          page(document, -1, '', 0, 0);
          const all = document.scrollingElement || document.documentElement;
          return JSON.stringify([all ? all.scrollTop : 0, all ? Math.max(0, all.scrollHeight - innerHeight) : 0,
            all ? all.scrollHeight : 0, found].map(n => typeof n === 'number' ? Math.round(n) : n));
        };
      })""";

  private Look() {}

  /** @param extent becomes what is scrolled, most to scroll, and the height of all, in pixels */
  static List<Element> read(String json, float density, int[] extent) {
    List<?> parts = (List<?>) Json.parse(json);
    for (int i = 0; i < extent.length; i++) {
      extent[i] = Math.round(((Number) parts.get(i)).floatValue() * density);
    }
    List<Element> all = new ArrayList<>();
    for (Object part : (List<?>) parts.get(3)) {
      List<?> one = (List<?>) part;
      List<?> box = (List<?>) one.get(10);
      int[] bounds = new int[4];
      for (int i = 0; i < 4; i++) {
        bounds[i] = Math.round(((Number) box.get(i)).floatValue() * density);
      }
      all.add(
          new Element(
              number(one, 0), text(one, 1), text(one, 2), text(one, 3), text(one, 4), text(one, 5), text(one, 6),
              number(one, 7), number(one, 8), number(one, 9), bounds));
    }
    return all;
  }

  private static int number(List<?> from, int index) {
    return ((Number) from.get(index)).intValue();
  }

  private static String text(List<?> from, int index) {
    return from.get(index) instanceof String text ? text : "";
  }
}
