// One job: what limits it, its ledger, its steps, who takes part, and every decision with its numbers.
import {
  el, say, counted, number, percent, bytes, nanos, moment, table, right, words, commands, bar, keyed,
} from "./elements.mjs";
import { charts } from "./charts.mjs";
import { files } from "./files.mjs";
import { figures, stateOf } from "./jobs.mjs";

const AGAIN_MILLIS = 2000;
const LAST = 300;

const quiet = (text) => el("p", { class: "quiet" }, text);

/** Elements, and splits with others of which nobody knows yet how many they are. */
const doubt = (elements, splits) => number(elements) + (splits > 0 ? " and " + counted(splits, "uncounted split") : "");

function ledger(job) {
  if (job.progress.length === 0) return quiet("No epoch has begun.");
  return table("Ledger", [
    "epoch", right("splits"), right("elements"), right("consumed"), right("owed"), words("excluded"), right("possibly twice"), "state"],
  job.progress.map((epoch) => [
    String(epoch.epoch),
    number(epoch.splitsClosed) + " of " + number(job.splits),
    number(epoch.elements),
    number(epoch.consumed),
    number(epoch.owed),
    Object.entries(epoch.excluded).map(([why, many]) => number(many) + " " + why).join(", ") || "0",
    doubt(epoch.possiblyTwice, epoch.possiblyTwiceSplits),
    epoch.complete ? "complete" : epoch.delivered ? "delivered" : "open",
  ]));
}

/** The steps as a chain, each with its share of the time and its bytes. */
function chain(job) {
  const all = job.transformations.reduce((sum, step) => sum + step.nanos, 0);
  if (job.transformations.length === 0) return quiet("Not measured yet.");
  return el("ol", { class: "chain" }, job.transformations.map((step) => {
    const each = Math.max(1, step.elements);
    const share = all > 0 ? step.nanos / all : 0;
    return el("li", {},
      el("strong", {}, step.name), " ", el("span", { class: "quiet" }, step.kind),
      el("meter", { min: "0", max: "1", value: String(share), "aria-label": "share of the time" }),
      el("span", {}, percent(share) + " of the time, " + nanos(step.nanos / each) + " each"),
      el("span", {}, bytes(step.bytes / each) + " each, " + bytes(step.bytes) + " in all"));
  }));
}

function consumers(job) {
  if (job.slots.length === 0) return quiet("None is known.");
  return table("Consumers", ["consumer", "state", right("generation"), "host", right("in doubt"), "since"],
    job.slots.map((slot) => [
      String(slot.consumer),
      slot.state === "IN_DOUBT" ? el("strong", {}, "in doubt") : slot.state.toLowerCase(),
      number(slot.generation), slot.host, doubt(slot.inDoubt, slot.inDoubtSplits), moment(slot.sinceMillis)]));
}

function attempts(job) {
  if (job.attempts.length === 0) return quiet("None serves it.");
  return table("Attempts", ["attempt", "worker", "host", "where", "state"], job.attempts.map((one) => [
    one.epoch + "/" + one.attempt, one.worker, one.host, one.local ? "local" : "remote", one.fenced ? "fenced" : "serves"]));
}

