// The visual editor: a frame that is loaded when it is switched on. The formula field stays what counts.

import { byId, element } from "./element.js";

export function visualEditor(onLatex) {
  const box = byId("visual"), field = byId("latex"), button = byId("visual-toggle");
  let frame = null;
  let ready = false;
  let typed = null; // what came from the editor is not sent back: it may have gone on

  const theme = () => document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const send = (message = {}) => { if (ready) frame.contentWindow.postMessage({ latex: field.value, theme: theme(), ...message }, location.origin); };

  addEventListener("message", ({ source, origin, data }) => {
    if (!frame || source !== frame.contentWindow || origin !== location.origin || !data?.editor) return;
    if (data.ready) { ready = true; send({ focus: true }); }
    if (data.height) frame.style.height = `${Math.min(Math.max(data.height, 48), 600)}px`;
    if (typeof data.latex === "string") onLatex((typed = data.latex));
  });
  button.addEventListener("click", () => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    box.hidden = !on;
    if (on && !frame) {
      frame = element("iframe", { src: "/static/editor/editor.html", title: "Visual editor" });
      box.append(frame);
    } else if (on) send({ focus: true });
  });
  byId("theme").addEventListener("click", () => setTimeout(send));
  return { update: () => { if (field.value !== typed) { typed = null; send(); } } };
}
