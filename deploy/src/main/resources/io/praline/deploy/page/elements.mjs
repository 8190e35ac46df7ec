// Elements, numbers and times, as all views show them. What others wrote becomes text, never markup.

/** An element: attributes by name, listeners by on..., children as nodes or text; what is null or false is left out. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Sets a text only where it is another one, so that nothing is drawn or read out again. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const some = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const money = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 4 });

export const NONE = "\u2013";

export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return NONE;
  return Math.abs(value) >= 100 || Number.isInteger(value) ? whole.format(value) : some.format(value);
}

export const amount = (value) => (value === null || value === undefined ? NONE : money.format(value));
export const percent = (share) => (share === null || share === undefined ? NONE : whole.format(100 * share) + " %");

export const counted = (value, what) => number(value) + " " + what + (value === 1 ? "" : "s");

export function bytes(value) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let at = 0;
  let left = value;
  while (left >= 1000 && at < units.length - 1) {
    left /= 1000;
    at++;
  }
  return some.format(left) + " " + units[at];
}

export function nanos(value) {
  if (value >= 1e9) return some.format(value / 1e9) + " s";
  if (value >= 1e6) return some.format(value / 1e6) + " ms";
  return some.format(value / 1e3) + " \u00b5s";
}

const sameDay = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const otherDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** A moment, by the browser's own clock and zone. */
export function moment(millis) {
  if (!millis) return NONE;
  const at = new Date(millis);
  return (at.toDateString() === new Date().toDateString() ? sameDay : otherDay).format(at);
}

/** A command to type, with a button that copies it. */
export function command(text) {
  const button = el("button", { type: "button", "aria-label": "Copy: " + text }, "copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      // not everywhere may a page write there: then it is selected, for the user's own copying
      getSelection().selectAllChildren(code);
      button.textContent = "selected";
    }
    setTimeout(() => (button.textContent = "copy"), 2000);
  });
  const code = el("code", {}, text);
  return el("span", { class: "command" }, code, button);
}

export function commands(texts) {
  return el("div", { class: "commands" }, texts.map(command));
}

/** A table that scrolls by itself where it is wider than the page; cells are nodes or text. Its caption is read out, and seen where no head says it. */
export function table(caption, heads, rows, shown = false) {
  const body = rows.map((row) => el("tr", {}, row.map((cell, at) =>
    el(at === 0 ? "th" : "td", at === 0 ? { scope: "row" } : { class: heads[at].right ? "right" : heads[at].words ? "words" : null }, cell))));
  return el("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": caption },
    el("table", {},
      el("caption", { class: shown ? null : "unseen" }, caption),
      el("thead", {}, el("tr", {}, heads.map((head) =>
        el("th", { scope: "col", class: head.right ? "right" : null }, head.name ?? head)))),
      el("tbody", {}, body)));
}

export const right = (name) => ({ name, right: true });

/** A column of sentences, which may break. */
export const words = (name) => ({ name, words: true });

/** A named figure. */
export function figure(name, value) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, value));
}

/** Progress, 0 to 1. */
export function bar() {
  const made = el("progress", { max: "1", "aria-label": "progress" });
  return made;
}

/**
 * Makes the children of a parent be those of the items, in their order: elements of items that stay are kept, so that focus,
 * what is opened and where one has scrolled stay too.
 */
export function keyed(parent, items, key, make, update) {
  const known = parent.known ?? (parent.known = new Map());
  const wanted = new Set();
  let at = parent.firstElementChild;
  for (const item of items) {
    const id = key(item);
    wanted.add(id);
    let made = known.get(id);
    if (!made) {
      made = { element: make(item), shown: null };
      known.set(id, made);
    }
    if (made.shown !== item) {
      update(made.element, item);
      made.shown = item;
    }
    if (made.element === at) at = at.nextElementSibling;
    else parent.insertBefore(made.element, at);
  }
  for (const [id, made] of known) {
    if (!wanted.has(id)) {
      made.element.remove();
      known.delete(id);
    }
  }
}
