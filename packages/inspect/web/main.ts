import type { TraceIndex } from "../src/web/trace-index.ts";
import { byId } from "./dom.ts";
import { showHeadline } from "./headline.ts";
import { openFront } from "./front.ts";
import { openLive } from "./live.ts";
import { Studio } from "./studio.ts";
import { PackedTexts, unpack } from "./texts.ts";
import { Trace } from "./trace.ts";

/** Opens the trace that is in the page, or follows the one of its server. */
async function open(): Promise<void> {
  const live = document.getElementById("live");
  if (live !== null) return openLive(live.textContent);
  const front = document.getElementById("front");
  if (front !== null) return openFront(front, (prefix) => openTrace(prefix).catch(tellFailure));
  await openTrace();
  document.body.dataset["ready"] = "true";
}

/** Opens a trace of the page. */
async function openTrace(prefix = ""): Promise<void> {
  const index = JSON.parse(await unpack(`${prefix}trace`)) as TraceIndex;
  byId("secrets").hidden = !index.withSecrets;
  byId("sizes").hidden = !index.withoutText;
  byId("title").textContent = index.title;
  const trace = Trace.of(index);
  showHeadline(trace);
  new Studio(trace, new PackedTexts(index.chunks, prefix)).open();
}

function tellFailure(error: unknown): void {
  byId("summary").textContent = `This trace cannot be read: ${String(error)}. Use a current browser, and a whole file.`;
}

open().catch(tellFailure);
