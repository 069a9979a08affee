import { expect, test } from "vitest";

import { saysCommand } from "./call.ts";

const line = String.raw`printf '%s\n' "first" > a && echo "sum $((20 + 22))"`;

test.each([
  ["as it is", line, line],
  ["in code marks", `\`${line}\``, line],
  ["as one word (codex-acp 2.6)", line, String.raw`"printf '%s\\n' \"first\" > a && echo \"sum "'$((20 + 22))"'`],
  ["as a script (codex-acp 0.16)", line, `/bin/bash -lc '${line.replaceAll("'", String.raw`'\''`)}'`],
  ["as a script of several lines", "echo one\nexit 3", "sh -c 'echo one\nexit 3'"],
  ["without quotes", "ls", "/usr/bin/zsh -lc ls"],
])("a text says a command %s", (_, text, command) => {
  expect(saysCommand(text, command)).toBe(true);
});

test.each([
  ["a command that it only contains", `Run ${line}`, line],
  ["another command", "ls", "rm"],
  ["more than the text", "ls", "ls; rm a"],
  ["other quotes", "rm 'a b'", "rm a b"],
  ["a script among words", "ls", "bash -c ls a"],
  ["another program than a shell", "ls", "/tmp/bash -c ls"],
  ["another option of the shell", "ls", "bash -x ls"],
  ["something behind the script", "ls", "bash -c ls; rm a"],
  ["something that a shell fills in", "ls", 'bash -c "$X"'],
  ["a word with a substitution", "echo `rm a`", '"echo `rm b`"'],
  ["a broken quote", "ls", "bash -c 'ls"],
  ["a second line", "ls", "bash -c ls\nrm a"],
])("a text does not say %s", (_, text, command) => {
  expect(saysCommand(text, command)).toBe(false);
});

test("a text does not say a part of a command", () => {
  expect(saysCommand("ls", "bash -c 'ls && rm a'")).toBe(false);
});
