import { expectThat, NotApplicable } from "../../../engine/check.ts";
import { createRandom, cutAtRandom } from "../../../engine/random.ts";
import { quote } from "../../../engine/quote.ts";
import {
  answerOf,
  expectComes,
  expectGoesOn,
  goesOnAfter,
  hostile,
  newSessionParams,
  patient,
  resultOf,
} from "../../agent-check.ts";
import type { AgentCheck, AgentContext, OpenedAgent } from "../../agent-context.ts";

const encoder = new TextEncoder();

/** A message as it is on the wire in the framing of the settings. */
function framed({ settings }: AgentContext, message: object | string): Uint8Array {
  const text = typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...message });
  const body = encoder.encode(text);
  if (settings.framing === "ndjson") return encoder.encode(`${text}\n`);
  const header = encoder.encode(`Content-Length: ${body.length}\r\n\r\n`);
  const bytes = new Uint8Array(header.length + body.length);
  bytes.set(header);
  bytes.set(body, header.length);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    bytes.set(part, place);
    place += part.length;
  }
  return bytes;
}

function requireLines({ settings }: AgentContext): void {
  if (settings.framing !== "ndjson") throw new NotApplicable("Messages are no lines");
}

/** Writes bytes and expects the request with this id in them to be answered well. */
async function expectAnswered({ client }: Pick<OpenedAgent, "client">, id: unknown, what: string): Promise<void> {
  const answer = await expectComes(client.peer.answerTo(id), `It did not answer ${what}`);
  resultOf(answer, what);
}

