// Building pieces of the page. Text is always set as text, never as markup.

export const byId = (id) => document.getElementById(id);

/** An element with attributes and children; strings become text. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** An SVG element. */
export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** MathML from the server, which sends known elements only. */
export function math(markup) {
  const parsed = new DOMParser().parseFromString(markup, "text/html").querySelector("math");
  return parsed ? document.importNode(parsed, true) : document.createTextNode("");
}

export const percent = (share) => `${(100 * share).toFixed(share > 0.999 || share < 0.1 ? 1 : 0)} %`;

/** A link to the DLMF, or plain text where there is none. */
export function meaning(text, url) {
  if (!url || !url.startsWith("https://")) return document.createTextNode(text);
  return element("a", { href: url, rel: "noreferrer", target: "_blank" }, text);
}

/** Copy a text and say so on the button. */
export async function copy(text, button) {
  const label = button.dataset.label ?? (button.dataset.label = button.textContent);
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Not allowed";
  }
  setTimeout(() => { button.textContent = label; }, 1500);
}
