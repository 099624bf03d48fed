package droidtest.host.chromium;

/** Touches and texts, with the events that a finger and a keyboard send; scrolling. */
final class Touch {
  /** Defines {@code act(element, kind, text)}, {@code choose(element, option)}, {@code scroll(x, y, dx, dy)}. */
  static final String SCRIPT =
      """
      (function (K) {
        const our = window[K];
        if (!our || our.act) return;
        const TYPED = 60;
        const send = (e, types) => {
          const box = e.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
          const at = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, screenX: x, screenY: y, view: window };
          let go = true;
          for (const type of types.split(' ')) {
            let event;
            if (type.startsWith('pointer')) {
              event = new PointerEvent(type, { ...at, pointerId: 1, pointerType: 'touch', isPrimary: true,
                buttons: type === 'pointerdown' ? 1 : 0 });
            } else if (type.startsWith('touch')) {
              const touch = new Touch({ identifier: 0, target: e, clientX: x, clientY: y, pageX: x + scrollX, pageY: y + scrollY,
                screenX: x, screenY: y });
              const down = type === 'touchend' ? [] : [touch];
              event = new TouchEvent(type, { ...at, touches: down, targetTouches: down, changedTouches: [touch] });
            } else {
              event = new MouseEvent(type, { ...at, button: type === 'contextmenu' ? 2 : 0, buttons: type === 'mousedown' ? 1 : 0, detail: 1 });
            }
            if (!e.dispatchEvent(event) && type.startsWith('touch')) go = false;
          }
          return go;
        };
        const focus = e => { if (e.focus) e.focus({ preventScroll: true }); };
        const value = (e, text) => {
          const type = e.localName === 'textarea' ? HTMLTextAreaElement : HTMLInputElement;
          Object.getOwnPropertyDescriptor(type.prototype, 'value').set.call(e, text);
        };
        const fire = (e, type, data) => e.dispatchEvent(type === 'input'
          ? new InputEvent('input', { bubbles: true, composed: true, data, inputType: 'insertText' })
          : new Event(type, { bubbles: true }));
        const key = (e, type, name) => e.dispatchEvent(new KeyboardEvent(type, { key: name, bubbles: true, cancelable: true,
          composed: true, keyCode: name === 'Enter' ? 13 : name.toUpperCase().charCodeAt(0), which: name === 'Enter' ? 13 : name.charCodeAt(0) }));
        const type = (e, text, enter) => {
          focus(e);
          if (e.localName === 'input' || e.localName === 'textarea') {
            if (e.readOnly) return;
            if (e.maxLength >= 0) text = text.slice(0, e.maxLength);
            if (text.length > TYPED || !['text', 'search', 'url', 'tel', 'password', 'textarea'].includes(e.type)) {
              value(e, text);
              fire(e, 'input', text);
            } else {
              value(e, '');
              if (!text) fire(e, 'input', '');
              for (const c of text) {
                const go = key(e, 'keydown', c) && key(e, 'keypress', c);
                if (go) {
                  value(e, e.value + c);
                  fire(e, 'input', c);
                }
                key(e, 'keyup', c);
              }
            }
            fire(e, 'change');
          } else {
            e.textContent = text;
            fire(e, 'input', text);
          }
          if (enter) {
            const go = key(e, 'keydown', 'Enter') && key(e, 'keypress', 'Enter');
            if (go && e.localName === 'input' && e.form) {
              const button = Array.from(e.form.elements).find(b => b.type === 'submit' || b.type === 'image');
              if (button) button.click(); else e.form.requestSubmit();
            }
            key(e, 'keyup', 'Enter');
          }
        };
        our.act = (index, kind, text) => {
          const e = our.acted && our.acted[index];
          if (!e || !e.isConnected || e.disabled) return null;
          if (kind === 'click') {
            if (e.localName === 'select') {
              focus(e);
              return JSON.stringify([e.selectedIndex, Array.from(e.options).map(o => o.text.trim())]);
            }
            if (send(e, 'pointerdown touchstart pointerup touchend')) {
              send(e, 'mousedown');
              focus(e.closest ? e.closest('a[href],button,input,textarea,select,[tabindex]') || document.body : document.body);
              send(e, 'mouseup');
              e.click ? e.click() : send(e, 'click');
            }
          } else if (kind === 'long') {
            send(e, 'pointerdown touchstart contextmenu pointerup touchend');
          } else {
            type(e, text, kind === 'enter');
          }
          return null;
        };
        our.choose = (index, option) => {
          const e = our.acted && our.acted[index];
          if (!e || !e.isConnected || !e.options || !e.options[option]) return;
          if (e.multiple) e.options[option].selected = !e.options[option].selected; else e.selectedIndex = option;
          fire(e, 'input', null);
          fire(e, 'change');
        };
        our.scroll = (x, y, dx, dy) => {
          const all = document.scrollingElement || document.documentElement;
          let on = document.elementFromPoint(x, y) || all;
          const moved = e => {
            const before = [e.scrollLeft, e.scrollTop];
            e.scrollBy({ left: dx, top: dy, behavior: 'instant' });
            return e.scrollLeft !== before[0] || e.scrollTop !== before[1];
          };
          for (; on && on !== all && on !== document.body; on = on.parentElement || on.getRootNode().host) {
            const style = getComputedStyle(on);
            if (/auto|scroll/.test(style.overflowX + style.overflowY) && moved(on)) {
              on.dispatchEvent(new Event('scroll'));
              return;
            }
          }
          if (moved(all)) document.dispatchEvent(new Event('scroll', { bubbles: true }));
        };
      })""";

  private Touch() {}
}
