import { describe, expect, test } from "vitest";

import type { RuntimeCommand } from "../runtime/runtime.ts";
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
      args: ["/d", "/v:off", "/s", "/c", String.raw`""C:\Program Files\nodejs\npx.CMD" -y "an agent""`],
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
      command: String.raw`C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe`,
      args: [...options, command.command, "a b", '"'],
    });
  });

  test("takes the batch file that npm has put next to a .ps1 script", async () => {
    const shims = fileTable({ files: { "C:\\npm\\agent.ps1": "", "C:\\npm\\agent.cmd": "", "C:\\npm\\agent": "" } });
    for (const name of ["agent.ps1", "agent.cmd", "agent"]) {
      const { command, args } = await resolveWindowsCommand(shims.files, {
        command: name,
        args: [],
        env: { ...env, Path: "C:\\npm", PATHEXT: ".cmd" },
        stdin: "pipe",
      });
      expect(command).toBe("C:\\Windows\\cmd.exe");
      expect(args.at(-1)).toBe(String.raw`""C:\npm\agent.cmd""`);
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
    const relative = fileTable({ files: { "D:\\work\\.\\agent.CMD": "", "D:\\work\\bin/agent.CMD": "" } }).files;
    for (const written of [String.raw`.\agent`, "bin/agent"]) {
      const found = await resolveWindowsCommand(relative, { ...command, command: written, cwd: "D:\\work" });
      expect(found.args.at(-1)).toBe(`""D:\\work\\${written.replace("/", "\\")}.CMD""`);
    }
    // Node would take the one in the working directory.
    const planted = { ...command, command: "agent", cwd: "D:\\work" };
    await expect(resolveWindowsCommand(files, planted)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("resolves relative entries of Path, and a relative working directory, from the program's folder", async () => {
    const command = {
      command: "agent",
      args: [],
      env: { ...env, Path: String.raw`D:\x";"C:\a;b";bin` },
      stdin: "pipe",
    } as const;
    const table = fileTable({
      files: { "D:\\work\\bin\\agent.CMD": "", "D:\\work\\.\\agent.CMD": "", "bin\\agent.CMD": "" },
    });
    const relative = { ...table.files, realPath: async (path: string) => `D:\\${path}` };
    const line = async (changes: Partial<RuntimeCommand>) =>
      (await resolveWindowsCommand(relative, { ...command, ...changes })).args.at(-1);
    for (const cwd of ["D:\\work", "D:\\work\\", "work"]) {
      expect(await line({ cwd })).toBe(String.raw`""D:\work\bin\agent.CMD""`);
      expect(await line({ cwd, command: String.raw`.\agent` })).toBe(String.raw`""D:\work\.\agent.CMD""`);
    }
    const quoted = fileTable({ files: { "C:\\a;b\\agent.CMD": "" } }).files;
    expect((await resolveWindowsCommand(quoted, command)).args.at(-1)).toBe(String.raw`""C:\a;b\agent.CMD""`);
  });

  test("leaves programs that cannot be found, but may exist, to the system", async () => {
    const [path, name] = ["D:\\nope", "python"].map(
      (wanted) => ({ command: wanted, args: [], env, stdin: "pipe" }) as const,
    );
    expect(await resolveWindowsCommand(files, path!)).toBe(path);
    const secretive = { ...files, stat: () => Promise.reject(Object.assign(new Error("No"), { code: "EACCES" })) };
    expect(await resolveWindowsCommand(secretive, name!)).toBe(name);
    // Nor is the user asked whether it may be looked for.
    const asking = { ...files, mayRead: () => false, stat: () => Promise.reject(new Error("The user was asked")) };
    expect(await resolveWindowsCommand(asking, name!)).toBe(name);
  });

  test("takes the alias of an app, which is a link that cannot be followed", async () => {
    const { files: aliases } = fileTable({ links: { "C:\\Windows\\python.EXE": "nowhere" } });
    const stat = async (path: string) => {
      if (path.endsWith("python.EXE")) throw Object.assign(new Error("No"), { code: "EACCES" });
      return aliases.stat(path);
    };
    const command = { command: "python", args: [], env, stdin: "pipe" } as const;
    const resolved = await resolveWindowsCommand({ ...aliases, stat }, command);
    expect(resolved.command).toBe(String.raw`C:\Windows\python.EXE`);
  });

  test("takes only a startable file as a program, and npm's batch file next to a script for another system", async () => {
    const found = fileTable({
      files: { "C:\\a\\agent.js": "", "C:\\b\\agent.CMD": "", "C:\\a\\x.y": "", "C:\\b\\agent.js.CMD": "" },
    });
    const known = { ...env, Path: "C:\\a;C:\\b", PATHEXT: ".COM;.EXE;.BAT;.CMD;.VBS;.JS;.MSC" };
    const line = async (command: string) => {
      const resolved = await resolveWindowsCommand(found.files, { command, args: [], env: known, stdin: "pipe" });
      return resolved.args.at(-1) ?? resolved.command;
    };
    expect(await line("agent")).toBe(String.raw`""C:\b\agent.CMD""`);
    expect(await line("x.y")).toBe(String.raw`C:\a\x.y`);
    expect(await line(String.raw`C:\b\agent.js`)).toBe(String.raw`""C:\b\agent.js.CMD""`);
  });

  test("reports that a file without an extension is not a program", async () => {
    const command = { command: String.raw`C:\Program Files\nodejs\npx`, args: [], env, stdin: "pipe" } as const;
    expect((await resolveWindowsCommand(files, command)).args.at(-1)).toContain("npx.CMD");
    const script = fileTable({ files: { "C:\\bin\\agent": "" } }).files;
    const unnamed = { ...command, command: String.raw`C:\bin\agent` };
    await expect(resolveWindowsCommand(script, unnamed)).rejects.toMatchObject({ code: "ENOEXEC" });
    const named = { ...command, command: "agent", env: { ...env, Path: "C:\\bin" } };
    await expect(resolveWindowsCommand(script, named)).rejects.toMatchObject({ code: "ENOENT" });
  });

  test("starts the programs of Windows by their path, even if the working directory has others", async () => {
    const bare = { SystemRoot: "D:\\Win", Path: "D:\\work" };
    const { command } = await resolveWindowsCommand(files, { command: "agent", args: [], env: bare, stdin: "pipe" });
    expect(command).toBe(String.raw`D:\Win\System32\cmd.exe`);
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
    const line = batchCommandLine("x.cmd", ['a" & calc.exe & "%PATH%']).slice('"x.cmd" '.length);
    const once = unescape(line);
    expect(unescape(once)).toBe(String.raw`"a\" & calc.exe & \"%PATH%"`);
    for (const text of [line, once]) expect(text).not.toMatch(/(?<!\^)[&"%]/u);
  });

  test.each(["%PATH%", "%PATH:a=b%", "%PATH:~0%", "%PATH:~0,9%", '"%PATH:a=b%"', "%%PATH:a=b%%", "5%", "%", "é%é:=%"])(
    "lets no variable be read by %s",
    (argument) => {
      const line = batchCommandLine("x.cmd", [argument, "a", argument]).slice('"x.cmd" '.length);
      const quoted = quoteArgument(argument);
      expect(unescape(unescape(expandVariables(line)))).toBe(`${quoted} a ${quoted}`);
    },
  );

  test("leaves arguments that need only quotes plain, for batch files that look at their parameters one by one", () => {
    const args = ["--acp", "C:\\a b\\", "a&b|c^d", "", "a=b", "é"];
    expect(batchCommandLine("C:\\a b\\x.cmd", args)).toBe(
      String.raw`"C:\a b\x.cmd" --acp "C:\a b\\" "a&b|c^d" "" "a=b" "é"`,
    );
    expect(batchCommandLine(String.raw`C:\%TEMP% b\x.cmd`, [])).toBe(String.raw`^"C:\^%^TEMP^%^ b\x.cmd^"`);
  });

  test("refuses a line break", () => {
    expect(() => batchCommandLine("x.cmd", ["a\nb"])).toThrow("a batch file cannot take an argument with a line break");
  });
});

/** Resolves carets as cmd.exe does. */
function unescape(text: string): string {
  return text.replaceAll(/\^(.)/gu, "$1");
}

/** Expands variables as cmd.exe does, first of all; every name of letters counts as set. */
function expandVariables(text: string): string {
  return text.replaceAll(/%[a-z]+(?::[^%]+)?%/giu, "(variable)");
}
