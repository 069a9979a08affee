// Every planted secret through every way into a recording, and texts that only look like one.
import { globSync, readFileSync } from "node:fs";
import { createMemoryTransportPair } from "@acp/core";
import { describe, expect, test } from "vitest";
import { recordingSink } from "../../../core/src/transport/testing/recording-sink.ts";
import {
  createRedactor,
  type RecordedMessage,
  recordTraffic,
  recordTransport,
  redactCredentials,
  redactLine,
} from "../../src/index.ts";
import { type LookAlike, lookAlikes, type PlantedSecret, plantedSecrets, secretsIn } from "./corpus.ts";

/** How many of the look-alikes may be masked. */
const mostMasked = 3;

const ofAgent = (update: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update },
});

/** The messages that carry a text. */
function messagesWith(text: string): readonly object[] {
  return [
    ofAgent({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }),
    ofAgent({ sessionUpdate: "tool_call", toolCallId: "t", title: text, rawInput: { command: text } }),
    { jsonrpc: "2.0", id: 1, method: "terminal/create", params: { command: "sh", args: ["-c", text] } },
    { jsonrpc: "2.0", id: 1, result: { output: text, truncated: false } },
    { jsonrpc: "2.0", id: 1, error: { code: -32603, message: text, data: { reason: text } } },
  ];
}

/** What a recording has of some texts, as it is written. */
function recorded(texts: Iterable<string>): string {
  const entries: RecordedMessage[] = [];
  const record = recordTraffic((entry) => entries.push(entry));
  for (const text of texts) record("received", text);
  return textsIn(entries).join("\n");
}

/** All texts of a value: what JSON escapes is compared as it was. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

test("the corpus is large enough, and no scanner takes a secret in it for real", () => {
  expect(plantedSecrets.length).toBeGreaterThanOrEqual(150);
  expect(lookAlikes.length).toBeGreaterThanOrEqual(150);
  const unlike = plantedSecrets.filter(
    (planted) =>
      secretsIn(textsIn([planted.text, planted.value]).join("\n"), [planted]).length !== planted.secrets.length,
  );
  expect(unlike).toEqual([]);
});

describe("no planted secret is left", () => {
  const texts = plantedSecrets.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const values = plantedSecrets.flatMap(({ value }) => (value === undefined ? [] : [value]));

  /** Each secret on its own, so that none hides behind another one. */
  function left(written: (planted: PlantedSecret) => string): readonly string[] {
    return plantedSecrets.flatMap((planted) => secretsIn(written(planted), [planted]));
  }

  test("by redactCredentials(), in any message", () => {
    expect(
      left(({ text, value }) =>
        textsIn((text === undefined ? [value] : messagesWith(text)).map(redactCredentials)).join("\n"),
      ),
    ).toEqual([]);
  });

  test("by redactLine(), in a line, whole or cut off", () => {
    expect(left(({ text, value }) => redactLine(text ?? JSON.stringify(value)))).toEqual([]);
    expect(
      left(({ text, value, whole }) =>
        text !== undefined || whole ? "" : redactLine(JSON.stringify(value).slice(0, -1)),
      ),
    ).toEqual([]);
  });

  test("in a recording of messages, and of other text", () => {
    expect(
      left(({ text, value }) =>
        recorded(
          text === undefined
            ? [JSON.stringify(value)]
            : [...messagesWith(text).map((message) => JSON.stringify(message)), `log: ${text}`],
        ),
      ),
    ).toEqual([]);
  });

  test("in a message in a text, as in the file that a tool has read", () => {
    expect(
      values.flatMap((value) =>
        secretsIn(
          textsIn(redactCredentials({ text: JSON.stringify(value, undefined, 2) })).join("\n"),
          plantedSecrets.filter((planted) => planted.value === value),
        ),
      ),
    ).toEqual([]);
  });

  test.each([1, 7])("in chunks of %i characters", (size) => {
    expect(left(({ text, whole }) => (text === undefined || whole ? "" : chunked(text, size)))).toEqual([]);
  });

  test("in lines that follow each other", () => {
    expect(
      left(({ text, whole }) => {
        if (text === undefined || whole) return "";
        const redactor = createRedactor();
        return text
          .split("\n")
          .map((line) => redactor.line("stderr", line))
          .join("\n");
      }),
    ).toEqual([]);
  });

  test("in the output of a terminal of version 2, which is base64", () => {
    expect(
      left(({ text, whole }) => {
        if (text === undefined || whole) return "";
        const redactor = createRedactor();
        const pieces = [text.slice(0, text.length / 2), text.slice(text.length / 2)].map((piece) => {
          const data = Buffer.from(piece).toString("base64");
          const message = redactor.message(ofAgent({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data }));
          return Buffer.from(
            (message as { params: { update: { data: string } } }).params.update.data,
            "base64",
          ).toString();
        });
        return pieces.join("");
      }),
    ).toEqual([]);
  });

  test("by recordTransport(), in either direction", async () => {
    const [ours, theirs] = createMemoryTransportPair();
    const entries: RecordedMessage[] = [];
    const transport = recordTransport(ours, (entry) => entries.push(entry));
    transport.start(recordingSink());
    theirs.start(recordingSink());
    for (const message of [...texts.flatMap(messagesWith), ...values]) {
      await transport.send(JSON.stringify(message), "soon");
      await theirs.send(JSON.stringify(message), "soon");
    }
    await expect.poll(() => entries.length).toBe(2 * (texts.length * messagesWith("").length + values.length));
    await transport.close();
    const written = textsIn(entries).join("\n");
    // Words that other entries have for good reasons are no sign of a secret.
    const distinct = plantedSecrets.filter(({ secrets }) =>
      secrets.every((secret) => secret.length > 6 && /\d/u.test(secret)),
    );
    expect(distinct.length).toBeGreaterThan(150);
    expect(secretsIn(written, distinct)).toEqual([]);
  });

  /** A text that an agent says bit by bit, as it is recorded. */
  function chunked(text: string, size: number): string {
    const parts: string[] = [];
    const record = recordTraffic(({ message }) =>
      parts.push((message as { params: { update: { content: { text: string } } } }).params.update.content.text),
    );
    for (let at = 0; at < text.length; at += size) {
      const content = { type: "text", text: text.slice(at, at + size) };
      record("received", JSON.stringify(ofAgent({ sessionUpdate: "agent_message_chunk", content })));
    }
    return parts.join("");
  }
});

