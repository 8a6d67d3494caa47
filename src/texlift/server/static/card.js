// The card beside a span: what it was read as, and what else it could be.

import { byId, element, meaning, percent } from "./element.js";

export function readingCard(onChoose) {
  const card = byId("card");
  let leaving = 0;
  let pinned = false;
  let opener = null;

  function place(target) {
    const box = target.getBoundingClientRect();
    const width = card.offsetWidth;
    card.style.left = `${Math.max(8, Math.min(window.scrollX + box.left, window.scrollX + document.documentElement.clientWidth - width - 8))}px`;
    card.style.top = `${window.scrollY + box.bottom + 6}px`;
  }

  function show(decision, target, pin) {
    clearTimeout(leaving);
    if (pinned && !pin) return;
    pinned = pin;
    opener = target;
    card.replaceChildren(
      element("p", {}, element("strong", {}, decision.macro || "unchanged"), element("span", { class: "share" }, percent(decision.probability))),
      element("p", {}, meaning(decision.macro ? decision.meaning : "left as it is written", decision.url)),
    );
    if (pin) {
      const list = element("ul", { "aria-label": "Choose another reading" });
      const seen = new Set([decision.macro]);
      const others = decision.competing.filter((reading) => !seen.has(reading.macro) && seen.add(reading.macro));
      for (const reading of others) {
        const choose = () => { hide(); onChoose(decision, reading.macro); };
        list.append(element("li", {}, element("button", { type: "button", on: { click: choose } },
          element("span", { class: "share" }, percent(reading.probability)), element("code", {}, reading.macro || reading.call), ` ${reading.macro ? reading.meaning : "unchanged"}`)));
      }
      card.append(others.length ? list : element("p", { class: "hint" }, "No other reading is known here."));
    } else if (decision.competing.length) {
      card.append(element("p", { class: "hint" }, "Click to choose another reading."));
    }
    card.hidden = false;
    place(target);
    if (pin) card.querySelector("button")?.focus();
  }

  function hide() {
    card.hidden = true;
    pinned = false;
  }

  const leave = () => { if (!pinned) leaving = setTimeout(hide, 250); };
  card.addEventListener("mouseenter", () => clearTimeout(leaving));
  card.addEventListener("mouseleave", leave);
  card.addEventListener("keydown", (event) => {
    const buttons = [...card.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to === undefined || !buttons.length) return;
    event.preventDefault();
    buttons[(to + buttons.length) % buttons.length].focus();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });
  document.addEventListener("click", (event) => {
    if (!card.contains(event.target) && !event.target.closest?.(".decision")) hide();
  });
  return { show, hide, leave, opener: () => opener };
}
