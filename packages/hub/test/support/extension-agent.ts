import { type AgentDefinition, createAgent } from "@acp/core";

/** An agent with extensions, and what it got. */
export interface ExtensionAgent {
  readonly agent: AgentDefinition;
  /** The methods and params that it got, in order. */
  readonly got: [string, unknown][];
  /** The requests that were cancelled. */
  readonly cancelled: string[];
  /** Lets all that waits go on. */
  go(): void;
}

/**
 * `_test/echo` returns its params, `_test/wait` waits for `go`, and `_test/fail` fails. A prompt sends what it says: `tell` a
 * notification and then an update, `ask` a request, whose answer it says, `link` asks to open a page, which is over with `go`, and
 * `wait` waits for `go`.
 */
export function createExtensionAgent(): ExtensionAgent {
  const got: [string, unknown][] = [];
  const cancelled: string[] = [];
  let waiting: (() => void)[] = [];
  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      signal.addEventListener("abort", () => resolve());
    });
  const note = (method: string, params: unknown): unknown => {
    got.push([method, params]);
    return params;
  };
  const agent = createAgent({
    info: { name: "extension-agent", version: "1.0.0" },
    capabilities: { _meta: { "test.example": { echo: true } } },
    handlers: {
      "session/resume": () => ({}),
      "_test/echo": (params) => note("_test/echo", params),
      "_test/note": (params) => note("_test/note", params),
      "_test/fail": () => {
        throw new Error("It fails");
      },
      "_test/wait": async (params, { signal }) => {
        note("_test/wait", params);
        await wait(signal);
        if (signal.aborted) cancelled.push("_test/wait");
        return { waited: true };
      },
      "session/prompt": async ({ prompt: [block] }, { turn, client, session, signal }) => {
        const { id: sessionId } = session;
        switch (block?.type === "text" ? block.text : "") {
          case "tell":
            await turn.message("before ");
            await client.notify("_test/told" as never, { sessionId, words: "hello" } as never);
            await turn.message("after");
            break;
          case "ask": {
            const asked = client.request("_test/name" as never, { sessionId, why: "to know" } as never, { signal });
            const answer: unknown = await asked.catch((error: unknown) => String(error));
            await turn.message(JSON.stringify(answer));
            break;
          }
          case "link": {
            const elicitationId = "page";
            const url = "https://example.com/page";
            await client.request("elicitation/create", { sessionId, mode: "url", elicitationId, url, message: "Open" });
            await turn.message("opened ");
            await wait(signal);
            await client.notify("elicitation/complete", { elicitationId });
            break;
          }
          default:
            await turn.message("waiting ");
            await wait(signal);
        }
        await turn.message(".");
        return { stopReason: "end_turn" };
      },
    },
  });
  const go = (): void => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return { agent, got, cancelled, go };
}
