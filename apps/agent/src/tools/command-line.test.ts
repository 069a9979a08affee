import { describe, expect, test } from "vitest";

import { describeCommand, parseCommandLine } from "./command-line.ts";

describe("parseCommandLine()", () => {
  test("splits words, and keeps quoted ones together", () => {
    expect(parseCommandLine(`node -e "a b" 'c "d"' e''f`)).toEqual({
      command: "node",
      args: ["-e", "a b", 'c "d"', "ef"],
    });
  });

  test.each(["a | b", "echo $HOME", "ls *.js", "a && b", "echo 'open"])("gives %s to the shell", (line) => {
    const parsed = parseCommandLine(line);
    expect(parsed.args.at(-1)).toBe(line);
    expect(parsed.command).toMatch(/sh$|cmd/u);
    expect(describeCommand(parsed)).toBe(line);
  });
});
