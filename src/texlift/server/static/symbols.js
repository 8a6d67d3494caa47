// Symbols: handles in the printed formula, the list beneath it, and "this symbol means …".

import { get, latest } from "./api.js";
import { element, math, percent } from "./element.js";

const NAME = /^(\\[A-Za-z]+|[A-Za-z])$/;
const HEAD = /^\s*(\\[A-Za-z]+|[A-Za-z])/;
const OPENING = { "(": ["(", ")"], "[": ["[", "]"], "\\{": ["\\{", "\\}"] };

/** What is known of a letter, in words. */
export function described(symbol) {
  const own = [...symbol.traits, symbol.role].join(" ") + (symbol.shape.length ? ` (${symbol.shape.join(" × ")})` : "");
  if (symbol.said) return `${own}; ${symbol.said}`;
  const likely = symbol.kind && symbol.probability !== null && symbol.probability < 1 && symbol.kind !== symbol.role;
  return likely ? `${own}, likely ${symbol.kind} (${percent(symbol.probability)})` : own;
}

/** The parts of a printed formula that look like a symbol, which is given as MathML of its own. */
function lookalikes(formula, markup) {
  let sample = math(markup).firstElementChild;
  while (sample && sample.localName === "mrow") sample = [...sample.children].find((child) => child.localName !== "mspace");
  if (!sample) return [];
  return [...formula.querySelectorAll(sample.localName)].filter((part) => part.innerHTML === sample.innerHTML);
}

/** Give the symbols of the printed formula their handles: places by their order where all are found, letters everywhere. */
export function handles(formula, answer) {
  const places = new Map();
  answer.heads.forEach((markup, index) => places.set(markup, [...(places.get(markup) ?? []), index]));
  for (const [markup, indices] of places) {
    const parts = markup ? lookalikes(formula, markup) : [];
    if (parts.length !== indices.length) continue; // not certain which is which: the list beneath has them
    const ordered = [...indices].sort((a, b) => answer.decisions[a].start - answer.decisions[b].start);
    ordered.forEach((index, at) => mark(parts[at], "decision", index));
  }
  answer.symbols.forEach((symbol, index) => {
    for (const part of lookalikes(formula, symbol.shown)) if (!part.dataset.decision) mark(part, "symbol", index);
  });
}

function mark(part, kind, index) {
  part.classList.add("handle");
  part.dataset[kind] = index;
}

/** The letter that a place begins with, if it is a letter. */
export const headOf = (source) => HEAD.exec(source)?.[1] ?? "";

/** How a concept is declared for a letter: with the brackets that follow it in the formula. */
function notation(name, latex, arity) {
  const holes = Array.from({ length: arity }, (_, at) => `#${at + 1}`).join(",");
  const at = latex.search(new RegExp(`${name.replaceAll("\\", "\\\\")}(?![A-Za-z])`));
  const behind = /^\s*(?:\\left|\\[bB]igg?l?)?\s*(\(|\[|\\\{)/.exec(at < 0 ? "" : latex.slice(at + name.length));
  const [open, close] = OPENING[behind?.[1] ?? "("];
  return `${name}${open}${holes}${close}`;
}

const SYMBOL = /^\\?[A-Za-z]+(_(\{[^{}]*\}|\w))?$/;

/** "This part means …": the same search for any notation, which can be edited. */
export function notationSearch(notation, onDeclare) {
  const field = element("input", { type: "text", class: "notation", autocomplete: "off", spellcheck: "false", "aria-label": "Part of the formula", value: notation });
  const hint = "A letter, or a notation with letters for its parts, such as [a,b].";
  return [element("p", {}, element("strong", {}, "This part of the formula")), field, element("p", { class: "hint" }, hint),
    ...search(() => field.value.trim(), "This part means", "means …", (entry) => [field.value.trim(), entry.declare], onDeclare)];
}

/** "This symbol means …": a search over kinds, macros and concepts; what is picked is declared. */
export function meaningSearch(name, latex, onDeclare) {
  if (!SYMBOL.test(name)) return [];
  return search(() => name, `${name} means`, element("span", {}, element("code", {}, name), " means …"),
    (entry) => [entry.sort === "concept" ? notation(name, latex, entry.arity) : name, entry.declare], onDeclare);
}

/** A field and the meanings found; `declared` says how an entry is declared. */
function search(name, label, title, declared, onDeclare) {
  const found = element("ul", { class: "found", "aria-label": "Meanings found" });
  const count = element("p", { class: "hint", role: "status" });
  const field = element("input", { type: "search", class: "meaning-search", autocomplete: "off", placeholder: "integer, expected value, Bessel …", "aria-label": label, on: { input: () => ask(field.value) } });
  const ask = latest(async (words) => {
    try {
      const answer = await get(`/vocabulary?limit=40&q=${encodeURIComponent(words.slice(0, 200))}`);
      const fits = answer.entries.filter((entry) => NAME.test(name()) || entry.sort === (SYMBOL.test(name()) ? "kind" : "concept"));
      count.textContent = fits.length ? `${fits.length} meanings` : words.trim() ? "Nothing that fits is called that." : "Type what it means.";
      found.replaceChildren(...fits.map((entry) => {
        const shown = { concept: () => declared(entry)[0], macro: () => entry.declare, kind: () => "" }[entry.sort]();
        return element("li", {}, element("button", { type: "button", on: { click: () => onDeclare(...declared(entry)) } }, entry.meaning, element("code", { class: "share" }, shown)));
      }));
    } catch (error) {
      count.textContent = error.message;
    }
  });
  ask("");
  return [element("p", { class: "means" }, title), field, count, found];
}

/** The list beneath the formula: a button for each function that was recognised, and for each letter. */
export function symbolButtons({ symbols, decisions, heads }) {
  const button = (kind, index, markup, text) => element("li", {},
    element("button", { type: "button", class: "handle", [`data-${kind}`]: index, "aria-haspopup": "dialog" }, math(markup), element("span", {}, text)));
  const seen = new Set();
  const functions = decisions.map((decision, index) => ({ decision, index }))
    .filter(({ decision, index }) => decision.macro && !seen.has(decision.macro + heads[index]) && seen.add(decision.macro + heads[index]))
    .map(({ decision, index }) => button("decision", index, heads[index], decision.meaning || decision.macro));
  return [...functions, ...symbols.map((symbol, index) => button("symbol", index, symbol.shown, described(symbol)))];
}
