// Workers, pools with their tenants, topics.
import { el, say, counted, number, amount, bytes, moment, table, right, words, NONE } from "./elements.mjs";

/** A view that is made anew whenever what it shows is another; where one is with the keyboard in a table stays. */
function redrawn(title, of, draw) {
  const body = el("div");
  let shown = null;
  return {
    element: el("section", { "aria-label": title }, el("h1", {}, title), body),
    update(state) {
      const now = of(state);
      if (shown === now) return;
      shown = now;
      const held = [...body.querySelectorAll(".scrolls")].map((each) => each.scrollLeft);
      const focused = [...body.querySelectorAll(".scrolls")].indexOf(document.activeElement);
      body.replaceChildren(...draw(now).filter(Boolean));
      const tables = [...body.querySelectorAll(".scrolls")];
      tables.forEach((each, at) => (each.scrollLeft = held[at] ?? 0));
      if (focused >= 0) tables[focused]?.focus({ preventScroll: true });
    },
  };
}

const links = (jobs) => jobs.flatMap((job, at) => [
  at > 0 ? ", " : null, el("a", { href: "#/jobs/" + encodeURIComponent(job) }, job)]);

const quiet = (text) => el("p", { class: "quiet" }, text);

export const workersView = () => redrawn("Workers", (state) => state.workers, (workers) => [
  workers.length === 0
    ? quiet("No worker was heard of in the last seconds: 'praline worker' starts one.")
    : table(counted(workers.length, "worker"), [
      "worker", "state", right("tasks"), right("elements/s"), right("MB/s"), right("outbox"), right("load"), words("jobs"), "host", "pool",
      right("last beat")],
    workers.map((one) => [
      one.worker,
      one.draining ? el("strong", {}, "draining") : one.local ? "local" : "ready",
      one.tasks + " of " + one.slots,
      number(one.elementsPerSecond),
      number(one.mbPerSecond),
      bytes(one.outboxBytes),
      one.load < 0 ? NONE : number(one.load) + " of " + one.cores,
      el("span", {}, links(one.jobs)),
      one.host,
      one.pool,
      moment(one.beatAtMillis),
    ]), true),
]);

const has = (some, wanted) => (some === wanted ? number(some) : number(some) + " of " + number(wanted));

const shares = (tenants) => table("Shares", ["job", "tenant", right("weight"), right("remote"), right("local")],
  tenants.flatMap((tenant) => tenant.shares.map((share) => [
    el("a", { href: "#/jobs/" + encodeURIComponent(share.job) }, share.job), tenant.tenant || NONE, number(share.weight),
    has(share.remote, share.wantedRemote), has(share.local, share.wantedLocal)])), true);

const untold = (tenants) => tenants.reduce((sum, tenant) => sum + tenant.open - tenant.shares.length, 0);

export const poolsView = () => redrawn("Pools", (state) => state.pools, (pools) => pools.length === 0
  ? [quiet("No pool has a worker or a job.")]
  : pools.flatMap((pool) => [
    el("h2", {}, "Pool " + pool.pool),
    el("p", {},
      counted(pool.wanted, "worker") + (pool.wanted === 1 ? " is" : " are") + " wanted, "
      + pool.present + (pool.present === 1 ? " is" : " are") + " there"
      + (pool.draining > 0 ? ", " + pool.draining + " of them about to leave" : "")
      + (pool.most === null ? "" : "; " + pool.most + " at most are started")
      + "; " + pool.tasks + " of " + counted(pool.slots, "slot") + (pool.tasks === 1 ? " serves, " : " serve, ") + number(pool.elementsPerSecond) + " elements/s."
      + (pool.reason ? " Wanted since " + moment(pool.decidedAtMillis) + ": " + pool.reason + "." : "")),
    pool.tenants.length > 0 && table("Tenants",
      ["tenant", right("jobs"), right("remote"), right("local"), right("spent"), right("cap")],
      pool.tenants.map((tenant) => [
        tenant.tenant || NONE, number(tenant.open), number(tenant.remote), number(tenant.local), amount(tenant.spent),
        tenant.cap === null ? "none" : amount(tenant.cap)]), true),
    pool.tenants.some((tenant) => tenant.shares.length > 0) && shares(pool.tenants),
    untold(pool.tenants) > 0 && quiet("and " + number(untold(pool.tenants)) + " more"),
  ]));

function lag(topics) {
  const names = Object.keys(topics.lag);
  if (topics.lagUnknown) return quiet("How far the dispatcher is behind is not known: " + topics.lagUnknown);
  if (names.length === 0) return quiet("No dispatcher has read anything yet.");
  return table("How far the dispatcher is behind", ["topic", right("records")],
    names.map((name) => [name, number(topics.lag[name])]), true);
}

function kept(cache) {
  if (cache.length === 0) return quiet("Nothing is kept.");
  return table("What is kept to be read again",
    ["prefix", words("steps"), right("entries"), right("size"), right("saved"), "last use", "pinned", "tenant"],
    cache.map((group) => [
      group.prefix.slice(0, 12), group.steps, number(group.entries), bytes(group.bytes), number(group.secondsSaved) + " s",
      moment(group.lastUse), group.pinned ? "yes" : "no", group.tenant]), true);
}

function quarantine(records) {
  if (records.length === 0) return quiet("No record is in quarantine.");
  return table("Records that could not be taken, newest first", ["record", words("reason"), "by", "when", right("size")],
    records.map((one) => [
      one.topic + "/" + one.partition + "/" + one.offset, one.reason, one.by, moment(one.atMillis), bytes(one.bytes)]), true);
}

export function topicsView() {
  const parts = [
    redrawn("Lag", (state) => state.topics, (topics) => [lag(topics)]),
    redrawn("Quarantine", (state) => state.topics, (topics) => [quarantine(topics.quarantine)]),
    redrawn("Cache", (state) => state.cache, (cache) => [kept(cache)]),
  ];
  for (const part of parts) {
    const head = part.element.querySelector("h1");
    const lower = el("h2");
    say(lower, head.textContent);
    head.replaceWith(lower);
  }
  return {
    element: el("section", { "aria-label": "Topics" }, el("h1", {}, "Topics"), parts.map((part) => part.element)),
    update: (state) => parts.forEach((part) => part.update(state)),
  };
}
