import type { ModelMessage } from "ai";
import { expect, test } from "vitest";

import { toTranscript } from "./transcript.ts";

const messages: readonly ModelMessage[] = [
  {
    role: "user",
    content: [
      { type: "text", text: "Mend it" },
      { type: "file", mediaType: "image/png", data: "aaaa" },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "I look." },
      { type: "tool-call", toolCallId: "1", toolName: "read", input: { path: "a.ts" } },
      { type: "tool-call", toolCallId: "2", toolName: "run", input: { command: "rm -r /" } },
    ],
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", toolCallId: "1", toolName: "read", output: { type: "text", value: "b".repeat(5000) } },
      { type: "tool-result", toolCallId: "2", toolName: "run", output: { type: "execution-denied", reason: "No" } },
    ],
  },
];

test("a transcript contains messages and actions, and no long outputs", () => {
  const transcript = toTranscript(messages, 100_000);
  expect(transcript.replaceAll(/b{2,}/gu, "b…")).toBe(
    [
      "User: Mend it",
      "User: [a file or an image]",
      "Agent: I look.",
      'Agent calls read: {"path":"a.ts"}',
      'Agent calls run: {"command":"rm -r /"}',
      "Result of read: b…\n[3000 characters are left out]\nb…",
      "Result of run: The user refused: No",
    ].join("\n\n"),
  );
});

test("a transcript that is too long keeps its beginning and its end", () => {
  const transcript = toTranscript(messages, 100);
  expect(transcript.length).toBeLessThan(150);
  expect(transcript).toMatch(/^User: Mend it.*characters are left out.*The user refused: No$/su);
});
