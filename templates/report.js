"use strict";
(() => {
  const root = document.documentElement;
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

  // A link to a finding opens it.
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  addEventListener("hashchange", open);
  open();

  // Paper has nothing to click.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    closed.forEach((d) => { d.open = true; });
  });
  addEventListener("afterprint", () => closed.forEach((d) => { d.open = false; }));

  // In a graph, an activity shows its own moves.
  for (const graph of document.querySelectorAll(".graph")) {
    const light = (n) => {
      graph.classList.toggle("lit", n !== null);
      for (const e of graph.querySelectorAll("[data-a]")) {
        e.classList.toggle("on", e.dataset.a === n || e.dataset.b === n);
      }
    };
    for (const node of graph.querySelectorAll("[data-n]")) {
      node.addEventListener("pointerenter", () => light(node.dataset.n));
      node.addEventListener("pointerleave", () => light(null));
      node.addEventListener("focus", () => light(node.dataset.n));
      node.addEventListener("blur", () => light(null));
    }
  }
})();
