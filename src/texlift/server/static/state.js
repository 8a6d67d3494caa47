// What the user has said about the formula: readings of places, meanings of ambiguous places, declarations.
// Every step can be taken back, and all of it is part of the link to the page.

const MOST = 100;
const NOTHING = { choices: [], structure: [], declare: {} };

export function userState(onChange) {
  let now = NOTHING;
  let before = [];

  function set(next, quiet = false) {
    before = [...before, now].slice(-MOST);
    now = next;
    if (!quiet) onChange();
  }
  const apart = (list, one) => list.filter((other) => other.start !== one.start || other.end !== one.end);

  return {
    now: () => now,
    isEmpty: () => !now.choices.length && !now.structure.length && !Object.keys(now.declare).length,
    canUndo: () => before.length > 0,
    /** The reading of a place. The semantic form changes with it, so places in that form are forgotten. */
    choose(decision, macro) {
      const choice = { start: decision.start, end: decision.end, macro };
      set({ ...now, structure: [], choices: [...apart(now.choices, choice), choice] });
    },
    settle(decision, meaning) {
      set({ ...now, structure: [...now.structure.filter((other) => other.start !== decision.start), { start: decision.start, source: decision.source, meaning }] });
    },
    declare(name, meaning) {
      set({ ...now, structure: [], declare: { ...now.declare, [name]: meaning } });
    },
    remove(kind, key) {
      if (kind === "declare") set({ ...now, declare: Object.fromEntries(Object.entries(now.declare).filter(([name]) => name !== key)) });
      else set({ ...now, [kind]: now[kind].filter((other) => other.start !== key) });
    },
    undo() {
      if (!before.length) return;
      now = before.at(-1);
      before = before.slice(0, -1);
      onChange();
    },
    clear() { set(NOTHING); },
    /** Another formula: places no longer mean anything, declarations do. */
    retyped() {
      before = [];
      if (now.choices.length || now.structure.length) now = { ...NOTHING, declare: now.declare };
    },
    open(next) {
      before = [];
      now = next ?? NOTHING;
    },
  };
}

/** A link's part behind the #. */
export function written(latex, context, constants, { choices, structure, declare }) {
  const link = new URLSearchParams({ latex });
  if (context) link.set("context", context);
  if (constants) link.set("constants", "1");
  for (const choice of choices) link.append("choose", `${choice.start},${choice.end},${choice.macro}`);
  for (const place of structure) link.append("place", `${place.start},${place.meaning},${place.source}`);
  for (const [name, meaning] of Object.entries(declare)) link.append("declare", `${name}: ${meaning}`);
  return `#${link}`;
}

/** The same, read again; what is not of this form is left out, what cannot be obeyed the service refuses. */
export function opened(hash) {
  const link = new URLSearchParams(hash.replace(/^#/, ""));
  if (!link.get("latex")) return null;
  const parts = (name, pattern) => link.getAll(name).slice(0, MOST).map((text) => pattern.exec(text)).filter(Boolean);
  return {
    latex: link.get("latex"), context: link.get("context") ?? "", constants: link.has("constants"),
    said: {
      choices: parts("choose", /^(\d{1,6}),(\d{1,6}),(\\?[A-Za-z]*)$/).map(([, start, end, macro]) => ({ start: Number(start), end: Number(end), macro })),
      structure: parts("place", /^(\d{1,6}),([a-z ]+),([^]+)$/).map(([, start, meaning, source]) => ({ start: Number(start), source, meaning })),
      declare: Object.fromEntries(parts("declare", /^([^]+): ([^:]+)$/).slice(0, 50).map(([, name, meaning]) => [name, meaning])),
    },
  };
}
