// The meaning tree beneath the answer: drawn when it is opened, and as text for those who cannot see it.

import { latest, post } from "./api.js";
import { byId, element } from "./element.js";

export function meaningTree(current) {
  const box = byId("meaning");
  let shown = "";
  let address = "";

  const draw = latest(async ({ semantic, declare, structure }) => {
    try {
      const answer = await post("/parse", { latex: semantic, meaning: true, declare, structure });
      URL.revokeObjectURL(address);
      address = "";
      if (answer.svg) address = URL.createObjectURL(new Blob([answer.svg], { type: "image/svg+xml" }));
      byId("meaning-picture").replaceChildren(answer.svg
        ? element("img", { src: address, alt: `Meaning tree with ${answer.nodes} nodes; the text below says the same` })
        : element("p", { class: "hint" }, `A tree of ${answer.nodes} nodes is too large to draw.`));
      byId("meaning-text").textContent = answer.text;
    } catch (error) {
      byId("meaning-picture").replaceChildren(element("p", { class: "error" }, error.message));
      byId("meaning-text").textContent = "";
    }
  });

  function update() {
    const now = current();
    const key = JSON.stringify([now.semantic, now.declare, now.structure]);
    if (!box.open || !now.semantic || key === shown) return;
    shown = key;
    draw(now);
  }
  box.addEventListener("toggle", update);
  return { update };
}
