// The page: hears what changes, and shows the view that the address names.
import { say, el } from "./elements.mjs";
import { jobsView } from "./jobs.mjs";
import { jobView } from "./job.mjs";
import { workersView, poolsView, topicsView } from "./cluster.mjs";

const EVENTS = "/api/v1/events";
const AGAIN_MILLIS = 2000;

const state = { source: null, jobs: new Map(), workers: [], pools: [], topics: null, cache: [] };
const main = document.getElementById("main");
let view = null;
let drawn = false;

const views = { jobs: jobsView, workers: workersView, pools: poolsView, topics: topicsView };

/** What an address that somebody may have typed says; as it stands where it is not written as addresses are. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function route() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  const chosen = Object.hasOwn(views, name) ? name : "jobs";
  const id = name === "jobs" && rest.length > 0 ? decoded(rest.join("/")) : null;
  view?.close?.();
  view = id ? jobView(id) : views[chosen]();
  main.replaceChildren(view.element);
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === "#/" + chosen) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = (id ? id + " \u00b7 " : "") + "Praline";
  draw();
}

/** Once for all that came since the last picture of the screen. */
function draw() {
  if (drawn) return;
  drawn = true;
  requestAnimationFrame(() => {
    drawn = false;
    tell();
    if (state.source) view.update(state);
  });
}

let connected = false;

function tell() {
  const source = state.source;
  const where = !source ? "connecting" : source.live ? source.what : "recorded: " + source.what;
  say(document.getElementById("source"), (connected || !source ? "" : "reconnecting \u00b7 ") + where);
  const trouble = document.getElementById("trouble");
  const text = source && !connected
    ? "The page has lost its server, and tries again: what is shown is old. 'praline console' starts it."
    : source?.trouble ?? "";
  say(trouble, text);
  trouble.hidden = text === "";
}

const took = {
  all(data) {
    Object.assign(state, data, { jobs: new Map(data.jobs.map((job) => [job.job, job])) });
  },
  source: (data) => (state.source = data),
  jobs: (data) => data.forEach((job) => state.jobs.set(job.job, job)),
  gone: (data) => data.forEach((job) => state.jobs.delete(job)),
  workers: (data) => (state.workers = data),
  pools: (data) => (state.pools = data),
  topics: (data) => (state.topics = data),
  cache: (data) => (state.cache = data),
};

function listen() {
  const events = new EventSource(EVENTS);
  events.onopen = () => {
    connected = true;
    draw();
  };
  events.onerror = () => {
    connected = false;
    draw();
    // a browser gives up by itself what was refused, such as by a server that is just starting
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN_MILLIS);
  };
  for (const [name, take] of Object.entries(took)) {
    events.addEventListener(name, (event) => {
      take(JSON.parse(event.data));
      draw();
    });
  }
}

addEventListener("hashchange", () => {
  route();
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
});
main.replaceChildren(el("p", { class: "quiet" }, "connecting"));
route();
listen();
