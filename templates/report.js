"use strict";
(() => {
  const root = document.documentElement;
  const all = (what, within = document) => [...within.querySelectorAll(what)];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const store = { get() { try { return localStorage.getItem("droidtest-theme"); } catch { return null; } },
                  set(v) { try { localStorage.setItem("droidtest-theme", v); } catch { /* file: may forbid it */ } } };
  const known = store.get();
  if (known === "dark" || known === "light") root.dataset.theme = known;
  const now = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const button = document.getElementById("theme");
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = now() === "dark" ? "light" : "dark";
    store.set(root.dataset.theme);
  });

  // Without this script, everything is open.
  for (const d of all("details.fold")) d.open = false;

  // Filters: a part is shown if it has the chosen value of each filter and contains each of the words.
  const form = document.getElementById("filter");
  const findings = all(".finding"), rows = all(".overview tbody tr");
  const texts = new Map();
  const textOf = (part) => {
    if (!texts.has(part)) texts.set(part, part.textContent.toLowerCase());
    return texts.get(part);
  };
  const filter = () => {
    const { words, ...chosen } = Object.fromEntries(new FormData(form));
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const picks = Object.entries(chosen).filter(([, value]) => value);
    const fits = (part, names) => picks.every(([name, value]) =>
      !names.includes(name) || (part.dataset[name] || "").split("\n").includes(value));
    const show = (parts, names, search) => parts.filter((part) => {
      const shown = fits(part, names) && (!search || wanted.every((word) => textOf(part).includes(word)));
      part.toggleAttribute("data-off", !shown);
      return shown;
    }).length;
    const shown = [[show(findings, ["app", "kind", "strategy", "status"], true), findings, "findings"],
                   [show(rows, ["app", "strategy"], true), rows, "sessions"]];
    show(all(".app[data-app]"), ["app"], false);
    const on = picks.length > 0 || wanted.length > 0;
    for (const rest of all(".rest")) rest.open = on;
    form.querySelector("output").value = !on ? "" : shown.filter(([, of]) => of.length)
      .map(([n, of, name]) => `${n} of ${of.length} ${name}`).join(", ");
  };
  form.hidden = findings.length + rows.length < 2;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());

  // The overview is sorted by a column, and by a second click the other way round. Equal rows keep their order, so that
  // one column after another sorts by both.
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  for (const head of all(".overview th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const key = (row) => {
      const cell = row.cells[head.cellIndex];
      return cell.dataset.key ?? cell.textContent.trim();
    };
    button.addEventListener("click", () => {
      const other = { ascending: "descending", descending: "ascending" }[head.getAttribute("aria-sort")];
      const order = other || head.dataset.sort;
      for (const h of head.parentElement.cells) h.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const body = head.closest("table").tBodies[0];
      const keyed = [...body.rows].map((row) => [key(row), row]);
      const by = keyed.some(([k]) => isNaN(k)) ? compare : (a, b) => a - b;
      keyed.sort(([a], [b]) => (order === "ascending" ? by(a, b) : by(b, a)));
      body.append(...keyed.map(([, row]) => row));
    });
  }

  // A link opens what it leads to, and shows it if a filter has hidden it.
  const open = () => {
    let target = null;
    try { target = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* no anchor of ours */ }
    if (!target) return;
    if (target.closest("[data-off]")) { form.reset(); filter(); }
    for (let d = target.closest("details"); d; d = d.parentElement.closest("details")) d.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", open);
  open();

  // Paper has nothing to click.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    closed.forEach((d) => { d.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((d) => { d.open = false; }));

  // Screenshots open in full size; one can go through those of a sequence, or let it play.
  const viewer = document.getElementById("viewer");
  let shots = [], at = 0, timer = 0;
  const show = (to) => {
    at = (to + shots.length) % shots.length;
    const small = shots[at].querySelector("img"), caption = shots[at].parentElement.querySelector(".caption");
    const large = viewer.querySelector("img");
    large.src = small.src;
    large.alt = small.alt;
    viewer.querySelector("p").textContent = `${caption.textContent} (${at + 1} of ${shots.length})`;
    if (!viewer.open) viewer.showModal();
  };
  const stop = () => { clearInterval(timer); timer = 0; };
  const within = (part) => all(".shot", part).filter((shot) => shot.querySelector("img"));
  for (const shot of within(document)) {
    shot.addEventListener("click", (event) => {
      event.preventDefault();
      shots = within(shot.closest(".film, .shots"));
      show(shots.indexOf(shot));
    });
  }
  for (const play of all(".play")) {
    const strip = play.parentElement;
    play.hidden = within(strip).length < 2;
    play.addEventListener("click", () => {
      shots = within(strip);
      show(0);
      timer = setInterval(() => (at + 1 < shots.length ? show(at + 1) : stop()), 1000);
    });
  }
  viewer.addEventListener("close", stop);
  viewer.addEventListener("click", (event) => {
    const go = event.target.dataset.go;
    if (go === "0" || event.target === viewer) viewer.close();
    else if (go) { stop(); show(at + Number(go)); }
  });
  viewer.addEventListener("keydown", (event) => {
    const go = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (go) { stop(); show(at + go); }
  });

  for (const graph of all(".graph")) {
    // An activity shows its own moves.
    const light = (n) => {
      graph.classList.toggle("lit", n !== null);
      for (const e of all("[data-a]", graph)) e.classList.toggle("on", e.dataset.a === n || e.dataset.b === n);
    };
    for (const node of all("[data-n]", graph)) {
      node.addEventListener("pointerenter", () => light(node.dataset.n));
      node.addEventListener("pointerleave", () => light(null));
      node.addEventListener("focus", () => light(node.dataset.n));
      node.addEventListener("blur", () => light(null));
    }
    // Zooming keeps the middle in its place; factor 0 restores the original size.
    const svg = graph.querySelector("svg"), { width, height } = svg.viewBox.baseVal;
    let scale = 1;
    const zoom = (factor) => {
      const before = scale;
      scale = factor === 0 ? 1 : Math.min(4, Math.max(0.25, scale * factor));
      const middle = [graph.scrollLeft + graph.clientWidth / 2, graph.scrollTop + graph.clientHeight / 2];
      svg.setAttribute("width", width * scale);
      svg.setAttribute("height", height * scale);
      graph.scrollLeft = middle[0] * scale / before - graph.clientWidth / 2;
      graph.scrollTop = middle[1] * scale / before - graph.clientHeight / 2;
    };
    const bar = graph.previousElementSibling;
    bar.hidden = false;
    bar.addEventListener("click", (event) => {
      if (event.target.dataset.zoom) zoom(Number(event.target.dataset.zoom));
    });
    graph.addEventListener("keydown", (event) => {
      const factor = { "+": 1.25, "=": 1.25, "-": 0.8, 0: 0 }[event.key];
      if (factor !== undefined && !event.ctrlKey && !event.metaKey) { event.preventDefault(); zoom(factor); }
    });
    graph.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.25 : 0.8);
    }, { passive: false });
    // Touch screens move it by scrolling.
    graph.addEventListener("pointermove", (event) => {
      const held = event.buttons === 1 && event.pointerType === "mouse";
      graph.classList.toggle("held", held);
      if (held) { graph.scrollLeft -= event.movementX; graph.scrollTop -= event.movementY; }
    });
  }
})();
