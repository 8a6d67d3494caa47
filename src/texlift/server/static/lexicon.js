// The macros tab: search the lexicon.

import { get, latest } from "./api.js";
import { byId, element, meaning } from "./element.js";

export function lexiconTab() {
  const search = latest(async (words) => {
    try {
      const answer = await get(`/macros?limit=60&q=${encodeURIComponent(words)}`);
      byId("found").textContent = answer.total > answer.macros.length ? `${answer.total} macros, the first ${answer.macros.length} shown` : `${answer.total} macros`;
      byId("lexicon").hidden = !answer.macros.length;
      byId("lexicon").tBodies[0].replaceChildren(...answer.macros.map((macro) => element("tr", {},
        element("td", {}, element("code", {}, macro.call)), element("td", {}, element("code", {}, macro.generic)), element("td", {}, meaning(macro.meaning, macro.url)))));
    } catch (error) {
      byId("found").textContent = error.message;
    }
  });
  byId("search").addEventListener("input", (event) => search(event.target.value));
  return { update() { if (byId("lexicon").hidden) search(byId("search").value); } };
}
