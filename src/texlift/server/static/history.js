// What was translated before, kept in this browser.

import { byId, element } from "./element.js";

const KEY = "texlift-history";
const MOST = 40;

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((entry) => typeof entry?.latex === "string") : [];
  } catch {
    return [];
  }
}

function write(entries) {
  try {
    localStorage.setItem(KEY, JSON.stringify(entries));
  } catch { /* a browser that keeps nothing */ }
}

export function historyTab(onOpen) {
  let timer = 0;
  byId("forget").addEventListener("click", () => { write([]); draw(); });

  function draw() {
    const entries = read();
    byId("history").replaceChildren(...entries.map((entry) => element("li", {},
      element("button", { type: "button", on: { click: () => onOpen(entry) } }, element("code", {}, entry.latex)),
      element("span", { class: "share" }, entry.semantic))));
    byId("forget").hidden = !entries.length;
  }

  /** Keep a formula once its author has stopped typing. */
  function remember(entry) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const others = read().filter((old) => old.latex !== entry.latex);
      write([entry, ...others].slice(0, MOST));
      draw();
    }, 1500);
  }
  draw();
  return { remember };
}
