import type { TraceIndex } from "../src/web/trace-index.ts";
import { byId } from "./dom.ts";
import { showHeadline } from "./headline.ts";
import { openLive } from "./live.ts";
import { Studio } from "./studio.ts";
import { PackedTexts, unpack } from "./texts.ts";
import { Trace } from "./trace.ts";

/** Opens the trace that is in the page, or follows the one of its server. */
async function open(): Promise<void> {
  const live = document.getElementById("live");
  if (live !== null) return openLive(live.textContent);
  const index = JSON.parse(await unpack("trace")) as TraceIndex;
  byId("secrets").hidden = !index.withSecrets;
  byId("sizes").hidden = !index.withoutText;
  byId("title").textContent = index.title;
  const trace = Trace.of(index);
  showHeadline(trace);
  new Studio(trace, new PackedTexts(index.chunks)).open();
  document.body.dataset["ready"] = "true";
}

open().catch((error: unknown) => {
  byId("summary").textContent = `This trace cannot be read: ${String(error)}. Use a current browser, and a whole file.`;
});
