// The document tab: a whole file in, the translated file and a report out.

import { post } from "./api.js";
import { byId, element, percent } from "./element.js";

const MOST = 10_000_000;
const SHOWN = 500;

export function documentTab() {
  const drop = byId("drop");
  let addresses = [];
  byId("file").addEventListener("change", (event) => event.target.files[0] && send(event.target.files[0]));
  for (const name of ["dragenter", "dragover"]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) send(event.dataTransfer.files[0]);
  });

  async function send(file) {
    const status = byId("document-status");
    byId("document-result").hidden = true;
    if (file.size > MOST) {
      status.replaceChildren(element("p", { class: "error" }, "The file is larger than 10 MB; use texlift document on the command line."));
      return;
    }
    status.textContent = `Translating ${file.name} …`;
    try {
      show(await post(`/document?name=${encodeURIComponent(file.name)}`, file), file.name);
    } catch (error) {
      status.replaceChildren(element("p", { class: "error" }, error.message));
    }
  }

  function show(answer, name) {
    const counts = Object.entries(answer.counts).map(([state, count]) => `${count} ${state}`).join(", ");
    byId("document-status").replaceChildren(
      element("p", {}, `${answer.formulae.length} formulae: ${counts || "none"}.`),
      ...answer.problems.map((problem) => element("p", { class: "error" }, problem)));
    addresses.forEach((address) => URL.revokeObjectURL(address));
    const dot = name.lastIndexOf(".");
    addresses = [offer("download", answer.output, `${name.slice(0, dot)}.lifted${name.slice(dot)}`, "text/plain"), offer("download-report", answer.report, `${name.slice(0, dot)}.report.html`, "text/html")];
    byId("document-table").tBodies[0].replaceChildren(...answer.formulae.slice(0, SHOWN).map((formula) => element("tr", {},
      element("td", {}, String(formula.line)), element("td", { class: `state-${formula.state}` }, formula.state),
      element("td", {}, formula.state === "broken" ? "" : percent(formula.confidence)),
      element("td", {}, element("code", {}, formula.latex)),
      element("td", {}, formula.state === "plain" ? "" : element("code", {}, formula.state === "broken" ? "" : formula.semantic), formula.message ? element("p", { class: "hint" }, formula.message) : ""))));
    byId("document-result").hidden = false;
  }

  function offer(id, text, name, type) {
    const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
    byId(id).href = address;
    byId(id).download = name;
    return address;
  }
}
