import { visibleText } from "@acp/core/state";

import type { Login } from "../protocol/agent.ts";
import type { LineReader } from "./input/line-reader.ts";
import type { Transcript } from "./transcript/transcript.ts";

/** Shows the login methods, and asks for one. `undefined` if the user gives up. */
export async function chooseLogin(
  methods: readonly Login[],
  lines: LineReader,
  transcript: Transcript,
  signal: AbortSignal,
): Promise<Login | undefined> {
  const choices = methods.map(({ name, description }, index) => {
    const more = description == null ? "" : `  ${visibleText(description)}`;
    return `  ${index + 1} ${visibleText(name)}${more}`;
  });
  transcript.note(["The agent wants you to log in:", ...choices].join("\n"), "yellow");
  for (;;) {
    // Text typed before the question appeared is no answer.
    const line = await lines.ask(`Your choice [1-${methods.length}], or nothing to give up: `, signal);
    transcript.takeBack(false);
    if (line === undefined || line.trim() === "") return undefined;
    const method = methods[Number(line.trim()) - 1];
    if (method !== undefined) return method;
    transcript.remark(`Please type a number from 1 to ${methods.length}, or nothing`);
  }
}
