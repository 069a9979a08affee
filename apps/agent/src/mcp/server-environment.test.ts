import { describe, expect, test, vi } from "vitest";

import { connectMcpServer } from "./mcp-connection.ts";
import { serverEnvironment } from "./server-environment.ts";
import { ownServer } from "./testing/own-server.ts";

const secrets = {
  OPENAI_API_KEY: "sk-1",
  ANTHROPIC_API_KEY: "sk-2",
  ANTHROPIC_AUTH_TOKEN: "sk-3",
  MY_PROVIDER: "sk-4",
  GITHUB_TOKEN: "sk-5",
  AWS_SECRET_ACCESS_KEY: "sk-6",
  DATABASE_URL: "postgres://u:sk-7@host/db",
  SSH_AUTH_SOCK: "/sk-8",
  NODE_OPTIONS: "--title=sk-9",
  HTTPS_PROXY: "http://u:sk-10@proxy:1",
  LC_X: "() { echo sk-11; }",
};

test("an MCP server gets its own variables and the safe ones of the agent, and no keys", async () => {
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
  vi.stubEnv("LC_ALL", "C.UTF-8");
  vi.stubEnv("HTTP_PROXY", "http://proxy:1");
  try {
    const server = ownServer({ GITHUB_TOKEN: "of the server", EMPTY: "" });
    const connection = await connectMcpServer(server, { cwd: process.cwd(), directories: [process.cwd()] });
    const { signal } = new AbortController();
    const { content } = await connection.call("env", {}, { signal });
    await connection.close();
    const text = content.map((block) => ("text" in block ? String(block.text) : "")).join("");
    expect(text).not.toContain("sk-");
    expect(JSON.parse(text)).toMatchObject({
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      LC_ALL: "C.UTF-8",
      HTTP_PROXY: "http://proxy:1",
      GITHUB_TOKEN: "of the server",
      EMPTY: "",
    });
  } finally {
    vi.unstubAllEnvs();
  }
});

describe("serverEnvironment()", () => {
  test("keeps the variables that Windows needs, in any case", () => {
    const env = { Path: "p", SystemRoot: "s", "ProgramFiles(x86)": "x", ComSpec: "c", OneDrive: "o", MY_KEY: "k" };
    expect(serverEnvironment({ MY_KEY: "own" }, env, "win32")).toEqual({ OneDrive: undefined, MY_KEY: "own" });
  });

  test("does not take names for the same elsewhere that differ in case", () => {
    expect(serverEnvironment({}, { PATH: "p", path: "x", Term: "x" }, "linux")).toEqual({
      path: undefined,
      Term: undefined,
    });
  });

  test("takes any name", () => {
    const env = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    expect(Object.keys(serverEnvironment({}, env, "linux"))).toEqual(["__proto__", "constructor"]);
  });
});
