// Ambiguous places of the formula (application or product, index or label, …), each with what else it may mean.

import { byId, element, percent } from "./element.js";

const share = (probability) => (probability === null ? "" : ` (${percent(probability)})`);

export function structureTable(onSettle) {
  return {
    show(decisions) {
      byId("structure-box").hidden = !decisions.length;
      byId("structure").tBodies[0].replaceChildren(...decisions.map((decision) => {
        const select = element("select", { "aria-label": `Meaning of ${decision.source}`, on: { change: (event) => onSettle(decision, event.target.value) } },
          element("option", { value: decision.chosen, selected: true }, decision.chosen + share(decision.because === "chosen" ? null : decision.probability)),
          ...decision.alternatives.map((other) => element("option", { value: other.meaning }, other.meaning + share(other.probability))));
        select.disabled = !decision.alternatives.length;
        return element("tr", {}, element("td", {}, element("code", {}, decision.source)), element("td", {}, select), element("td", {}, decision.because));
      }));
    },
  };
}
