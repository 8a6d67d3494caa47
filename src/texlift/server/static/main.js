// The page: one state (formula, context, choices), one answer, and everything drawn from it.

import { latest, post, ServiceError } from "./api.js";
import { readingCard } from "./card.js";
import { checkTab } from "./check.js";
import { codeTab } from "./code.js";
import { documentTab } from "./document.js";
import { byId, copy, element, math, meaning, percent } from "./element.js";
import { examples } from "./examples.js";
import { historyTab } from "./history.js";
import { lexiconTab } from "./lexicon.js";
import { semanticSpans, sourceSpans } from "./spans.js";
import { tabs } from "./tabs.js";
import { theme } from "./theme.js";
import { treeTab } from "./tree.js";

const QUIET = 25; // milliseconds without a key before asking
let answer = null;
let choices = [];
let timer = 0;

const current = () => ({ latex: answer?.latex ?? "", semantic: answer?.semantic ?? "", context: byId("context").value || null, confidence: answer?.confidence ?? 1 });
const card = readingCard(choose);
const code = codeTab();
const tree = treeTab(current);
const check = checkTab(current);
const lexicon = lexiconTab();
const past = historyTab((entry) => open(entry));
const main = tabs(byId("tabs"), (tab) => refresh(tab.id));
documentTab();
theme();

const translate = latest(async () => {
  const latex = byId("latex").value.trim();
  if (!latex) {
    show(null);
    return;
  }
  const asked = { latex, context: byId("context").value || null, constants: byId("constants").checked, choices, render: true };
  try {
    show(await post("/translate", asked));
  } catch (error) {
    complain(error, latex);
  }
});

function show(result) {
  answer = result;
  byId("error").replaceChildren();
  byId("answer").classList.remove("stale");
  byId("rendered").replaceChildren(result ? math(result.mathml) : "");
  byId("source").replaceChildren(...(result ? sourceSpans(result.latex, result.decisions) : []));
  byId("semantic").replaceChildren(...(result ? semanticSpans(result.semantic, result.decisions) : []));
  byId("confidence").value = result?.confidence ?? 0;
  byId("confidence-text").textContent = result ? percent(result.confidence) : "";
  byId("warnings").replaceChildren(...(result?.warnings ?? []).map((warning) => element("li", {}, warning)));
  byId("reset").hidden = !choices.length;
  table(result?.decisions ?? []);
  const others = result?.alternatives ?? [];
  byId("alternatives-box").hidden = !others.length;
  byId("alternatives").replaceChildren(...others.map((other) => element("li", {}, element("code", {}, other.semantic), element("span", { class: "share" }, percent(other.confidence)))));
  check.clear();
  refresh(main.selected().id);
  if (result) {
    past.remember({ latex: result.latex, context: byId("context").value, semantic: result.semantic });
    history.replaceState(null, "", `#${new URLSearchParams({ latex: byId("latex").value.trim(), context: byId("context").value })}`);
  }
  document.body.dataset.shown = String(Number(document.body.dataset.shown ?? 0) + 1); // for tests: an answer is on the page
}

function table(decisions) {
  byId("decisions").hidden = !decisions.length;
  byId("no-decisions").hidden = decisions.length > 0 || !answer;
  byId("decisions").tBodies[0].replaceChildren(...decisions.map((decision, index) => {
    const select = element("select", { "aria-label": `Reading of ${decision.source}`, on: { change: (event) => choose(decision, event.target.value) } },
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
  if (tab === "tab-code") code.update(answer.semantic);
  if (tab === "tab-tree") tree.update();
}

function complain(error, latex) {
  const details = error instanceof ServiceError ? error.details : { message: "The service does not answer." };
  const lines = [details.message + (details.hint ? ` (${details.hint})` : "")];
  if (Number.isInteger(details.position)) {
    const start = Math.max(0, details.position - 30);
    const shown = latex.slice(start, details.position + 30).replaceAll("\n", " ");
    lines.push(element("code", { "aria-hidden": "true" }, `${shown}\n${" ".repeat(details.position - start)}^`));
  }
  byId("error").replaceChildren(...lines);
  byId("answer").classList.add("stale");
}

function choose(decision, macro) {
  choices = choices.filter((choice) => choice.start !== decision.start || choice.end !== decision.end);
  choices.push({ start: decision.start, end: decision.end, macro });
  translate();
}

function open(entry) {
  byId("latex").value = entry.latex;
  byId("context").value = entry.context ?? "";
  choices = [];
  translate();
}

for (const id of ["latex", "context"]) {
  byId(id).addEventListener("input", () => {
    choices = [];
    clearTimeout(timer);
    timer = setTimeout(translate, QUIET);
  });
}
byId("constants").addEventListener("change", () => translate());
byId("reset").addEventListener("click", () => { choices = []; translate(); });
byId("copy").addEventListener("click", (event) => copy(answer?.semantic ?? "", event.target));

for (const [index, example] of examples.entries()) byId("examples").append(element("option", { value: index }, example.title));
byId("examples").addEventListener("change", (event) => { if (event.target.value) open(examples[Number(event.target.value)]); });

for (const id of ["source", "semantic"]) {
  const box = byId(id);
  const mark = (index, on) => document.querySelectorAll(`.formula .decision[data-index="${index}"]`).forEach((span) => span.classList.toggle("active", on));
  box.addEventListener("mouseover", (event) => {
    const span = event.target.closest(".decision");
    if (!span) return;
    mark(span.dataset.index, true);
    card.show(answer.decisions[span.dataset.index], span, false);
  });
  box.addEventListener("mouseout", (event) => {
    const span = event.target.closest(".decision");
    if (span) mark(span.dataset.index, false);
    card.leave();
  });
  box.addEventListener("click", (event) => {
    const span = event.target.closest(".decision");
    if (span) card.show(answer.decisions[span.dataset.index], span, true);
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

const asked = new URLSearchParams(location.hash.slice(1));
open(asked.get("latex") ? { latex: asked.get("latex"), context: asked.get("context") } : examples[0]);
byId("latex").focus();
