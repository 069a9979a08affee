import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

/** What it got, a line each: in the folder of the session, since the process may be killed. */
function note(cwd: string, line: string): void {
  appendFileSync(join(cwd, "calls.txt"), `${line}\n`);
}

let waiting: (() => void)[] = [];
let folder = "";
const wait = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    waiting.push(resolve);
    signal.addEventListener("abort", () => resolve());
  });

// An agent with extensions: `_test/echo` returns its params, `_test/wait` waits for `_test/go`. A prompt `ask` asks its client for
// a name, and `tell` tells something.
await serveStdio(
  createAgent({
    info: { name: "extension-agent", version: "1.0.0" },
    handlers: {
      "session/new": (_params, { session }) => {
        folder = session.cwd;
        return { sessionId: session.id };
      },
      "session/resume": (_params, { session }) => {
        folder = session.cwd;
        return {};
      },
      "_test/echo": (params) => params as object,
      "_test/go": () => {
        for (const resolve of waiting) resolve();
        waiting = [];
      },
      "_test/wait": async ({ name }: { readonly name: string }, { signal }) => {
        note(folder, name);
        await wait(signal);
        if (signal.aborted) note(folder, `${name} is cancelled`);
        return { name };
      },
      "session/prompt": async ({ prompt: [block] }, { turn, client, session, signal }) => {
        const { id: sessionId } = session;
        const word = block?.type === "text" ? block.text : "";
        if (word === "tell") await client.notify("_test/told" as never, { sessionId, words: "hello" } as never);
        if (word === "ask") {
          const asked = client.request("_test/name" as never, { sessionId } as never, { signal });
          const answer: unknown = await asked.catch((error: unknown) => String(error));
          await turn.message(JSON.stringify(answer));
        }
        await turn.message(".");
        return { stopReason: "end_turn" };
      },
    },
  }),
);