describe("keeps text that only looks like a secret", () => {
  const masked = (redact: (lookAlike: LookAlike) => unknown): readonly string[] =>
    lookAlikes.flatMap((lookAlike) => {
      const redacted = JSON.stringify(redact(lookAlike));
      return redacted === JSON.stringify(lookAlike.text ?? lookAlike.value) ? [] : [redacted];
    });

  test.each([
    ["redactCredentials()", ({ text, value }: LookAlike) => redactCredentials(text ?? value)],
    ["redactLine()", ({ text, value }: LookAlike) => (text === undefined ? value : redactLine(text))],
    [
      "lines that follow each other",
      ({ text, value }: LookAlike) => (text === undefined ? value : createRedactor().line("a", text)),
    ],
  ])("in %s", (_, redact) => {
    const changed = masked(redact);
    expect(changed.length, changed.join("\n")).toBeLessThanOrEqual(mostMasked);
  });
});

test("the sources of this repository stay readable", () => {
  const packages = new URL("../../../", import.meta.url);
  const files = globSync("*/src/**/*.ts", { cwd: packages })
    .map((file) => file.replaceAll("\\", "/"))
    // Comments on the rules themselves show what they find.
    .filter((file) => !/\.test(?:-d)?\.ts$|record\/src\/redact/u.test(file));
  expect(files.length).toBeGreaterThan(500);
  const masked = files.filter((file) => {
    const text = readFileSync(new URL(file, packages), "utf8");
    return redactCredentials(text) !== text;
  });
  expect(masked.length, masked.join("\n")).toBeLessThanOrEqual(mostMasked);
});
