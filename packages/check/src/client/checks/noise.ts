import { pause, raw, say, type Step } from "@acp/testing";

import { hostile, must } from "../client-check.ts";
import type { ClientCheck, ClientContext } from "../client-context.ts";
import { bytesOf, goesOnAfter, inTurn, lastText, onlyForLines, saying, startTurn } from "../turns.ts";

const skip = "Leave out lines of the agent's stdout that are no JSON-RPC message, and go on with the next line.";

/** What agents write to their stdout and stderr beside messages. */
export const noise: readonly ClientCheck[] = [
  hostile({
    id: "noise-before-the-first-message",
    title: "A client copes with an agent whose stdout begins with a greeting",
    rules: ["TRAN-06", "RPC-09"],
    seen: "https://github.com/anomalyco/opencode/issues/13634",
    mend: skip,
    async run(context) {
      onlyForLines(context);
      const run = await context.play([say(lastText)], {
        answers: { initialize: [raw("Welcome to the agent v1.2.3\n[migrating database: 1/2]\n")] },
      });
      await run.goesOn();
      await run.shows(lastText);
      await run.endsWell();
    },
  }),
  noisy("noise-on-its-own-line", "a line of log text between messages", "https://github.com/openclaw/acpx/pull/160", [
    "[INFO] adapter initialized\n",
    'Traceback (most recent call last):\n  File "x.py", line 1\n',
    '{not json}\n{"jsonrpc": "2.0", "method\n',
  ]),
  noisy(
    "noise-in-front-of-a-message",
    "log text in front of a message, on the same line",
    "https://github.com/kagan-sh/kagan-legacy/pull/148",
    [
      '\u001B]0;agent\u0007[INFO] {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"<session>","update":{"sessionUpdate":"usage_update","used":1,"size":2}}}\n',
    ],
  ),
  noisy(
    "json-that-is-no-message",
    "lines of JSON that are no messages",
    "https://github.com/benchflow-ai/benchflow/pull/236",
    [
      '42\n"text"\nnull\ntrue\n[1,2]\n{}\n',
      '{"level":"info","message":"x","timestamp":"2026-01-01"}\n{"id":1}\n{"jsonrpc":"2.0"}\n[{"jsonrpc":"2.0","method":"_a"}]\n',
    ],
  ),
  noisy("blank-lines", "empty lines and spaces between messages", undefined, ["\n\n", "   \n\t\n", "\r\n"]),
  hostile({
    id: "lines-end-with-crlf",
    title: "A client copes with messages whose lines end with CRLF",
    rules: ["TRAN-04"],
    seen: "https://github.com/modelcontextprotocol/go-sdk/pull/665",
    mend: "Take a carriage return at the end of a line for white space.",
    async run(context) {
      onlyForLines(context);
      await goesOnAfter(
        context,
        async (peer, sessionId) => peer.write(`${JSON.stringify(saying(context, sessionId, "carriage4701 "))}\r\n`),
        "carriage4701",
      );
    },
  }),
  must({
    id: "much-on-stderr",
    title: "A client reads its agent's stderr: a MiB of it does not hold the agent up",
    rules: ["TRAN-08", "TRAN-09"],
    seen: "https://github.com/modelcontextprotocol/typescript-sdk/issues/2776",
    mend: "Read the agent's stderr, or let it go to your own or to nothing. A pipe that nobody reads is full after 64 KiB.",
    async run(context) {
      const line = `${"log ".repeat(255)}\n`;
      const run = await startTurn(context, async function* (): AsyncGenerator<Step, void> {
        const agent = await context.run().process();
        // Its stderr is written before what comes behind.
        for (let lines = 0; lines < 1024; lines++) agent.stderr(line);
        yield say(lastText);
      });
      await run.shows(lastText);
      await run.endsWell();
    },
  }),
  hostile({
    id: "stderr-in-the-middle-of-a-character",
    title: "A client copes with bytes on stderr that are no text",
    rules: ["TRAN-08"],
    mend: "Do not decode the agent's stderr strictly.",
    async run(context) {
      const run = await startTurn(context, async function* (): AsyncGenerator<Step, void> {
        const agent = await context.run().process();
        agent.stderr("no line end \u0000\u0001 \uFFFD \u001B[31m");
        yield pause(20);
        yield say(lastText);
      });
      await run.shows(lastText);
      await run.endsWell();
    },
  }),
  hostile({
    id: "bytes-that-are-no-text",
    title: "A client goes on after a line with bytes that are no UTF-8",
    rules: ["TRAN-01", "RPC-09"],
    mend: skip,
    async run(context) {
      onlyForLines(context);
      const run = await inTurn(context, async (peer, sessionId) => {
        peer.write(Uint8Array.from([0xff, 0xfe, 0x80, 0x0a, 0xc3, 0x28, 0x0a]));
        peer.write(bytesOf(context, saying(context, sessionId, "bytes4701 ")));
      });
      await run.shows("bytes4701", lastText);
      await run.endsWell();
    },
  }),
];

function noisy(id: string, what: string, seen: string | undefined, pieces: readonly string[]): ClientCheck {
  return hostile({
    id,
    title: `A client copes with ${what} on its agent's stdout`,
    rules: ["TRAN-06", "RPC-09"],
    seen,
    mend: skip,
    run: (context) => afterNoise(context, pieces),
  });
}

async function afterNoise(context: ClientContext, pieces: readonly string[]): Promise<void> {
  onlyForLines(context);
  const texts = pieces.map((_, index) => `noise47${10 + index}`);
  const run = await startTurn(context, function* () {
    for (const [index, piece] of pieces.entries()) {
      yield raw(piece);
      yield say(`${texts[index]} `);
    }
    yield say(lastText);
  });
  await run.shows(...texts, lastText);
  await run.endsWell();
}
