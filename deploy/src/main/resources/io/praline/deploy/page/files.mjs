// Which of a job's files are done in an epoch: read when somebody opens it, and again while the job goes on.
import { el, say, counted, number, bytes, percent, table, right } from "./elements.mjs";

const AGAIN_MILLIS = 2000;
const MOST = 50;

export function files(id) {
  const epoch = el("select", { id: "files-epoch" });
  const open = el("input", { type: "checkbox", id: "files-open" });
  const note = el("p", { class: "quiet" }, "reading");
  const list = el("div");
  const earlier = el("button", { type: "button" }, "earlier");
  const later = el("button", { type: "button" }, "later");
  const opened = el("details", { class: "files" }, el("summary", {}, "Splits closed, file by file"),
    el("p", {},
      el("label", {}, "epoch ", epoch), " ",
      el("label", {}, open, " only files with open splits")),
    note, list, el("p", {}, earlier, " ", later));
  let job = null;
  let from = 0;
  let newest = true;
  let drawn = "";
  let timer = null;
  let reading = false;
  let asked = false;
  let gone = false;

  function draw(told, text) {
    if (text === drawn) return;
    drawn = text;
    from = told.from;
    earlier.disabled = told.from === 0;
    later.disabled = told.from + told.rows.length >= told.matching;
    const none = told.files === 0
      ? "It is not told of which files its splits are."
      : number(told.filesClosed) + " of " + counted(told.files, "file") + " and " + number(told.closed) + " of "
        + counted(told.splits, "split") + " are closed";
    const shown = told.rows.length === 0 ? "" : "; " + number(told.from + 1) + " to "
      + number(told.from + told.rows.length) + " of " + number(told.matching) + " shown";
    const untold = told.files > 0 && told.untold > 0 ? "; of " + counted(told.untold, "split") + " the file is not told" : "";
    say(note, none + shown + untold);
    list.replaceChildren(...(told.rows.length === 0 ? [] : [table("Files of epoch " + told.epoch,
      ["file", right("closed"), right("splits"), right("share"), right("to read")],
      told.rows.map((row) => [
        row.file ?? "of no file",
        number(row.closed), number(row.splits), percent(row.splits > 0 ? row.closed / row.splits : 0),
        row.bytes > 0 ? bytes(row.bytes) : "\u2013"]))]));
  }

  async function read() {
    if (gone || !opened.open || !job) return;
    if (reading) {
      asked = true;
      return;
    }
    clearTimeout(timer);
    reading = true;
    asked = false;
    const query = "?epoch=" + (epoch.value || 0) + "&from=" + from + "&most=" + MOST + "&open=" + open.checked;
    try {
      const answer = await fetch("/api/v1/jobs/" + encodeURIComponent(id) + "/files" + query);
      const text = await answer.text();
      if (answer.ok) draw(JSON.parse(text), text);
      else say(note, text.trim());
    } catch {
      say(note, "The ledger cannot be read just now.");
    }
    reading = false;
    if (asked) read();
    else if (!gone && opened.open && !job.ended) timer = setTimeout(read, AGAIN_MILLIS);
  }

  function anew() {
    drawn = "";
    from = 0;
    read();
  }
  epoch.addEventListener("change", () => {
    newest = epoch.selectedIndex === epoch.options.length - 1;
    anew();
  });
  open.addEventListener("change", anew);
  earlier.addEventListener("click", () => {
    from = Math.max(0, from - MOST);
    read();
  });
  later.addEventListener("click", () => {
    from += MOST;
    read();
  });
  opened.addEventListener("toggle", read);

  return {
    element: opened,
    update(told) {
      const ended = !!job && !job.ended && told.ended;
      job = told;
      const epochs = Math.max(1, told.progress.length);
      for (let next = epoch.options.length; next < epochs; next++) epoch.append(el("option", { value: String(next) }, String(next)));
      // who looks at the newest goes on to the next one
      if (newest && epoch.selectedIndex !== epochs - 1) {
        epoch.selectedIndex = epochs - 1;
        anew();
      } else if (ended) {
        read();
      }
    },
    close() {
      gone = true;
      clearTimeout(timer);
    },
  };
}
