// Coloured spans: every decision where it stands, in the source and in the semantic form.

import { element } from "./element.js";

const COLOURS = 6;

/** Decisions as a forest by containment: what starts first and reaches farthest is outside. */
function nested(places) {
  const sorted = [...places].sort((a, b) => a.start - b.start || b.end - a.end);
  const roots = [];
  const open = [];
  for (const place of sorted) {
    while (open.length && open.at(-1).end <= place.start) open.pop();
    const parent = open.at(-1);
    if (parent && place.end > parent.end) continue; // overlaps: shown in the table only
    const node = { ...place, inside: [] };
    (parent ? parent.inside : roots).push(node);
    open.push(node);
  }
  return roots;
}

function paint(text, nodes, from, to) {
  const pieces = [];
  let at = from;
  for (const node of nodes) {
    pieces.push(text.slice(at, node.start));
    const unsure = node.decision.probability < 0.9 ? " unsure" : "";
    pieces.push(element("span", { class: `decision c${node.index % COLOURS}${unsure}`, "data-index": node.index }, ...paint(text, node.inside, node.start, node.end)));
    at = node.end;
  }
  pieces.push(text.slice(at, to));
  return pieces;
}

/** The source with a span for each decision. */
export function sourceSpans(latex, decisions) {
  const places = decisions.map((decision, index) => ({ start: decision.start, end: decision.end, decision, index }));
  return paint(latex, nested(places), 0, latex.length);
}

/** The semantic form with a span for each call; calls are found in order, inner ones inside outer ones. */
export function semanticSpans(semantic, decisions) {
  const order = decisions.map((decision, index) => ({ decision, index })).filter(({ decision }) => decision.macro)
    .sort((a, b) => a.decision.start - b.decision.start || b.decision.end - a.decision.end);
  const places = [];
  const open = [];
  let from = 0;
  for (const { decision, index } of order) {
    while (open.length && open.at(-1).decision.end <= decision.start) from = Math.max(from, open.pop().end);
    const start = semantic.indexOf(decision.call, from);
    if (start < 0) continue;
    const place = { start, end: start + decision.call.length, decision, index };
    places.push(place);
    open.push(place);
    from = start + 1;
  }
  return paint(semantic, nested(places), 0, semantic.length);
}
