import { describe, expect, test } from "vitest";

import { describeCommand, parseCommandLine } from "./command-line.ts";

describe("parseCommandLine()", () => {
  test("splits words, and keeps quoted ones together", () => {
    expect(parseCommandLine(`node -e "a b" 'c "d"' e''f`)).toEqual({
      command: "node",
      args: ["-e", "a b", 'c "d"', "ef"],
    });
  });

  test.each(["a | b", "echo $HOME", "ls *.js", "a && b", "echo 'open"])("runs %s in the shell", (line) => {
    const parsed = parseCommandLine(line, "linux");
    expect(parsed).toEqual({ command: "/bin/sh", args: ["-c", line] });
    expect(describeCommand(parsed)).toBe(line);
  });

  test.each(["a | b", "echo %PATH%", "a && b", "dir", "Echo hello"])("runs %s in the shell of Windows", (line) => {
    const parsed = parseCommandLine(line, "win32");
    expect(parsed).toEqual({ command: "cmd.exe", args: ["/d", "/s", "/c", line] });
    expect(describeCommand(parsed)).toBe(line);
  });

  test("runs a program of Windows without a shell, whatever its path", () => {
    expect(parseCommandLine(String.raw`"C:\Program Files (x86)\x.exe" dir`, "win32")).toEqual({
      command: String.raw`C:\Program Files (x86)\x.exe`,
      args: ["dir"],
    });
  });
});
