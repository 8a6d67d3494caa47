// The visual editor in its frame: LaTeX comes from the page, what is typed goes back to it.

import { MathfieldElement } from "./mathlive.min.mjs";

// MathLive's own names for what everybody writes otherwise
const NAMES = [[/\\differentialD(?![A-Za-z])/g, "\\mathrm{d}"], [/\\exponentialE(?![A-Za-z])/g, "e"], [/\\imaginaryI(?![A-Za-z])/g, "i"], [/\\placeholder(\[[^\]]*\])?\{\}/g, ""]];

MathfieldElement.fontsDirectory = null; // editor.css has the fonts
MathfieldElement.soundsDirectory = null;

const field = new MathfieldElement();
field.setAttribute("aria-label", "Formula, visual editor");
field.mathVirtualKeyboardPolicy = "sandboxed";
field.removeExtraneousParentheses = false; // those of \Gamma(x) are not
document.body.append(field);
field.menuItems = []; // would offer what texlift does not do; only possible once the field is on the page

const tell = (message) => parent.postMessage({ editor: true, ...message }, location.origin);
const plain = () => NAMES.reduce((text, [pattern, name]) => text.replace(pattern, name), field.getValue("latex"));
const measure = () => tell({ height: Math.ceil(field.getBoundingClientRect().height + (window.mathVirtualKeyboard?.boundingRect.height ?? 0) + 8) });

field.addEventListener("input", () => { tell({ latex: plain() }); measure(); });
window.mathVirtualKeyboard?.addEventListener("geometrychange", measure);
new ResizeObserver(measure).observe(field);
addEventListener("message", (event) => {
  if (event.source !== parent || event.origin !== location.origin) return;
  document.documentElement.dataset.theme = event.data.theme;
  if (typeof event.data.latex === "string" && event.data.latex !== plain()) field.setValue(event.data.latex, { silenceNotifications: true });
  if (event.data.focus) field.focus();
});
tell({ ready: true });
