// The page: a formula, what the user has said about it, one answer, and everything drawn from it.

import { latest, post, ServiceError } from "./api.js";
import { floatingCard, readingContent } from "./card.js";
import { checkTab } from "./check.js";
import { codeTab } from "./code.js";
import { documentTab } from "./document.js";
import { byId, copy, element, math, meaning, percent } from "./element.js";
import { areas, examples } from "./examples.js";
import { historyTab } from "./history.js";
import { lexiconTab } from "./lexicon.js";
import { meaningTree } from "./meaning.js";
import { semanticSpans, sourceSpans } from "./spans.js";
import { opened, userState, written } from "./state.js";
import { structureTable } from "./structure.js";
import { described, handles, headOf, meaningSearch, notationSearch, symbolButtons } from "./symbols.js";
import { tabs } from "./tabs.js";
import { theme } from "./theme.js";
import { treeTab } from "./tree.js";
import { visualEditor } from "./visual.js";

const APART = 60; // milliseconds from one question to the next, while keys follow each other quickly
const PAUSE = 800; // milliseconds without a key before an error is shown, or an answer read aloud
let answer = null;
let timer = 0;
let pause = 0;
let typedAt = -PAUSE;
let askedAt = -APART;

const said = userState(() => translate());
const current = () => ({
  latex: answer?.latex ?? "", semantic: answer?.semantic ?? "", context: byId("context").value || null, confidence: answer?.confidence ?? 1,
  declare: said.now().declare, structure: said.now().structure,
});
const card = floatingCard();
const code = codeTab(current);
const tree = treeTab(current);
const drawn = meaningTree(current);
const check = checkTab(current);
const lexicon = lexiconTab();
const structure = structureTable((decision, chosen) => said.settle(decision, chosen));
const past = historyTab((entry) => open(entry));
const main = tabs(byId("tabs"), (tab) => refresh(tab.id));
documentTab();
theme();
const visual = visualEditor((latex) => {
  byId("latex").value = latex;
  byId("latex").dispatchEvent(new Event("input"));
});

const translate = latest(async () => {
  askedAt = performance.now();
  const latex = byId("latex").value.trim();
  if (!latex) {
    show(null);
    return;
  }
  const asked = { latex, context: byId("context").value || null, constants: byId("constants").checked, ...said.now(), render: true, meaning: true };
  try {
    show(await post("/translate", asked));
  } catch (error) {
    fail(error, latex);
  }
});

function show(result) {
  answer = result;
  clearTimeout(pause);
  byId("error").replaceChildren();
  byId("answer").classList.remove("stale");
  byId("words").textContent = sentence(result);
  shorten();
  byId("rendered").replaceChildren(result ? math(result.mathml) : "");
  if (result) handles(byId("rendered"), result);
  byId("symbols").replaceChildren(...(result ? symbolButtons(result) : []));
  byId("symbols-line").hidden = !result;
  byId("source").replaceChildren(...(result ? sourceSpans(result.latex, result.decisions) : []));
  byId("semantic").replaceChildren(...(result ? semanticSpans(result.semantic, result.decisions) : []));
  byId("confidence").value = result?.understood ?? 0;
  byId("confidence-text").textContent = result ? percent(result.understood) : "";
  byId("warnings").replaceChildren(...(result?.warnings ?? []).map((warning) => element("li", {}, warning)));
  chips();
  table(result?.decisions ?? []);
  structure.show(result?.structure ?? []);
  byId("no-decisions").hidden = !result || result.decisions.length + result.structure.length > 0;
  const others = result?.alternatives ?? [];
  byId("alternatives-box").hidden = !others.length;
  byId("alternatives").replaceChildren(...others.map((other) => element("li", {}, element("code", {}, other.semantic), element("span", { class: "share" }, percent(other.confidence)))));
  check.clear();
  refresh(main.selected().id);
  drawn.update();
  if (result) {
    past.remember({ latex: result.latex, context: byId("context").value, semantic: result.semantic });
    history.replaceState(null, "", written(byId("latex").value.trim(), byId("context").value, byId("constants").checked, said.now()));
    afterPause(() => { byId("spoken").textContent = `${sentence(result)} Confidence ${percent(result.understood)}.`; });
  }
  document.body.dataset.shown = String(Number(document.body.dataset.shown ?? 0) + 1); // for tests: an answer is on the page
}

