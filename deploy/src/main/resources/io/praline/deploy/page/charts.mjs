// How a job went over time, with its decisions as marks that open them.
import uPlot from "./uplot/uPlot.esm.js";
import { el, say, moment } from "./elements.mjs";

const AGAIN_MILLIS = 3000;
const HEIGHT = 150;
const NEAR_PIXELS = 8;

const CHARTS = [
  { title: "Milliseconds a batch", series: [{ of: "batchMillis", label: "ms", color: "--accent" }] },
  { title: "Trainer waits, %", series: [{ of: "waitShare", label: "%", color: "--look", times: 100 }], most: 100 },
  {
    title: "Workers",
    series: [
      { of: "remote", label: "remote", color: "--accent", steps: true },
      { of: "local", label: "local", color: "--fine", steps: true },
      { of: "shadowRemote", label: "shadow would have remote", color: "--accent", steps: true, dash: [5, 4] },
      { of: "shadowLocal", label: "shadow would have local", color: "--fine", steps: true, dash: [5, 4] },
    ],
  },
  { title: "Spent", series: [{ of: "spent", label: "spent", color: "--accent" }] },
];

const time = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const clock = (seconds) => time.format(new Date(seconds * 1000));

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Dashed lines where other workers were wanted; a click near one opens its decision. */
function marks(read, open) {
  return {
    hooks: {
      draw: (chart) => {
        const { ctx, bbox } = chart;
        ctx.save();
        ctx.strokeStyle = color("--quiet");
        ctx.lineWidth = devicePixelRatio;
        ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
        for (const mark of read()) {
          const x = Math.round(chart.valToPos(mark.atMillis / 1000, "x", true));
          if (x < bbox.left || x > bbox.left + bbox.width) continue;
          ctx.beginPath();
          ctx.moveTo(x, bbox.top);
          ctx.lineTo(x, bbox.top + bbox.height);
          ctx.stroke();
        }
        ctx.restore();
      },
      ready: (chart) => {
        chart.over.addEventListener("click", () => {
          const near = read()
            .map((mark) => ({ mark, far: Math.abs(chart.valToPos(mark.atMillis / 1000, "x") - chart.cursor.left) }))
            .sort((one, other) => one.far - other.far)[0];
          if (near && near.far <= NEAR_PIXELS) open(near.mark.sequence);
        });
      },
    },
  };
}

/** Series of which anything is known: not every job has a shadow policy, nor is its money always known. */
const known = (chart, course) => chart.series.filter((one) => course[one.of].some((value) => value !== null));

function columns(chart, course) {
  return [course.atMillis.map((at) => at / 1000), ...known(chart, course).map((one) =>
    course[one.of].map((value) => (value === null ? null : value * (one.times ?? 1))))];
}

function draw(chart, place, course, read, open) {
  const axis = { stroke: color("--quiet"), grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line"), width: 1 } };
  return new uPlot({
    width: Math.max(200, place.clientWidth),
    height: HEIGHT,
    cursor: { sync: { key: "course" }, drag: { x: true, y: false } },
    scales: { y: { range: (self, least, most) => [0, chart.most ?? Math.max(most * 1.1, Number.EPSILON)] } },
    axes: [{ ...axis, space: 80, values: (self, at) => at.map(clock) }, { ...axis, size: 56 }],
    series: [{ label: "at", value: (self, at) => (at === null ? "\u2013" : moment(at * 1000)) }, ...known(chart, course).map((one) => ({
      label: one.label,
      stroke: color(one.color),
      width: 1.5,
      dash: one.dash,
      points: { show: false },
      paths: one.steps ? uPlot.paths.stepped({ align: 1 }) : undefined,
    }))],
    plugins: [marks(read, open)],
  }, columns(chart, course), place);
}

/** The charts of a job, read again as its journal grows; open is told the number of a decision that was clicked. */
export function charts(id, open) {
  const note = el("p", { class: "quiet" }, "reading");
  const places = CHARTS.map((chart) => ({
    chart, place: el("div", { class: "plot", role: "img", "aria-label": chart.title + " over time" }), plot: null }));
  const grid = el("div", { class: "charts", hidden: true },
    places.map(({ chart, place }) => el("figure", {}, el("figcaption", {}, chart.title), place)));
  let course = null;
  let through = -1; // a job may have a journal of which the page has heard nothing: one that ended long ago
  let asked = 0;
  let timer = null;
  let closed = false;
  const read = () => course?.decisions ?? [];

  function show() {
    const measured = course !== null && course.atMillis.length > 1;
    grid.hidden = !measured;
    note.hidden = measured;
    say(note, "Nothing is measured yet.");
    if (!measured) return;
    for (const one of places) {
      const drawn = known(one.chart, course).map((each) => each.of).join();
      one.place.parentElement.hidden = drawn === "";
      if (one.plot && one.drawn !== drawn) {
        one.plot.destroy();
        one.plot = null;
      }
      one.drawn = drawn;
      if (one.plot) one.plot.setData(columns(one.chart, course));
      else if (drawn !== "") one.plot = draw(one.chart, one.place, course, read, open);
    }
  }

  function forget() {
    for (const one of places) {
      one.plot?.destroy();
      one.plot = null;
    }
  }

  async function ask(newest) {
    asked = Date.now();
    try {
      const answer = await fetch("/api/v1/jobs/" + encodeURIComponent(id) + "/course");
      if (closed) return;
      if (answer.ok) course = await answer.json();
      if (answer.ok || answer.status === 404) {
        through = newest;
        show();
      }
    } catch {
      // the page says that its server is away; the next change asks again
    }
  }

  const sized = new ResizeObserver(() => {
    for (const one of places) {
      const width = one.place.clientWidth;
      if (one.plot && width > 0 && one.plot.width !== width) one.plot.setSize({ width, height: HEIGHT });
    }
  });
  sized.observe(grid);
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const recolored = () => {
    forget();
    show();
  };
  scheme.addEventListener("change", recolored);

  return {
    element: el("section", {}, el("h2", {}, "Over time"), note, grid),
    update(job) {
      if (job.now.decisions <= through || timer) return;
      timer = setTimeout(async () => {
        await ask(job.now.decisions);
        timer = null;
      }, Math.max(0, asked + AGAIN_MILLIS - Date.now()));
    },
    close() {
      closed = true;
      clearTimeout(timer);
      sized.disconnect();
      scheme.removeEventListener("change", recolored);
      forget();
    },
  };
}
