// All jobs: first what limits each, those that want somebody first.
import { el, say, number, amount, percent, figure, bar, keyed, commands, NONE } from "./elements.mjs";

const URGENCY = { act: 0, look: 1, fine: 2 };
const DAY_MILLIS = 24 * 3600 * 1000;

export const stateOf = (job) => job.state + (job.waitingFor ? " (" + job.waitingFor + ")" : "");

export const workersOf = (now) => {
  const has = now.remote + " + " + now.local;
  const wants = now.wantedRemote + " + " + now.wantedLocal;
  return has === wants ? has : has + " of " + wants;
};

export const spentOf = (now) =>
  now.spent === null ? NONE : amount(now.spent) + (now.cap === null ? "" : " of " + amount(now.cap));

/** The one that wants somebody most first; among those alike the slowest, then the newest. */
export function order(one, other) {
  return URGENCY[one.now.urgency] - URGENCY[other.now.urgency]
    || (other.now.waitShare ?? 0) - (one.now.waitShare ?? 0)
    || other.submittedAtMillis - one.submittedAtMillis
    || one.job.localeCompare(other.job);
}

/** Whether it is folded away: ended, unless it failed within a day of the newest that is known. */
const folded = (job, newest) => job.ended && !(job.state === "FAILED" && newest - job.changedAtMillis < DAY_MILLIS);

function card(job) {
  const parts = {
    state: el("span", { class: "state" }),
    sentence: el("p", { class: "sentence" }),
    advice: el("p", { class: "advice" }),
    commands: el("div"),
    progress: bar(),
    figures: el("dl", { class: "figures" }),
  };
  const made = el("article", {},
    el("h2", {}, el("a", { href: "#/jobs/" + encodeURIComponent(job.job) }, job.job), " ", parts.state),
    parts.sentence, parts.advice, parts.commands, parts.progress, parts.figures);
  made.parts = parts;
  return made;
}

function fill(made, job) {
  const { parts } = made;
  const now = job.now;
  made.className = "job " + now.urgency + (job.ended ? " ended" : "");
  say(parts.state, stateOf(job));
  say(parts.sentence, now.sentence);
  say(parts.advice, now.advice);
  parts.advice.hidden = now.advice === "";
  const told = now.commands.join("\n");
  if (parts.commands.told !== told) {
    parts.commands.told = told;
    parts.commands.replaceChildren(...(now.commands.length > 0 ? [commands(now.commands)] : []));
  }
  parts.progress.value = job.share;
  parts.progress.hidden = job.ended || job.epochs === 0;
  parts.figures.replaceChildren(...figures(job));
}

export function figures(job) {
  const now = job.now;
  const goes = job.state === "RUNNING";
  const complete = job.progress.filter((epoch) => epoch.complete).length;
  return [
    job.epochs > 0 && figure("epochs", complete + " of " + job.epochs),
    job.epochs > 0 && figure("elements", number(job.elements)),
    goes && now.elementsPerSecond !== null && figure("elements/s", number(now.elementsPerSecond)),
    goes && now.waitShare !== null && figure("trainer waits", percent(now.waitShare)),
    !job.ended && figure("workers, remote + local", workersOf(now)),
    now.spent !== null && figure("spent", spentOf(now)),
    job.cacheHits > 0 && figure("from cache", number(job.cacheHits)),
  ].filter(Boolean);
}

export function jobsView() {
  const summary = el("p", { class: "quiet" });
  const open = el("div", { class: "cards" });
  const ended = el("div", { class: "cards" });
  const count = el("summary");
  const fold = el("details", { class: "fold" }, count, ended);
  // what nobody sees is not made
  let last = null;
  fold.addEventListener("toggle", () => last && update(last));

  function update(state) {
    last = state;
    const all = [...state.jobs.values()];
    const newest = Math.max(Date.now(), ...(state.source.live ? [] : all.map((job) => job.changedAtMillis)));
    const shown = all.filter((job) => !folded(job, newest)).sort(order);
    const away = all.filter((job) => folded(job, newest)).sort((a, b) => b.changedAtMillis - a.changedAtMillis);
    const going = shown.filter((job) => !job.ended);
    const wanting = going.filter((job) => job.now.urgency === "act").length;
    const failed = shown.length - going.length;
    say(summary, all.length === 0
      ? "No job is known yet: 'praline run' submits one."
      : going.length + (going.length === 1 ? " job goes on" : " jobs go on")
        + (wanting > 0 ? ", " + wanting + (wanting === 1 ? " waits" : " wait") + " for somebody" : "")
        + (failed > 0 ? ", " + failed + " failed" : ""));
    keyed(open, shown, (job) => job.job, card, fill);
    say(count, "Ended (" + away.length + ")");
    fold.hidden = away.length === 0;
    if (fold.hidden && fold.open) fold.open = false;
    if (shown.length === 0 && away.length > 0 && !fold.opened) fold.open = fold.opened = true;
    keyed(ended, fold.open ? away : [], (job) => job.job, card, fill);
  }

  return { element: el("section", { "aria-label": "Jobs" }, el("h1", {}, "Jobs"), summary, open, fold), update };
}
