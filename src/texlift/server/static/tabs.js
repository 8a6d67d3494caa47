// Tabs as the ARIA pattern describes them: arrows move, the panel belongs to the selected tab.

export function tabs(list, onSelect = () => {}) {
  const all = () => [...list.querySelectorAll('[role="tab"]')];

  const shared = new Set(all().map((tab) => tab.getAttribute("aria-controls"))).size === 1; // one panel for all

  function select(tab, focus = false) {
    for (const other of all()) {
      const chosen = other === tab;
      other.setAttribute("aria-selected", String(chosen));
      other.tabIndex = chosen ? 0 : -1;
      const panel = document.getElementById(other.getAttribute("aria-controls"));
      if (!shared) panel.hidden = !chosen;
    }
    if (focus) tab.focus();
    onSelect(tab);
  }

  list.addEventListener("click", (event) => {
    const tab = event.target.closest('[role="tab"]');
    if (tab) select(tab);
  });
  list.addEventListener("keydown", (event) => {
    const own = all();
    const at = own.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: own.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    select(own[(to + own.length) % own.length], true);
  });
  return { select, selected: () => all().find((tab) => tab.getAttribute("aria-selected") === "true") };
}