/** Bytes that are cut, joined, huge or broken. */
export const bytes: readonly AgentCheck[] = [
  hostile({
    id: "message-in-single-bytes",
    title: "An agent reads a message that comes byte by byte",
    rules: ["TRAN-01", "TRAN-04"],
    seen: "https://github.com/agentclientprotocol/codex-acp/pull/397",
    mend: "Collect bytes until the end of the line, whatever pieces they come in, and decode UTF-8 across pieces.",
    async run(context) {
      const { client } = await context.initialize();
      const params = newSessionParams(context, { _meta: { text: "ä€😀" } });
      for (const byte of framed(context, { id: "bytes", method: "session/new", params }))
        client.peer.write(Uint8Array.of(byte));
      await expectAnswered({ client }, "bytes", "a session/new that came byte by byte");
    },
  }),
  hostile({
    id: "characters-cut-in-two",
    title: "An agent reads characters whose bytes come in two pieces",
    rules: ["TRAN-01"],
    seen: "https://github.com/agentclientprotocol/codex-acp/pull/397",
    mend: "Decode bytes with a decoder that keeps the beginning of a character for the next piece.",
    async run(context) {
      const { client } = await context.initialize();
      const id = "ä€😀".repeat(200);
      const message = framed(context, { id, method: "check/unknown", params: {} });
      for (const piece of cutAtRandom(message, createRandom(context.settings.seed), 7)) client.peer.write(piece);
      const what = "a request whose id has characters of several bytes under just that id";
      await expectComes(client.peer.answerTo(id), `It did not answer ${what}`);
    },
  }),
  hostile({
    id: "many-messages-in-one-write",
    title: "An agent reads many messages that come at once, and answers each once",
    rules: ["TRAN-04"],
    mend: "Look for the next message in what is left of the bytes, until none is whole any more.",
    async run(context) {
      const { client } = await context.initialize();
      const ids = Array.from({ length: 100 }, (_, place) => `at-once-${place}`);
      client.peer.write(joined(ids.map((id) => framed(context, { id, method: "check/unknown", params: {} }))));
      for (const id of ids) await expectComes(client.peer.answerTo(id), `It did not answer ${id} of 100 requests`);
      await expectGoesOn(context, client, "100 requests at once");
      const twice = ids.find((id) => client.peer.answers(id).length !== 1);
      expectThat(twice === undefined, `It answered ${twice} more than once`);
    },
  }),
  hostile({
    id: "message-and-a-half",
    title: "An agent reads a message whose end comes together with the next one",
    rules: ["TRAN-04"],
    mend: "Keep what follows the end of a message: it is the beginning of the next one.",
    async run(context) {
      const { client } = await context.initialize();
      const [first, second] = ["half-1", "half-2"].map((id) =>
        framed(context, { id, method: "check/unknown", params: {} }),
      );
      const all = joined([first ?? new Uint8Array(), second ?? new Uint8Array()]);
      const cut = Math.floor(all.length * 0.7);
      client.peer.write(all.slice(0, cut));
      await expectComes(
        client.peer.answerTo("half-1"),
        "It did not answer a request that a part of the next one followed",
      );
      client.peer.write(all.slice(cut));
      await expectComes(client.peer.answerTo("half-2"), "It did not answer a request that came in two pieces");
    },
  }),
  hostile({
    id: "huge-message",
    title: "An agent reads a message of 4 MiB, or refuses it, and goes on",
    seen: "https://github.com/MoonshotAI/kimi-cli/issues/831",
    mend: "Raise the limit of your line reader (64 KiB in asyncio and in Go's Scanner): prompts with pictures and files have megabytes.",
    async run(context) {
      const { client } = await context.initialize(patient(context));
      await answerOf(client, "check/unknown", { text: "x".repeat(4 * 1024 * 1024) });
      await expectGoesOn(context, client, "a message of 4 MiB");
    },
  }),
  hostile({
    id: "large-message-in-tiny-pieces",
    title: "An agent reads a message of 200 KiB that comes in thousands of pieces",
    mend: "Do not look through all that has come for each piece: that takes minutes for a large message.",
    async run(context) {
      const { client } = await context.initialize(patient(context));
      const params = { text: "y".repeat(200 * 1024) };
      const message = framed(context, { id: "pieces", method: "check/unknown", params });
      for (const piece of cutAtRandom(message, createRandom(context.settings.seed), 100)) client.peer.write(piece);
      await expectComes(
        client.peer.answerTo("pieces"),
        "It did not answer a request of 200 KiB in pieces of up to 100 bytes",
      );
    },
  }),
  hostile({
    id: "windows-line-ends",
    title: "An agent reads lines that end with CR LF",
    mend: "A carriage return before the line feed is white space of JSON: leave it out.",
    async run(context) {
      requireLines(context);
      const { client } = await context.initialize();
      const message = { jsonrpc: "2.0", id: "crlf", method: "session/new", params: newSessionParams(context) };
      client.peer.write(`${JSON.stringify(message)}\r\n`);
      await expectAnswered({ client }, "crlf", "a session/new that ended with CR LF");
    },
  }),
  hostile({
    id: "blank-lines",
    title: "An agent passes over blank lines",
    mend: "Leave out lines that are empty or white space. They are no broken JSON.",
    async run(context) {
      requireLines(context);
      const { client } = await context.initialize();
      client.peer.write("\n\n  \n\r\n");
      await expectGoesOn(context, client, "blank lines");
    },
  }),
  hostile({
    id: "white-space-around-a-message",
    title: "An agent reads a message with white space around it",
    mend: "White space around JSON is a part of JSON.",
    async run(context) {
      const { client } = await context.initialize();
      const message = { jsonrpc: "2.0", id: "spaces", method: "session/new", params: newSessionParams(context) };
      client.peer.write(framed(context, `  \t${JSON.stringify(message)}  `));
      await expectAnswered({ client }, "spaces", "a session/new with white space around it");
    },
  }),
  hostile({
    id: "noise-between-messages",
    title: "An agent goes on after lines that are no messages",
    rules: ["RPC-09"],
    seen: "https://github.com/zed-industries/codex-acp/issues/177",
    mend: "Answer a line that is no JSON with error -32700, or leave it out. Never end the connection for it.",
    run: (context) =>
      goesOnAfter(context, "lines that are no messages", ({ peer }) => {
        for (const noise of ["Welcome back!", "\u001B[1 q", "null", "42", '"hello"', "{", "}{", "undefined"])
          peer.sendText(noise);
      }),
  }),
  hostile({
    id: "broken-utf-8",
    title: "An agent goes on after bytes that are no UTF-8",
    rules: ["TRAN-01", "RPC-09"],
    mend: "Replace or refuse what is no UTF-8, in that message only.",
    run: (context) =>
      goesOnAfter(context, "bytes that are no UTF-8", ({ peer }) => {
        const message = framed(context, { id: "utf-8", method: "check/unknown", params: { text: "####" } });
        peer.write(message.map((byte) => (byte === 0x23 ? 0xff : byte)));
      }),
  }),
  hostile({
    id: "byte-order-mark",
    title: "An agent goes on after a byte order mark",
    mend: "Leave out U+FEFF at the beginning of the input, or answer that line with -32700 and go on.",
    async run(context) {
      requireLines(context);
      const client = await context.start();
      client.peer.write("\uFEFF\n");
      await expectComes(client.initialize(), "After a byte order mark it answers no initialize");
    },
  }),
  hostile({
    id: "client-stops-reading",
    title: "An agent keeps what it has to say for a client that does not read for a while",
    mend: "Wait until stdout takes more. Never leave messages out, and never end, because the pipe is full.",
    async run(context) {
      const { client } = await context.initialize();
      const { pipe } = client;
      if (pipe === undefined) throw new NotApplicable("The agent is reached over a network");
      // Its answers are more than the pipe holds.
      const ids = Array.from({ length: 1000 }, (_, place) => `unread-${place}-${"x".repeat(500)}`);
      pipe.pause();
      for (const id of ids) client.peer.request("check/unknown", {}, id);
      // The agent must get the time to fill the pipe, which nothing tells from here.
      await new Promise((resolve) => setTimeout(resolve, 300));
      pipe.resume();
      // A slow machine takes its time for all of them.
      for (let place = 99; place < ids.length; place += 100)
        await expectComes(client.peer.answerTo(ids[place]), `It did not answer request ${place + 1} of ${ids.length}`);
      await expectGoesOn(context, client, "a while in which nobody read its answers");
      const answered = new Set(client.peer.received.map(({ id }) => id));
      const lost = ids.filter((id) => !answered.has(id));
      expectThat(lost.length === 0, `It lost ${lost.length} of ${ids.length} answers, among them ${quote(lost[0])}`);
    },
  }),
];
