// The check tab: a numeric verdict, and both sides drawn along one variable.

import { post } from "./api.js";
import { byId, drawn, element } from "./element.js";

const WIDTH = 640, HEIGHT = 300, LEFT = 60, BOTTOM = 34, TOP = 12;
const SAID = { proved: "✓ Proved", verified: "≈ Holds wherever tested, not proved", refuted: "✗ Does not hold", undecided: "? Undecided" };

export function checkTab(current) {
  byId("check-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const { latex, semantic, context, confidence, declare, structure } = current();
    if (!semantic) return;
    if (structure.length) {
      byId("verdict").replaceChildren(element("p", { class: "error" }, "Checks do not know your choices for ambiguous places yet. Take them back, or declare the symbol."));
      return;
    }
    const constraints = byId("constraints").value.split(";").map((text) => text.trim()).filter(Boolean);
    byId("verdict").textContent = "Checking …";
    byId("plot").hidden = true;
    const button = event.target.querySelector("button");
    button.disabled = true;
    try {
      const read = await translated(constraints, context);
      const [verdict, curves] = await Promise.allSettled([post("/check", { semantic, constraints: read, confidence, declare }), post("/plot", { semantic, constraints: read })]);
      showVerdict(verdict);
      if (curves.status === "fulfilled") plot(curves.value, latex);
    } catch (error) {
      byId("verdict").replaceChildren(element("p", { class: "error" }, error.message));
    } finally {
      button.disabled = false;
    }
  });
  return { clear() { byId("verdict").replaceChildren(); byId("plot").hidden = true; } };
}

async function translated(constraints, context) {
  const answers = await Promise.all(constraints.map((latex) => post("/translate", { latex, context, alternatives: 0 })));
  return answers.map((answer) => answer.semantic);
}

function showVerdict(outcome) {
  if (outcome.status === "rejected") {
    byId("verdict").replaceChildren(element("p", { class: "error" }, outcome.reason.message));
    return;
  }
  const verdict = outcome.value;
  const partly = verdict.verdict === "refuted" && verdict.holds;
  const lines = [element("p", { class: `verdict ${verdict.verdict}` }, partly ? `✗ Holds only where ${verdict.holds}` : SAID[verdict.verdict],
    verdict.domain ? element("span", { class: "domain" }, verdict.domain) : "")];
  const tested = evidence(verdict);
  if (tested) lines.push(element("p", { class: "hint" }, tested));
  if (verdict.reason) lines.push(element("p", {}, verdict.reason));
  const example = verdict.counterexample;
  if (example) {
    const point = Object.entries(example.point).map(([name, value]) => `${name} = ${value}`).join(", ");
    lines.push(element("p", {}, `At ${point || "every point"}: left ${example.left}, right ${example.right}`));
  }
  byId("verdict").replaceChildren(...lines);
}

/** Where and how exactly it was tested. */
function evidence(verdict) {
  const points = verdict.points ? [`${verdict.points} point${verdict.points > 1 ? "s" : ""}`] : [];
  if (verdict.digits) points.push(`sides agree to ${verdict.digits} digits`);
  return points.length ? `Tested: ${points.join("; ")}` : "";
}

/** The middle of the values: a pole must not flatten everything else. */
function range(values) {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  let low = sorted[Math.floor(sorted.length * 0.04)], high = sorted[Math.ceil(sorted.length * 0.96) - 1];
  if (low === high) { low -= 1; high += 1; }
  const margin = 0.08 * (high - low);
  return [low - margin, high + margin];
}

const short = (value) => (value === 0 ? "0" : Math.abs(value) >= 1e4 || Math.abs(value) < 1e-2 ? value.toExponential(1) : String(+value.toPrecision(3)));

function plot(curves) {
  const [low, high] = range([...curves.left, ...curves.right]);
  const first = curves.x[0], last = curves.x.at(-1);
  const x = (value) => LEFT + (WIDTH - LEFT - 10) * (value - first) / (last - first);
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - low) / (high - low));
  const said = `Both sides for ${curves.variable} from ${short(first)} to ${short(last)}`;
  const picture = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot", role: "img", "aria-label": said });
  for (let step = 0; step <= 4; step++) {
    const value = low + (high - low) * step / 4, along = first + (last - first) * step / 4;
    picture.append(drawn("line", { class: "axis", x1: LEFT, x2: WIDTH - 10, y1: y(value), y2: y(value) }),
      drawn("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, short(value)),
      drawn("text", { x: x(along), y: HEIGHT - 14, "text-anchor": "middle" }, short(along)));
  }
  for (const side of ["left", "right"]) {
    if (curves.kind === "integer") {
      curves[side].forEach((value, index) => inside(value) && picture.append(drawn("circle", { class: side, cx: x(curves.x[index]), cy: y(value), r: side === "left" ? 6 : 3 })));
      continue;
    }
    let path = "";
    let drawing = false;
    curves[side].forEach((value, index) => {
      if (!inside(value)) { drawing = false; return; }
      path += `${drawing ? "L" : "M"}${x(curves.x[index]).toFixed(1)} ${y(value).toFixed(1)}`;
      drawing = true;
    });
    if (path) picture.append(drawn("path", { class: side, d: path }));
  }
  function inside(value) { return value !== null && value >= low - (high - low) && value <= high + (high - low); }
  const fixed = Object.entries(curves.fixed).map(([name, value]) => `${name} = ${value}`).join(", ");
  byId("plot").replaceChildren(picture, element("figcaption", { class: "hint" }, `${said}${fixed ? `, with ${fixed}` : ""}. Broad line: left side, dashed line: right side.`));
  byId("plot").hidden = false;
}
