// The floating card beside a symbol or a place: what it means, and how to say that it means something else.

import { byId, element, meaning, percent } from "./element.js";

export function floatingCard() {
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

  /** Show content beside a target; a pinned card stays until it is closed, and takes the focus. */
  function show(target, title, content, pin) {
    clearTimeout(leaving);
    if (pinned && !pin) return;
    pinned = pin;
    opener = target;
    card.setAttribute("aria-label", title);
    card.setAttribute("role", pin ? "dialog" : "group");
    card.classList.toggle("passing", !pin); // a card that only explains must not be in the way of a click
    card.replaceChildren(...content);
    if (pin) card.append(element("button", { type: "button", class: "small close", on: { click: () => close() } }, "Close"));
    card.hidden = false;
    place(target);
    if (pin) card.querySelector("input, button")?.focus();
  }

  function hide() {
    card.hidden = true;
    pinned = false;
  }

  /** Hide, and give the focus back to where it came from. */
  function close() {
    if (card.hidden) return;
    const back = pinned && card.contains(document.activeElement) ? opener : null;
    hide();
    if (back?.isConnected) back.focus();
  }

  const leave = () => { if (!pinned) leaving = setTimeout(hide, 250); };
  card.addEventListener("keydown", (event) => {
    const stops = [...card.querySelectorAll("input, li button")];
    const at = stops.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (to === undefined || !stops.length) return;
    event.preventDefault();
    stops[(to + stops.length) % stops.length].focus();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
  document.addEventListener("click", (event) => {
    if (!card.contains(event.target) && event.target.isConnected && !event.target.closest?.(".decision, .handle, #declare")) hide();
  });
  return { show, hide, leave };
}

/** What a place was read as; with `onChoose` also the other readings, to choose from. */
export function readingContent(decision, onChoose) {
  const content = [
    element("p", {}, element("strong", {}, decision.macro || "unchanged"), element("span", { class: "share" }, percent(decision.probability))),
    element("p", {}, meaning(decision.macro ? decision.meaning : "left as it is written", decision.url)),
  ];
  const seen = new Set([decision.macro]);
  const others = decision.competing.filter((reading) => !seen.has(reading.macro) && seen.add(reading.macro));
  if (!onChoose) return others.length ? [...content, element("p", { class: "hint" }, "Click to choose another reading.")] : content;
  const list = element("ul", { "aria-label": "Choose another reading" }, ...others.map((reading) => element("li", {},
    element("button", { type: "button", on: { click: () => onChoose(reading.macro) } },
      element("span", { class: "share" }, percent(reading.probability)), element("code", {}, reading.macro || reading.call), ` ${reading.macro ? reading.meaning : "unchanged"}`))));
  return [...content, others.length ? list : element("p", { class: "hint" }, "No other reading is known here.")];
}