function facts(job) {
  const lines = [];
  const guarantee = job.guarantee.toLowerCase().replaceAll("_", " ");
  lines.push(["promise", guarantee + (job.guaranteeReasons.length > 0 ? ": " + job.guaranteeReasons.join("; ") : "")]);
  if (job.pipeline) lines.push(["pipeline", job.pipeline]);
  if (job.order) {
    lines.push(["order", job.order.mode + ", " + job.order.state + (job.order.reason ? ": " + job.order.reason : "")
      + (job.order.moved.length > 0 ? "; moved: " + job.order.moved.join("; ") : "")]);
  }
  if (job.cache) lines.push(["cache", counted(job.cacheHits, "element") + " came from entries: " + job.cache]);
  lines.push(["pool, tenant", job.pool + (job.tenant ? ", " + job.tenant : "")]);
  lines.push(["submitted", moment(job.submittedAtMillis) + ", changed " + moment(job.changedAtMillis)]);
  if (job.epochs > 0) lines.push(["plan", counted(job.splits, "split") + ", " + counted(job.epochs, "epoch") + ", seed " + job.seed]);
  return el("dl", { class: "facts" }, lines.flatMap(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
}

function decision(one) {
  const made = el("details", { class: "decision", id: "decision-" + one.sequence });
  made.parts = { summary: el("summary"), lines: el("pre", { tabindex: "0" }) };
  made.append(made.parts.summary, made.parts.lines);
  return made;
}

function fillDecision(made, one) {
  made.classList.toggle("shadow", one.seen.kind.startsWith("shadow:"));
  made.parts.summary.replaceChildren(
    el("time", { datetime: one.at }, moment(one.atMillis)), " ",
    el("span", {}, one.decided.length > 0 ? one.lines[1].trim() : one.seen.kind + ": " + one.reason));
  say(made.parts.lines, one.lines.join("\n"));
}

/** The journal's newest entries, read again when there are more. */
function decisions(id) {
  const list = el("div");
  const every = el("input", { type: "checkbox", id: "every" });
  const note = el("p", { class: "quiet" }, "reading");
  let entries = [];
  let through = -1;
  let asked = 0;
  let timer = null;

  function draw() {
    const shown = entries.filter((one) => every.checked || one.decided.length > 0).reverse();
    keyed(list, shown, (one) => one.sequence, decision, fillDecision);
    const all = entries.length === 0 ? 0 : entries.at(-1).sequence + 1;
    say(note, all === 0 ? "Nothing was decided yet." : shown.length + " of " + number(all) + " turns, newest first");
  }
  every.addEventListener("change", draw);

  async function read(newest) {
    asked = Date.now();
    try {
      const answer = await fetch("/api/v1/jobs/" + encodeURIComponent(id) + "/explanation?last=" + LAST);
      if (answer.ok) {
        const told = await answer.json();
        entries = told.explanation;
        // what was decided since it was asked for comes with the next reading
        through = Math.max(newest, told.entries);
        draw();
      } else {
        say(note, answer.status === 404 ? "Nothing was decided yet." : (await answer.text()).trim());
      }
    } catch {
      say(note, "The journal cannot be read just now.");
    }
  }

  return {
    element: el("section", {}, el("h2", {}, "Decisions"),
      el("p", {}, el("label", {}, every, " every turn, those that changed nothing too")), note, list),
    update(job) {
      if (job.now.decisions <= through || timer) return;
      timer = setTimeout(async () => {
        await read(job.now.decisions);
        timer = null;
      }, Math.max(0, asked + AGAIN_MILLIS - Date.now()));
    },
    close: () => clearTimeout(timer),
    open(sequence) {
      const found = document.getElementById("decision-" + sequence);
      if (found) {
        found.open = true;
        found.scrollIntoView({ block: "center" });
        found.querySelector("summary").focus({ preventScroll: true });
      }
    },
  };
}

export function jobView(id) {
  const state = el("span", { class: "state" });
  const sentence = el("p", { class: "sentence" });
  const advice = el("p", { class: "advice" });
  const todo = el("div");
  const progress = bar();
  const numbers = el("dl", { class: "figures" });
  const top = el("article", {}, sentence, advice, todo, progress, numbers);
  const change = el("div");
  const about = el("div");
  const parts = [
    ["Ledger", ledger, "progress"], ["Steps", chain, "transformations"], ["Consumers", consumers, "slots"], ["Attempts", attempts, "attempts"],
  ].map(([name, draw, rows]) => ({ draw, body: el("div"), name, rows }));
  const bad = el("ul", { class: "bad" });
  const badPart = el("section", { hidden: true }, el("h2", {}, "Bad records"), bad);
  const byFile = files(id);
  const log = decisions(id);
  const course = charts(id, log.open);
  const body = el("div", {},
    top, course.element, about,
    parts.map((part) => el("section", {}, el("h2", {}, part.name), part.body,
      part.draw === ledger ? byFile.element : null)),
    badPart, log.element,
    el("section", {}, el("h2", {}, "Change it"),
      el("p", { class: "quiet" }, "This page changes nothing; these commands do."), change));
  const missing = quiet("No job with this id is known.");
  missing.hidden = true; // until it is heard which jobs there are
  const element = el("section", { "aria-label": "Job " + id },
    el("p", {}, el("a", { href: "#/jobs" }, "All jobs")), el("h1", {}, id, " ", state), body, missing);
  let shown = null;

  function update(all) {
    const job = all.jobs.get(id);
    body.hidden = !job;
    missing.hidden = !!job;
    if (!job || job === shown) return;
    shown = job;
    top.className = "job " + job.now.urgency;
    say(state, stateOf(job));
    say(sentence, job.now.sentence);
    say(advice, job.now.advice);
    advice.hidden = job.now.advice === "";
    refill(todo, job.now.commands);
    refill(change, job.now.change);
    progress.value = job.share;
    progress.hidden = job.epochs === 0;
    numbers.replaceChildren(...figures(job));
    about.replaceChildren(facts(job));
    for (const part of parts) {
      const untold = !all.source.live && job[part.rows].length === 0; // what a journal does not tell may have been all the same
      part.body.replaceChildren(untold ? quiet("The journal does not tell.") : part.draw(job));
    }
    badPart.hidden = job.badRecords.length === 0;
    bad.replaceChildren(...job.badRecords.map((line) => el("li", {}, line)));
    byFile.update(job);
    log.update(job);
    course.update(job);
  }

  return {
    element,
    update,
    close() {
      byFile.close();
      log.close();
      course.close();
    },
  };
}

/** Commands, made anew only where they are others: a button that has the focus keeps it. */
function refill(where, texts) {
  const told = texts.join("\n");
  if (where.told === told) return;
  where.told = told;
  where.replaceChildren(...(texts.length > 0 ? [commands(texts)] : []));
}
