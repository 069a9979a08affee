// Every planted secret through the log, in full.
import { expect, test } from "vitest";

import { lookAlikes, plantedSecrets, secretsIn } from "../../../record/test/redaction/corpus.ts";
import { createInspector } from "../inspector.ts";
import { Log } from "./log.ts";
import { createRedaction } from "./redaction.ts";

/** What the log writes of messages and other texts. */
function logged(write: (log: Log, message: (value: unknown) => void) => void): string {
  const lines: string[] = [];
  const inspector = createInspector();
  const log = new Log({ write: (line) => lines.push(line), isFull: true, redaction: createRedaction(false) });
  write(log, (value) => log.message(inspector.take("agent", value), value));
  log.end(inspector.unanswered());
  return lines.join("\n");
}

const update = (content: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s", update: content },
});

test("no planted secret is in the log: of a message, a text, a chunk, an error, a note or a line of stderr", () => {
  const left = plantedSecrets.flatMap((planted) => {
    const { text, value, whole } = planted;
    const written = logged((log, message) => {
      if (text === undefined) return message(value);
      message(update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }));
      message(update({ sessionUpdate: "tool_call", toolCallId: "t", title: text, rawInput: { command: text } }));
      message({ jsonrpc: "2.0", id: 1, error: { code: 1, message: text, data: { reason: text } } });
      message(`log: ${text}`);
      log.note("agent", text);
      log.lost("agent", text);
      if (whole !== true) for (const line of text.split("\n")) log.stderr(line);
    });
    return secretsIn(written, [planted]);
  });
  expect(left).toEqual([]);
});

test("the log contains text that only looks like a secret", () => {
  const masked = lookAlikes.filter(({ text, value }) =>
    logged((log, message) => (text === undefined ? message(value) : log.stderr(text))).includes("[redacted]"),
  );
  expect(masked.length, JSON.stringify(masked)).toBeLessThanOrEqual(3);
});
