import { UsageError } from "@acp/core";
import { describe, expect, test } from "vitest";

import { fileTable } from "../testing/file-table.ts";
import { batchCommandLine, quoteArgument, resolveWindowsCommand } from "./windows-command.ts";

const env = {
  Path: String.raw`C:\Windows;"C:\Program Files\nodejs"`,
  PATHEXT: ".COM;.EXE;.BAT;.CMD",
  ComSpec: "C:\\Windows\\cmd.exe",
};
const { files } = fileTable({
  files: {
    "C:\\Windows\\cmd.exe": "",
    "C:\\Program Files\\nodejs\\npx": "#!/bin/sh",
    "C:\\Program Files\\nodejs\\npx.CMD": "",
    "C:\\Program Files\\nodejs\\node.EXE": "",
    "D:\\work\\agent.CMD": "",
  },
});

describe("resolveWindowsCommand()", () => {
  test("starts cmd.exe when the command is a .cmd file on Path", async () => {
    expect(
      await resolveWindowsCommand(files, { command: "npx", args: ["-y", "an agent"], env, stdin: "pipe" }),
    ).toEqual({
      command: "C:\\Windows\\cmd.exe",
      args: ["/d", "/s", "/c", String.raw`"^"C:\Program^ Files\nodejs\npx.CMD^" ^^^"-y^^^" ^^^"an^^^ agent^^^""`],
      verbatimArguments: true,
      env,
      stdin: "pipe",
    });
  });

  test("starts PowerShell when the command is a .ps1 script by name", async () => {
    const scripts = fileTable({ files: { "D:\\work\\agent.ps1": "" } }).files;
    const command = { command: String.raw`D:\work\agent.ps1`, args: ["a b", '"'], env, stdin: "pipe" } as const;
    const options = ["-NoLogo", "-NoProfile", "-NonInteractive", "-ExecutionPolicy", "Bypass", "-File"];
    // Quoted as for any other program: no shell reads these.
    expect(await resolveWindowsCommand(scripts, command)).toEqual({
      ...command,
      command: "powershell.exe",
      args: [...options, command.command, "a b", '"'],
    });
  });

  test("takes the batch file that npm has put beside a .ps1 script", async () => {
    const shims = fileTable({ files: { "C:\\npm\\agent.ps1": "", "C:\\npm\\agent.cmd": "", "C:\\npm\\agent": "" } });
    for (const name of ["agent.ps1", "agent.cmd", "agent"]) {
      const { command, args } = await resolveWindowsCommand(shims.files, {
        command: name,
        args: [],
        env: { ...env, Path: "C:\\npm", PATHEXT: ".cmd" },
        stdin: "pipe",
      });
      expect(command).toBe("C:\\Windows\\cmd.exe");
      expect(args.at(-1)).toBe(String.raw`"^"C:\npm\agent.cmd^""`);
    }
  });

  test("gives the full path of a program", async () => {
    const command = { command: "node", args: ["a b"], env, stdin: "pipe" } as const;
    expect(await resolveWindowsCommand(files, command)).toEqual({
      ...command,
      command: "C:\\Program Files\\nodejs\\node.EXE",
    });
  });

  test("looks for a relative path in the working directory only", async () => {
    const command = { command: String.raw`.\agent`, args: [], env, stdin: "pipe" } as const;
    const found = await resolveWindowsCommand(fileTable({ files: { "D:\\work\\.\\agent.CMD": "" } }).files, {
      ...command,
      cwd: "D:\\work",
    });
    expect(found.args.at(-1)).toContain(String.raw`D:\work\.\agent.CMD`);
    expect(await resolveWindowsCommand(files, { ...command, command: "agent", cwd: "D:\\work" })).toMatchObject({
      command: "agent",
    });
  });

  test("leaves a command alone that cannot be found", async () => {
    const command = { command: "nope", args: [], env, stdin: "pipe" } as const;
    expect(await resolveWindowsCommand(files, command)).toBe(command);
  });
});

describe("quoteArgument()", () => {
  test("doubles backslashes before a quote and at the end only", () => {
    expect(quoteArgument(String.raw`a\b`)).toBe(String.raw`"a\b"`);
    expect(quoteArgument("a\\")).toBe(String.raw`"a\\"`);
    expect(quoteArgument('a\\"b')).toBe(String.raw`"a\\\"b"`);
  });
});

describe("batchCommandLine()", () => {
  test("leaves no metacharacter unescaped, nor after the batch file has expanded it", () => {
    const line = batchCommandLine("x.cmd", ['a" & calc.exe & "%PATH%']).slice(String.raw`^"x.cmd^" `.length);
    const once = unescape(line);
    expect(unescape(once)).toBe(String.raw`"a\" & calc.exe & \"%PATH%"`);
    for (const text of [line, once]) expect(text).not.toMatch(/(?<!\^)[&"%]/u);
  });

  test("refuses a line break", () => {
    expect(() => batchCommandLine("x.cmd", ["a\nb"])).toThrow(UsageError);
  });
});

/** What cmd.exe makes of carets. */
function unescape(text: string): string {
  return text.replaceAll(/\^(.)/gu, "$1");
}