/** The interpretation in words, as a sentence. */
function sentence(result) {
  if (!result) return "";
  if (result.unread) return `Not understood as a whole: ${result.unread}.`;
  const letter = /^.(?![a-z])/.test(result.words); // x is not X
  return result.words ? `${letter ? result.words[0] : result.words[0].toUpperCase()}${result.words.slice(1)}.` : "";
}

/** A long sentence shows its first lines, and the rest on request. */
function shorten() {
  const words = byId("words"), more = byId("more-words");
  const all = more.getAttribute("aria-expanded") === "true";
  words.classList.toggle("short", !all);
  more.hidden = !all && words.scrollHeight <= words.clientHeight + 2;
  more.textContent = all ? "Show less" : "Show all";
}

/** While somebody types, half a formula is no mistake: what is wrong is said once the keys rest. */
function afterPause(say) {
  clearTimeout(pause);
  pause = setTimeout(say, Math.max(0, typedAt + PAUSE - performance.now()));
}

function fail(error, latex) {
  byId("answer").classList.add("stale");
  chips();
  afterPause(() => complain(error, latex));
}

/** What the user has said, each with a button that takes it back. */
function chips() {
  const { choices, structure: places, declare } = said.now();
  const latex = answer?.latex ?? "";
  const made = [
    ...choices.map((one) => ["choices", one.start, `${latex.slice(one.start, one.end)} is ${one.macro || "unchanged"}`]),
    ...places.map((one) => ["structure", one.start, `${one.source} is ${one.meaning}`]),
    ...Object.entries(declare).map(([name, words]) => ["declare", name, `${name} means ${words}`]),
  ];
  byId("said").replaceChildren(...made.map(([kind, key, text]) => element("li", {}, element("span", {}, text),
    element("button", { type: "button", class: "small", "aria-label": `Take back: ${text}`, on: { click: () => said.remove(kind, key) } }, "×"))));
  byId("said-box").hidden = said.isEmpty() && !said.canUndo();
  byId("reset").hidden = said.isEmpty();
  byId("undo").disabled = !said.canUndo();
}

function table(decisions) {
  byId("decisions").hidden = !decisions.length;
  byId("decisions").tBodies[0].replaceChildren(...decisions.map((decision, index) => {
    const select = element("select", { "aria-label": `Reading of ${decision.source}`, on: { change: (event) => said.choose(decision, event.target.value) } },
      element("option", { value: decision.macro, selected: true }, decision.macro || "unchanged"));
    const seen = new Set([decision.macro]);
    for (const reading of decision.competing) {
      if (seen.has(reading.macro)) continue;
      seen.add(reading.macro);
      select.append(element("option", { value: reading.macro }, `${reading.macro || "unchanged"} (${percent(reading.probability)})`));
    }
    select.disabled = seen.size < 2;
    return element("tr", {}, element("td", {}, element("code", { class: `decision c${index % 6}` }, decision.source)),
      element("td", {}, decision.macro ? meaning(decision.meaning, decision.url) : "unchanged"),
      element("td", {}, percent(decision.probability)), element("td", {}, select));
  }));
}

/** What a tab shows is fetched when it is looked at. */
function refresh(tab) {
  if (tab === "tab-macros") lexicon.update();
  if (!answer) return;
  if (tab === "tab-code") code.update();
  if (tab === "tab-tree") tree.update();
}

function complain(error, latex) {
  const details = error instanceof ServiceError ? error.details : { message: "The service does not answer." };
  const lines = [details.message + (details.hint ? ` (${details.hint})` : "")];
  if (Number.isInteger(details.position) && details.code !== "choice") {
    const start = Math.max(0, details.position - 30);
    const shown = latex.slice(start, details.position + 30).replaceAll("\n", " ");
    lines.push(element("code", { "aria-hidden": "true" }, `${shown}\n${" ".repeat(details.position - start)}^`));
  }
  byId("error").replaceChildren(...lines);
}

