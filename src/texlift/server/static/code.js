// The code tab: one inner tab for each computer algebra system.

import { latest, post } from "./api.js";
import { byId, copy, element } from "./element.js";
import { tabs } from "./tabs.js";

const NAMES = { sympy: "SymPy", mpmath: "mpmath", mathematica: "Mathematica", maple: "Maple", maxima: "Maxima", mathml: "Content MathML" };

export function codeTab(current) {
  const list = byId("targets");
  let converted = {};
  let shown = "";
  for (const [name, title] of Object.entries(NAMES)) {
    list.append(element("button", { role: "tab", id: `target-${name}`, "aria-controls": "target-panel", "aria-selected": String(name === "sympy"), tabindex: name === "sympy" ? 0 : -1 }, title));
  }
  const own = tabs(list, draw);
  byId("copy-code").addEventListener("click", (event) => copy(byId("code").textContent, event.target));

  function draw() {
    const name = own.selected().id.slice("target-".length);
    byId("target-panel").setAttribute("aria-labelledby", own.selected().id);
    const result = converted[name];
    byId("code").textContent = result?.code ?? "";
    byId("copy-code").hidden = !result?.code;
    const notes = result ? [...(result.warnings ?? []), ...(result.notes ?? []), ...(result.error ? [`${result.error.message}${result.error.hint ? ` (${result.error.hint})` : ""}`] : [])] : [];
    byId("code-notes").replaceChildren(...notes.map((note) => element("li", {}, note)));
  }

  const fetchAll = latest(async ({ semantic, declare, structure }) => {
    try {
      converted = (await post("/convert", { semantic, declare, structure, to: "all" })).targets;
    } catch (error) {
      converted = Object.fromEntries(Object.keys(NAMES).map((name) => [name, { code: null, error: { message: error.message } }]));
    }
    draw();
  });
  return {
    update() {
      const now = current();
      const key = JSON.stringify([now.semantic, now.declare, now.structure]);
      if (!now.semantic || key === shown) return;
      shown = key;
      fetchAll(now);
    },
  };
}
