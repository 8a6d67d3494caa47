// The notation of a document: one row for each symbol, decided once for the whole document.

import { get, latest } from "./api.js";
import { byId, element, math, percent } from "./element.js";

const AS_READ = "as read", PLAIN = "", SEARCH = "…";

export function notationTable(onDecide) {
  /** What a symbol may be: as it was read, accepted, another reading, a plain symbol, or whatever a search finds. */
  function choice(symbol, readings) {
    const fixed = Object.hasOwn(readings, symbol.symbol) ? readings[symbol.symbol] : null;
    const names = new Map([[symbol.macro, symbol.meaning], ...symbol.others.map((other) => [other.macro, other.meaning])]);
    if (fixed) names.set(fixed, names.get(fixed) ?? "");
    const option = (value, text) => element("option", { value, selected: value === (fixed ?? AS_READ) }, text);
    const select = element("select", { "aria-label": `${symbol.symbol} means` },
      option(AS_READ, "as read"), ...[...names].map(([name, words]) => option(name, `always ${name}${words ? ` (${words})` : ""}`)),
      option(PLAIN, "leave it as it is"), option(SEARCH, "another macro …"));
    select.addEventListener("change", () => {
      if (select.value === SEARCH) select.replaceWith(search(symbol));
      else onDecide(symbol.symbol, select.value === AS_READ ? null : select.value);
    });
    return select;
  }

  function search(symbol) {
    const found = element("datalist", { id: "macros-found" });
    const field = element("input", { type: "search", list: "macros-found", placeholder: "Bessel …, or \\BesselJ", "aria-label": `The macro for ${symbol.symbol}`, autocomplete: "off" });
    const ask = latest(async () => {
      const answer = await get(`/macros?limit=30&q=${encodeURIComponent(field.value.slice(0, 200))}`);
      found.replaceChildren(...answer.macros.map((macro) => element("option", { value: macro.name }, macro.meaning)));
    });
    field.addEventListener("input", ask);
    field.addEventListener("change", () => { if (field.value.startsWith("\\")) onDecide(symbol.symbol, field.value.trim()); });
    setTimeout(() => field.focus());
    return element("span", {}, field, found);
  }

  function row(symbol, readings) {
    const lifted = symbol.macro && !symbol.own ? `${symbol.lifted} of ${symbol.count}` : String(symbol.count);
    return element("tr", {}, element("td", {}, math(symbol.shown)),
      element("td", {}, symbol.meaning, symbol.own ? " (your macro)" : "", element("span", { class: "share" }, [symbol.role, symbol.type].filter(Boolean).join(", "))),
      element("td", { title: symbol.places.join(", ") }, symbol.introduced), element("td", {}, lifted), element("td", {}, symbol.macro ? percent(symbol.confidence) : ""),
      element("td", {}, symbol.macro && !symbol.own ? choice(symbol, readings) : ""));
  }

  function show(symbols, readings) {
    const known = new Set(symbols.map((symbol) => symbol.symbol));
    const vetoed = Object.entries(readings).filter(([name]) => !known.has(name)); // nothing of it is read any more
    byId("notation").tBodies[0].replaceChildren(...symbols.map((symbol) => row(symbol, readings)),
      ...vetoed.map(([name, macro]) => element("tr", {}, element("td", {}, element("code", {}, name)), element("td", { colspan: 4 }, macro || "left as it is written"),
        element("td", {}, element("button", { type: "button", class: "small", on: { click: () => onDecide(name, null) } }, "Take back")))));
    byId("notation-box").hidden = !symbols.length && !vetoed.length;
  }
  return { show };
}
