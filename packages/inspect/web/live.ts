import type { TraceEntry } from "../src/web/trace-index.ts";
import { byId } from "./dom.ts";
import { showHeadline } from "./headline.ts";
import { resendView, type Sender } from "./resend/resend-view.ts";
import { Studio } from "./studio.ts";
import type { Texts } from "./texts.ts";
import { Trace } from "./trace.ts";

/** How many messages the page keeps. */
const mostKept = 100_000;
/** How many more may come before the first ones are dropped. */
const slack = 10_000;

interface Line {
  readonly entry?: TraceEntry;
  readonly text?: string;
  readonly dropped?: number;
  readonly ended?: boolean;
  /** The command of the agent; in the first line. */
  readonly command?: readonly string[];
}

/** Shows the messages of a connection as they pass. */
export async function openLive(about: string): Promise<void> {
  const { title, withSecrets } = JSON.parse(about) as { readonly title: string; readonly withSecrets: boolean };
  byId("title").textContent = title;
  byId("secrets").hidden = !withSecrets;
  const token = takeToken();
  const response = await fetch("/trace", { headers: { Authorization: `Bearer ${token}` } });
  if (!response.ok || response.body === null) {
    byId("summary").textContent =
      response.status === 401 ? "The token is wrong. Open the address that acp-inspect printed." : "No messages came.";
    return;
  }
  const page = new LivePage(token);
  document.body.dataset["ready"] = "true";
  await readLines(response.body, (line: Line) => page.take(line));
  page.end();
}

/** Reads lines of JSON as they come. */
async function readLines(body: ReadableStream<Uint8Array<ArrayBuffer>>, take: (line: never) => void): Promise<void> {
  let rest = "";
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + part).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line) as never);
  }
}

function senderOf(token: string, command: readonly string[]): Sender {
  return {
    command,
    async send(message, take, signal) {
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const response = await fetch("/send", { method: "POST", headers, body: JSON.stringify(message), signal });
      if (response.status === 429) throw new Error("too many agents run: wait for one of them to end");
      if (!response.ok || response.body === null) throw new Error(`the program refused it with ${response.status}`);
      await readLines(response.body, take);
    },
  };
}

/** The token leaves the address: it is in no link that is copied, and a reload still has it. */
function takeToken(): string {
  const values = new URLSearchParams(location.hash.slice(1));
  const given = values.get("token");
  if (given !== null) {
    sessionStorage.setItem("token", given);
    values.delete("token");
    const hash = values.toString();
    history.replaceState(null, "", hash === "" ? location.pathname : `#${hash}`);
  }
  return sessionStorage.getItem("token") ?? "";
}

class LivePage {
  readonly #trace = new Trace();
  readonly #texts = new LiveTexts();
  readonly #token: string;
  readonly #studio: Studio;
  #sender: Sender | undefined;
  #isDrawing = false;
  #isOver = false;

  constructor(token: string) {
    this.#token = token;
    const again = resendView(this.#trace, this.#texts, () => (this.#isOver ? undefined : this.#sender));
    this.#studio = new Studio(this.#trace, this.#texts, [again]);
    this.#studio.open();
  }

  take({ entry, text, dropped, ended, command }: Line): void {
    if (command !== undefined) this.#sender = senderOf(this.#token, command);
    if (dropped !== undefined) this.#trace.dropped = dropped;
    if (ended === true) this.#isOver = true;
    if (entry !== undefined) {
      this.#trace.add(entry);
      this.#texts.all.push(text ?? "");
    }
    if (this.#trace.count > mostKept + slack) {
      const gone = this.#trace.count - mostKept;
      this.#texts.all.splice(0, gone);
      this.#trace.drop(gone);
      this.#studio.dropped(gone);
    }
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    // Not a frame: there are none in a hidden tab.
    setTimeout(() => this.#draw(), 50);
  }

  end(): void {
    this.#isOver = true;
    this.#draw();
  }

  #draw(): void {
    this.#isDrawing = false;
    const { list, filtered, timeline } = this.#studio;
    const isFollowing = list.isAtEnd;
    showHeadline(this.#trace);
    byId("summary").append(this.#isOver ? " · the connection has ended" : " · live");
    // The row that chunks are added to changes, too.
    list.forget(this.#trace.rows.at(-2) ?? 0);
    filtered.more();
    if (isFollowing) list.scrollToEnd();
    if (!byId("timeline").hidden) timeline.reset();
  }
}

/** The texts of a live page: all are at hand. */
class LiveTexts implements Texts {
  readonly all: string[] = [];

  peek(message: number): string | undefined {
    return this.all[message];
  }

  text(message: number): Promise<string> {
    return Promise.resolve(this.all[message] ?? "");
  }

  async *parts(): AsyncIterable<{ readonly start: number; readonly texts: readonly string[] }> {
    for (let start = 0; start < this.all.length; start += 5_000)
      yield { start, texts: this.all.slice(start, start + 5_000) };
  }
}
