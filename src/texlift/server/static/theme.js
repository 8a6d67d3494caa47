// Light and dark: what the system says, until somebody chooses.

import { byId } from "./element.js";

export function theme() {
  const button = byId("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  try {
    chosen = localStorage.getItem("texlift-theme");
  } catch { /* not kept */ }

  function apply() {
    const dark = chosen ? chosen === "dark" : system.matches;
    if (chosen) document.documentElement.dataset.theme = chosen;
    button.setAttribute("aria-pressed", String(dark));
    button.textContent = dark ? "Light" : "Dark";
  }
  button.addEventListener("click", () => {
    chosen = button.getAttribute("aria-pressed") === "true" ? "light" : "dark";
    try {
      localStorage.setItem("texlift-theme", chosen);
    } catch { /* not kept */ }
    apply();
  });
  system.addEventListener("change", apply);
  apply();
}
