// The changes of a document: side by side, with filters; each can be rejected and accepted again.

import { byId, element, math, meaning, percent } from "./element.js";

const FILTERS = { all: "everything", translated: "changed", uncertain: "uncertain", partly: "partly changed", conflict: "conflicting", refuted: "fails numerically", rejected: "rejected", broken: "broken" };
const VERDICTS = { verified: "✓ holds wherever tested", proved: "✓ proved", refuted: "✗ fails numerically", undecided: "? undecided" };
const SHOWN = 100;

export function changeList(onDecide) {
  let all = [];
  let filter = "all";
  let shown = SHOWN;
  let more = 0;

  function show(changes, left) {
    all = changes;
    more = left;
    if (!all.some((change) => change.classes.includes(filter))) filter = "all";
    draw();
  }

  function draw() {
    const fitting = filter === "all" ? all : all.filter((change) => change.classes.includes(filter));
    byId("change-filters").replaceChildren(...Object.entries(FILTERS).filter(([name]) => name === "all" || all.some((change) => change.classes.includes(name))).map(([name, label]) => {
      const count = name === "all" ? all.length : all.filter((change) => change.classes.includes(name)).length;
      return element("label", { class: "check" },
        element("input", { type: "radio", name: "change-filter", value: name, checked: name === filter, on: { change: () => { filter = name; shown = SHOWN; draw(); } } }), `${label} (${count})`);
    }));
    byId("changes").replaceChildren(...fitting.slice(0, shown).map(entry));
    const rest = fitting.length - shown;
    byId("more-changes").hidden = rest <= 0;
    byId("more-changes").textContent = `Show ${Math.min(rest, SHOWN)} more of ${rest}`;
    byId("changes-left").textContent = more ? `${more} more changes are in the report only.` : all.length ? "" : "Nothing was changed, and nothing is in doubt.";
  }

  function entry(change) {
    const rejected = change.state === "rejected";
    const others = change.count - change.places.length;
    const places = change.places.join(", ") + (others > 0 ? ` and ${others} more` : "");
    const verdict = change.verdict?.verdict;
    const decide = element("button", { type: "button", class: "small", "aria-label": `${rejected ? "Accept" : "Reject"} the change of ${change.latex}` }, rejected ? "Accept again" : "Reject");
    decide.addEventListener("click", () => { decide.disabled = true; onDecide(change.names, !rejected); });
    return element("li", { class: `change ${change.classes.join(" ")}` },
      element("p", { class: "place" }, element("span", {}, places), element("span", { class: `state-${change.state}` }, change.state),
        change.state === "broken" ? "" : element("span", {}, percent(change.confidence)),
        verdict ? element("span", { class: verdict }, VERDICTS[verdict]) : "",
        change.state === "translated" || rejected ? decide : ""),
      element("div", { class: "sides" },
        element("div", {}, element("div", { class: "math" }, math(change.before)), element("code", { class: "formula" }, change.latex)),
        change.written && change.written !== change.latex ? element("div", {}, element("div", { class: "math" }, change.after ? math(change.after) : ""), element("code", { class: "formula" }, change.written)) : ""),
      change.words ? element("p", { class: "words" }, change.words) : "",
      change.readings.length ? element("p", { class: "hint" }, ...change.readings.flatMap((reading, at) => [at ? "; " : "", element("code", {}, reading.macro), " ", meaning(reading.meaning, reading.url), reading.probability < 0.995 ? ` ${percent(reading.probability)}` : ""])) : "",
      ...change.notes.map((note) => element("p", { class: "hint note" }, note)),
      change.verdict?.counterexample ? element("p", { class: "hint refuted" }, `${change.verdict.reason} ${JSON.stringify(change.verdict.counterexample)}`) : "");
  }

  byId("more-changes").addEventListener("click", () => { shown += SHOWN; draw(); });
  return { show };
}
