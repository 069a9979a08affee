import { expect, test } from "vitest";

import { acpSpec } from "../commands.ts";
import type { CommandSpec } from "./command.ts";
import { helpOf } from "./help.ts";

const commands = (spec: CommandSpec): CommandSpec[] => [spec, ...(spec.commands ?? []).flatMap(commands)];

test.each(commands(acpSpec).map((spec) => [`acp ${spec.name}`.trim(), spec] as const))(
  "the help of %s fits into 80 columns",
  (_name, spec) => {
    const help = helpOf(spec);
    expect(help.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(help).toContain("--help");
  },
);

test("helpOf() puts descriptions of options into one column, and breaks long lines", () => {
  const spec: CommandSpec = {
    name: "shell",
    summary: "Open a shell",
    usage: ["[options]", "<file>"],
    about: "Opens a shell\nfor you.",
    options: {
      prompt: {
        short: "p",
        value: "<text>",
        help: "What it shows before each line, in every shell of this kind",
      },
      "with-a-very-long-name": { value: "<value>", help: "Nothing", multiple: true },
    },
    notes: "Exit codes:\n    0  all is well",
    commands: [
      { name: "shell open", summary: "Open it", usage: [], options: {} },
      { name: "shell x", summary: "Something", usage: [], options: {} },
    ],
  };
  expect(helpOf(spec)).toBe(`Usage: acp shell [options]
       acp shell <file>

Opens a shell for you.

Commands:
  open  Open it
  x     Something

Options:
  -p, --prompt <text>           What it shows before each line, in every shell
                                of this kind
      --with-a-very-long-name <value>
                                Nothing (repeatable)

Exit codes:
    0  all is well
`);
});
