// What the reference client writes to logs of an agent that says secrets on all its ways.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { plantedSecrets, secretsIn } from "../../../packages/record/test/redaction/corpus.ts";
import { clientProgram, foreignAgent, run, temporaryDirectory } from "../support/main-job-programs.ts";

// Those that no other text contains by chance, and that can be recognised line by line.
const planted = plantedSecrets.filter(
  ({ whole, secrets }) => whole !== true && secrets.every((secret) => secret.length > 6 && /\d/u.test(secret)),
);
const texts = planted.map(({ text, value }) => text ?? JSON.stringify(value));

/** An agent that says each text on stderr, on stdout between its messages, in a chunk, in a tool call and in an error. */
const saying = `
  const texts = ${JSON.stringify(texts)};
  for (const [index, text] of texts.entries()) {
    process.stderr.write(text + "\\n");
    if (!text.includes("\\n")) process.stdout.write("log: " + text + "\\n");
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: text + "\\n" } });
    update({ sessionUpdate: "tool_call", toolCallId: String(index), title: "x", rawInput: { command: text } });
  }
  send({ id, error: { code: -32603, message: texts.join("\\n"), data: { reason: texts[0] } } });
`;

async function written(...options: readonly string[]): Promise<{ readonly stderr: string; readonly trace: string }> {
  using directory = temporaryDirectory();
  const trace = join(directory.path, "trace.jsonl");
  const agent = foreignAgent(directory.path, saying);
  const { stderr, code } = await run([
    clientProgram,
    "--verbose",
    "--trace",
    trace,
    ...options,
    "--prompt",
    "x",
    ...agent,
  ]);
  expect(code).toBe(1);
  const entries = readFileSync(trace, "utf8").trimEnd().split("\n");
  return { stderr, trace: entries.flatMap((line) => textsOf(JSON.parse(line))).join("\n") };
}

/** All texts of a value: what JSON escapes is compared as it was. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

test("neither --verbose, nor a failure, nor the trace has one of them", async () => {
  expect(planted.length).toBeGreaterThan(200);
  const { stderr, trace } = await written();
  expect(secretsIn(stderr, planted)).toEqual([]);
  expect(secretsIn(trace, planted)).toEqual([]);
  // They were there.
  expect(stderr.split("[redacted]").length).toBeGreaterThan(planted.length);
  expect(trace.split("[redacted]").length).toBeGreaterThan(planted.length);
});

test("--with-secrets keeps them", async () => {
  const { stderr, trace } = await written("--with-secrets");
  expect(secretsIn(stderr, planted).length).toBeGreaterThan(planted.length / 2);
  expect(secretsIn(trace, planted).length).toBeGreaterThanOrEqual(planted.length);
});
