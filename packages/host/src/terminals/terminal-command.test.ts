import { describe, expect, test } from "vitest";

import type { Runtime } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { isShellLine, startCommand, terminalCommand } from "./terminal-command.ts";
import { toTerminalExit } from "./terminal-process.ts";

function on(platform: Runtime["platform"], env: Record<string, string>): Runtime {
  return {
    platform,
    caseInsensitivePaths: platform === "windows",
    environment: () => env,
    spawn: () => Promise.reject(new Error("Not used")),
    startInForeground: () => Promise.reject(new Error("Not used")),
    files: fileTable({}).files,
  };
}

const posix = on("posix", { PATH: "/bin" });
const windows = on("windows", { Path: "C:\\Windows", ComSpec: "C:\\Windows\\cmd.exe" });

function session(cwd: string | undefined) {
  return { id: "s", cwd, additionalDirectories: [], signal: new AbortController().signal };
}

describe("terminalCommand()", () => {
  test("fills in the session's directory and the environment", () => {
    const params = { command: "ls", args: null, env: [{ name: "A", value: "2" }], cwd: null };
    expect(terminalCommand(posix, params, session("/project"), { A: "1", B: "1" })).toEqual({
      command: "ls",
      args: [],
      cwd: "/project",
      env: { PATH: "/bin", A: "2", B: "1" },
    });
  });

  test("takes __proto__ for a variable like others", () => {
    const params = { command: "ls", env: [{ name: "__proto__", value: "v" }] };
    const { env } = terminalCommand(posix, params, session("/"), {});
    expect(Object.entries(env)).toEqual([
      ["PATH", "/bin"],
      ["__proto__", "v"],
    ]);
  });

  test("reports that a session that is not open yet has no directory, when the caller names none", () => {
    expect(() => terminalCommand(posix, { command: "ls" }, session(""), {})).toThrow("not open yet");
    expect(() => terminalCommand(posix, { command: "ls", cwd: "" }, session(""), {})).toThrow("absolute");
    expect(terminalCommand(posix, { command: "ls", cwd: "/" }, session(""), {}).cwd).toBe("/");
  });

  test("replaces a variable whose name differs in case on Windows", () => {
    const params = { command: "dir", env: [{ name: "PATH", value: "D:\\" }] };
    expect(terminalCommand(windows, params, session("C:\\"), {}).env).toEqual({
      PATH: "D:\\",
      ComSpec: "C:\\Windows\\cmd.exe",
    });
  });

  test.each(["sub", "C:\\a", "~"])("CONV-02/client: refuses %s as a directory on POSIX", (cwd) => {
    expect(() => terminalCommand(posix, { command: "ls", cwd }, session("/"), {})).toThrow("absolute");
  });

  test("CONV-02/client: takes a drive as a directory on Windows, and nothing relative to one", () => {
    expect(terminalCommand(windows, { command: "dir", cwd: "C:\\a" }, session("D:\\"), {}).cwd).toBe("C:\\a");
    expect(() => terminalCommand(windows, { command: "dir", cwd: "\\a" }, session("D:\\"), {})).toThrow("absolute");
  });
});

test.each([
  [{ command: "ls", cwd: "sub" }, "/cwd"],
  [{ command: "" }, "/command"],
  [{ command: "l\0s" }, "/command"],
  [{ command: "ls", args: ["a", "\0"] }, "/args/1"],
  [{ command: "ls", env: [{ name: "A=B", value: "" }] }, "/env/0"],
])("terminalCommand() refuses %j and reports where", (params, path) => {
  expect(() => terminalCommand(posix, params, session("/"), {})).toThrow(
    expect.objectContaining({
      wire: expect.objectContaining({ code: -32602, data: expect.objectContaining({ path }) }),
    }),
  );
});

describe("startCommand()", () => {
  const command = { command: "git", args: ["log", "a b"], cwd: "/", env: { COMSPEC: "D:\\cmd.exe" } };

  test("starts the command itself on Windows", () => {
    expect(startCommand(windows, command, false)).toMatchObject({
      command: "git",
      args: ["log", "a b"],
      stdin: "null",
    });
  });

  test("hands a line to cmd.exe as it is", () => {
    expect(startCommand(windows, { ...command, command: 'echo "a" & dir', args: [] }, true)).toMatchObject({
      command: "D:\\cmd.exe",
      args: ["/d", "/v:off", "/s", "/c", '"echo "a" & dir"'],
      verbatimArguments: true,
    });
  });
});

describe("isShellLine()", () => {
  const command = (line: string, args: readonly string[] = []) => ({
    command: line,
    args,
    cwd: "/project",
    env: { PATH: "/bin" },
  });
  const files = {
    "/bin/ls": "",
    "/opt/My App/run": "",
    "/project/./my tool": "",
    "/bin/odd;name": "",
    "C:\\My App\\run.EXE": "",
  };
  const withFiles = (runtime: Runtime): Runtime => ({ ...runtime, files: fileTable({ files }).files });

  test.each([
    "echo hi && ls",
    "ls|wc",
    "ls -la",
    "ls;ls",
    "ls>out",
    "ls\nls",
    "ls\tx",
    "$SHELL",
    "`ls`",
    "(ls)",
    "~/run",
    "*.sh",
    "/opt/My App/missing",
    "'ls'",
  ])("runs %j in the shell", async (line) => {
    expect(await isShellLine(withFiles(posix), command(line), undefined)).toBe(true);
    expect(await isShellLine(withFiles(posix), command(line), false)).toBe(false);
    expect(await isShellLine(withFiles(posix), command(line, ["x"]), undefined)).toBe(false);
    expect(await isShellLine(withFiles(posix), command(line, ["x"]), true)).toBe(false);
  });

  test.each(["ls", "missing", "/opt/My App/run", "./my tool", "odd;name", "a=b", "x#y", "C:\\a"])(
    "runs %j as a program",
    async (name) => {
      expect(await isShellLine(withFiles(posix), command(name), undefined)).toBe(false);
      expect(await isShellLine(withFiles(posix), command(name), true)).toBe(true);
    },
  );

  test.each([
    ["dir /b & ver", true],
    ["type a|more", true],
    ["echo %PATH%", true],
    ["C:\\My App\\missing.exe", true],
    ["C:\\My App\\run.EXE", false],
    ["C:\\My App\\run", false],
    ["dir", false],
  ])("on Windows, %j is a line: %j", async (line, isLine) => {
    expect(await isShellLine(withFiles(windows), command(line), undefined)).toBe(isLine);
  });

  test("takes text that looks like a line for one if this process may not search for programs", async () => {
    const blind = { ...posix, files: { ...posix.files, mayRead: () => false } };
    expect(await isShellLine(blind, command("ls -la"), undefined)).toBe(true);
    expect(await isShellLine(blind, command("ls"), undefined)).toBe(false);
  });
});

test("TERM-10: toTerminalExit() makes an exit code one of 32 bits without a sign", () => {
  expect(toTerminalExit({ exitCode: -1, signal: null })).toEqual({ exitCode: 4_294_967_295, signal: null });
  expect(toTerminalExit({ exitCode: 3_221_225_786, signal: null }).exitCode).toBe(3_221_225_786);
  expect(toTerminalExit({ exitCode: null, signal: "SIGKILL" })).toEqual({ exitCode: null, signal: "SIGKILL" });
});