function open(entry) {
  byId("latex").value = entry.latex;
  visual.update();
  byId("context").value = entry.context ?? "";
  if (entry.constants !== undefined) byId("constants").checked = entry.constants;
  said.open(entry.said);
  card.hide();
  translate();
}

for (const id of ["latex", "context"]) {
  byId(id).addEventListener("input", () => {
    said.retyped();
    card.hide();
    typedAt = performance.now();
    byId("error").replaceChildren();
    clearTimeout(timer);
    timer = setTimeout(translate, Math.max(0, askedAt + APART - performance.now()));
    visual.update();
  });
}
byId("constants").addEventListener("change", () => translate());
byId("declare").addEventListener("click", (event) => {
  const field = byId("latex");
  const part = field.value.slice(field.selectionStart, field.selectionEnd).trim() || field.value.trim();
  card.show(event.target, "Say what a part of the formula means", notationSearch(part.slice(0, 200), (name, words) => { card.hide(); said.declare(name, words); }), true);
});
byId("more-words").addEventListener("click", (event) => {
  event.target.setAttribute("aria-expanded", String(event.target.getAttribute("aria-expanded") !== "true"));
  shorten();
});
byId("reset").addEventListener("click", () => said.clear());
byId("undo").addEventListener("click", () => said.undo());
byId("copy").addEventListener("click", (event) => copy(answer?.semantic ?? "", event.target));
byId("copy-link").addEventListener("click", (event) => copy(location.href, event.target));

for (const area of areas) {
  const own = examples.map((example, index) => ({ ...example, index })).filter((example) => example.area === area);
  byId("examples").append(element("optgroup", { label: area }, ...own.map((example) => element("option", { value: example.index }, example.title))));
}
byId("examples").addEventListener("change", (event) => { if (event.target.value) open(examples[Number(event.target.value)]); });

// Symbols and places: hovering explains, a click opens the card in which they can be changed.

const marked = (index, on) => document.querySelectorAll(`.formula .decision[data-index="${index}"], #rendered [data-decision="${index}"]`).forEach((part) => part.classList.toggle("active", on));

function explain(target, pin) {
  const place = target.dataset.index ?? target.dataset.decision;
  const declare = (name, words) => { card.hide(); said.declare(name, words); };
  if (place !== undefined) {
    const decision = answer.decisions[place];
    const choose = (macro) => { card.hide(); said.choose(decision, macro); };
    const more = pin ? meaningSearch(headOf(decision.source), answer.latex, declare) : [];
    card.show(target, `Reading of ${decision.source}`, [...readingContent(decision, pin ? choose : null), ...more], pin);
    return;
  }
  const symbol = answer.symbols[target.dataset.symbol];
  const about = [element("p", {}, element("strong", {}, symbol.name), ` ${described(symbol)}`)];
  if (!pin) about.push(element("p", { class: "hint" }, "Click to say what it means."));
  card.show(target, `The symbol ${symbol.name}`, pin ? [...about, ...meaningSearch(symbol.name, answer.latex, declare)] : about, pin);
}

for (const id of ["source", "semantic", "rendered", "symbols"]) {
  const box = byId(id);
  const part = (event) => event.target.closest(".decision[data-index], .handle");
  box.addEventListener("mouseover", (event) => {
    const target = part(event);
    if (!target) return;
    marked(target.dataset.index ?? target.dataset.decision, true);
    if (id !== "symbols") explain(target, false);
  });
  box.addEventListener("mouseout", (event) => {
    const target = part(event);
    if (target) marked(target.dataset.index ?? target.dataset.decision, false);
    card.leave();
  });
  box.addEventListener("click", (event) => {
    const target = part(event);
    if (target) explain(target, true);
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    byId("copy").click();
  } else if (event.key === "/" && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    byId("latex").focus();
  }
});
window.addEventListener("hashchange", () => { const entry = opened(location.hash); if (entry) open(entry); });

open(opened(location.hash) ?? examples[0]);
byId("latex").focus();
