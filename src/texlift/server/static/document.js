// The document tab: a file or a pasted text in, a review of what was changed, the files to take home.

import { latest, post } from "./api.js";
import { byId, element } from "./element.js";
import { changeList } from "./changes.js";
import { notationTable } from "./notation.js";

const MOST = 10_000_000;
const NOTHING = { readings: {}, rejected: {} };
const LABELS = { result: "Result", macros: "Macros", choices: "Choices", diff: "Diff", report: "Report" };
const KINDS = [[/^\s*\{[^]*"cells"\s*:/, "pasted.ipynb"], [/\\(documentclass|begin|section|usepackage)\b|\\\(|\\\[/, "pasted.tex"], [/./, "pasted.md"]];

/** The bytes of a file in base64, without a limit on their number. */
function encoded(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

const decoded = (data) => Uint8Array.from(atob(data), (char) => char.charCodeAt(0));

export function documentTab() {
  const drop = byId("drop"), status = byId("document-status"), result = byId("document-result");
  let file = null; // name and data of the document that is reviewed
  let said = NOTHING;
  let before = [];
  let addresses = [];

  const list = changeList((names, rejected) => {
    const next = { ...said.rejected };
    for (const name of names) if (rejected) next[name] = "rejected on the page"; else delete next[name];
    say({ ...said, rejected: next });
  });
  const notation = notationTable((symbol, macro) => {
    const readings = { ...said.readings };
    if (macro === null) delete readings[symbol]; else readings[symbol] = macro;
    say({ ...said, readings });
  });

  /** A step of the review; the result follows it. */
  function say(next) {
    before = [...before, said];
    said = next;
    ask();
  }

  const ask = latest(async () => {
    const asked = { ...file, ...said, check: byId("document-check").checked };
    result.setAttribute("aria-busy", "true");
    status.textContent = `Reading ${file.name} …`;
    try {
      show(await post("/document/review", asked));
    } catch (error) {
      status.replaceChildren(element("p", { class: "error" }, error.message));
      if (before.length) said = before.pop(); // what cannot be obeyed is not kept
    }
    result.removeAttribute("aria-busy");
  });

  function open(name, bytes) {
    if (bytes.length > MOST) {
      status.replaceChildren(element("p", { class: "error" }, "The file is larger than 10 MB; use texlift document on the command line."));
      return;
    }
    file = { name: name.slice(-200), data: encoded(bytes) };
    said = NOTHING;
    before = [];
    result.hidden = true;
    ask();
  }

  function show(answer) {
    const counts = Object.entries(answer.counts).map(([state, count]) => `${count} ${state}`).join(", ");
    const total = Object.values(answer.counts).reduce((sum, count) => sum + count, 0);
    status.replaceChildren(
      element("p", {}, `${total} formulae: ${counts || "none"}.`),
      ...answer.problems.slice(0, 20).map((problem) => element("p", { class: "error" }, problem)));
    addresses.forEach((address) => URL.revokeObjectURL(address));
    addresses = [];
    byId("downloads").replaceChildren(...answer.files.map((one) => {
      const type = one.kind === "report" ? "text/html;charset=utf-8" : "application/octet-stream";
      const address = URL.createObjectURL(new Blob([decoded(one.data)], { type }));
      addresses.push(address);
      return element("a", { class: one.kind === "result" ? "button" : "button plain", id: `download-${one.kind}`, download: one.name, href: address, title: one.name }, LABELS[one.kind]);
    }));
    notation.show(answer.symbols, said.readings);
    list.show(answer.changes, answer.more);
    byId("document-undo").disabled = !before.length;
    result.hidden = false;
  }

  const take = async (chosen) => open(chosen.name, new Uint8Array(await chosen.arrayBuffer()));
  byId("file").addEventListener("change", (event) => event.target.files[0] && take(event.target.files[0]));
  for (const name of ["dragenter", "dragover"]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
  });
  byId("paste-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("pasted").value;
    if (text.trim()) open(KINDS.find(([pattern]) => pattern.test(text))[1], new TextEncoder().encode(text));
  });
  byId("document-check").addEventListener("change", () => { if (file) ask(); });
  byId("document-undo").addEventListener("click", () => {
    if (!before.length) return;
    said = before.pop();
    ask();
  });
}
