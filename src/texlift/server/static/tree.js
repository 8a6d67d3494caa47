// The tree tab: the parse tree as a picture, and as text for those who cannot see it.

import { latest, post } from "./api.js";
import { byId, element } from "./element.js";

export function treeTab(current) {
  let shown = "";
  let address = "";

  const draw = latest(async (latex, semantic, binary) => {
    try {
      const answer = await post("/parse", { latex, semantic, binary });
      URL.revokeObjectURL(address);
      if (answer.svg) {
        address = URL.createObjectURL(new Blob([answer.svg], { type: "image/svg+xml" }));
        byId("tree").replaceChildren(element("img", { src: address, alt: `Parse tree with ${answer.nodes} nodes; the text below says the same` }));
      } else {
        byId("tree").replaceChildren(element("p", { class: "hint" }, `A tree of ${answer.nodes} nodes is too large to draw.`));
      }
      byId("tree-text").textContent = answer.text;
    } catch (error) {
      byId("tree").replaceChildren(element("p", { class: "error" }, error.message));
      byId("tree-text").textContent = "";
    }
  });

  function update() {
    const { latex, semantic } = current();
    const ofSemantic = byId("tree-semantic").checked;
    const source = ofSemantic ? semantic : latex;
    const key = JSON.stringify([source, ofSemantic, byId("tree-binary").checked]);
    if (!source || key === shown) return;
    shown = key;
    draw(source, ofSemantic, byId("tree-binary").checked);
  }
  for (const id of ["tree-semantic", "tree-binary"]) byId(id).addEventListener("change", update);
  return { update };
}
