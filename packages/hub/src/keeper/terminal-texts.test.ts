import type { Terminal } from "@acp/host/types";
import { expect, test } from "vitest";

import { systemClock } from "../clock.ts";
import { TerminalTexts } from "./terminal-texts.ts";

/** What clients see of a command that has printed something. */
function textOf(command: string, args: readonly string[], output: string): unknown {
  const texts = new TerminalTexts(systemClock, () => {});
  const exited = new Promise<never>(() => {});
  const terminal = {
    id: "1",
    command,
    args,
    exited,
    exit: undefined,
    onOutput: () => () => {},
    output: () => ({ output }),
  };
  texts.add(terminal as unknown as Terminal);
  const update = { toolCallId: "call", content: [{ type: "terminal", terminalId: "1" }] };
  return textIn(texts.convert(update));
}

function textIn(update: unknown): string {
  const { content } = update as { readonly content: readonly { readonly content: { readonly text: string } }[] };
  return content.map((one) => one.content.text).join("");
}

test.each([
  [["commit", "-m", "two words"], "", "```console\n$ git commit -m 'two words'\n\n```"],
  [["it's", ""], "done\n", "```console\n$ git 'it'\\''s' ''\ndone\n```"],
  [["a\n````\nb"], "``", "`````console\n$ git 'a\n````\nb'\n``\n`````"],
])("a command is shown as one types it, in a fence that nothing in it ends: %j", (args, output, shown) => {
  expect(textOf("git", args, output)).toBe(shown);
});
