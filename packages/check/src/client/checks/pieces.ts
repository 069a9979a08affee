import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";

import { say } from "@acp/testing";

import { expectThat } from "../../engine/check.ts";
import { hostile, must } from "../client-check.ts";
import type { ClientCheck } from "../client-context.ts";
import {
  bytesOf,
  callOf,
  chunkOf,
  expectAsOften,
  goesOnAfter,
  inTurn,
  lastText,
  saying,
  sendUpdate,
  startTurn,
} from "../turns.ts";

/** Messages in pieces of all sizes. */
export const pieces: readonly ClientCheck[] = [
  must({
    id: "message-in-single-bytes",
    title: "A client puts a message together that comes byte by byte",
    rules: ["TRAN-04", "TRAN-17"],
    mend: "Keep what you have read until the line, or the announced length, is complete.",
    run: (context) =>
      goesOnAfter(
        context,
        async (peer, sessionId) => {
          for (const byte of bytesOf(context, saying(context, sessionId, "bytes4701 "))) {
            peer.write(Uint8Array.of(byte));
            await turn();
          }
        },
        "bytes4701",
      ),
  }),
  must({
    id: "characters-are-split",
    title: "A client puts characters together whose bytes come in two pieces",
    rules: ["TRAN-01"],
    seen: "https://github.com/elizaOS/eliza/issues/30286",
    mend: "Decode the agent's stdout as one stream, not each piece by itself.",
    run: (context) =>
      goesOnAfter(
        context,
        async (peer, sessionId) => {
          const bytes = bytesOf(context, saying(context, sessionId, "äöü4701 日本語4702 😀4703 "));
          const half = bytes.findIndex((byte) => byte >= 0x80) + 1;
          // No message tells when the client has read the half of a character.
          for (const [from, to] of [
            [0, half],
            [half, half + 2],
            [half + 2, half + 4],
            [half + 4, half + 15],
            [half + 15, bytes.length],
          ] as const) {
            peer.write(bytes.subarray(from, to));
            await pause(40);
          }
        },
        "äöü4701",
        "日本語4702",
        "😀4703",
      ),
  }),
  must({
    id: "many-messages-in-one-piece",
    title: "A client handles hundreds of messages that come in one piece, in their order",
    rules: ["TRAN-04", "UPD-08"],
    mend: "Handle all messages of a piece, one after another.",
    async run(context) {
      const texts = Array.from({ length: 500 }, (_, index) => `<${index}>`);
      const run = await inTurn(context, async (peer, sessionId) =>
        peer.write(bytesOf(context, ...texts.map((text) => saying(context, sessionId, text)))),
      );
      await run.shows(texts.at(-1) ?? "", lastText);
      expectThat(
        run.program.shown().replaceAll(/\s/gu, "").includes(texts.join("")),
        "The client shows the 500 texts in another order, or not all",
      );
      await run.endsWell();
    },
  }),
  hostile({
    id: "five-mebibytes-in-one-message",
    title: "A client reads a message of five MiB, and shows its beginning or its end",
    rules: ["TRAN-04"],
    seen: "https://github.com/agentclientprotocol/python-sdk/issues/27",
    mend: "Raise the limit of your line reader: tool output, images and diffs of some MiB are usual.",
    run: (context) =>
      goesOnAfter(context, async (peer, sessionId) =>
        sendUpdate(
          peer,
          sessionId,
          callOf(context, {
            toolCallId: "large",
            title: "Large",
            kind: "read",
            status: "completed",
            rawOutput: "x".repeat(5 * 1024 * 1024),
          }),
        ),
      ),
  }),
  hostile({
    id: "long-text-is-whole",
    title: "A client shows a text of 256 KiB that comes in one chunk, to its end",
    rules: ["UPD-03"],
    seen: "https://github.com/GobbyAI/gobby/pull/29",
    mend: "Raise the limit of your line reader, and write all of a long text before you end.",
    run: (context) =>
      goesOnAfter(
        context,
        async (peer, sessionId) =>
          sendUpdate(peer, sessionId, chunkOf(context, `begin4701 ${"word ".repeat(52_000)}end4702 `)),
        "begin4701",
        "end4702",
      ),
  }),
  hostile({
    id: "twenty-thousand-chunks",
    title: "A client shows a text that comes in 20,000 tiny chunks, all of it and once",
    rules: ["UPD-03", "UPD-08"],
    seen: "https://github.com/aaif-goose/goose/issues/6892",
    mend: "Take the time for a chunk independent of how much was said before.",
    async run(context) {
      const run = await startTurn(context, function* ({ sessionId }) {
        const peer = context.peer();
        const batch: object[] = [];
        for (let chunk = 0; chunk < 20_000; chunk++) {
          batch.push(saying(context, sessionId, chunk % 1000 === 0 ? `#${chunk};` : "."));
          if (batch.length === 500) peer.write(bytesOf(context, ...batch.splice(0)));
        }
        yield say(lastText);
      });
      await run.shows(lastText);
      const text = run.program.shown().replaceAll(/\s/gu, "");
      const dots = "\\.{999}";
      const all = Array.from({ length: 20 }, (_, thousand) => `#${thousand * 1000};${dots}`).join("");
      expectThat(new RegExp(all, "u").test(text), "The client does not show all chunks in their order");
      expectAsOften(run, "#19000;", lastText);
      await run.endsWell();
    },
  }),
];
