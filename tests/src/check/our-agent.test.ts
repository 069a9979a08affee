import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { checkAgent, type CheckAgentOptions, type CheckReport } from "@acp/check";
import { describe, expect, test } from "vitest";

import { agentHome } from "../support/agent-home.ts";

const program = fileURLToPath(new URL("../../../apps/agent/dist/main.js", import.meta.url));
const prompts = {
  short: "search notes",
  long: "help",
  permission: "write notes.txt: buy {number}",
  read: "read notes.txt",
};

/** Checks the reference agent, as its users get it. */
async function checked(
  args: readonly string[],
  options: Pick<CheckAgentOptions, "protocol"> & Partial<CheckAgentOptions>,
): Promise<CheckReport> {
  using home = agentHome(process.env["PATH"]);
  writeFileSync(join(home.project, "notes.txt"), "some notes\n");
  const target = {
    command: process.execPath,
    // A long prompt has to last until the checker has seen that it began, on a busy machine too.
    args: [program, "--no-model", "--pace", "100", ...args.map((arg) => arg.replace("<home>", home.home))],
    env: home.env,
  };
  return await checkAgent({
    target,
    framing: "ndjson",
    cwd: home.project,
    prompts,
    timeout: 60_000,
    seed: 1,
    ...options,
  });
}

/** What did not pass, as `id: status`, and why. */
const others = ({ results }: CheckReport): readonly string[] =>
  results.flatMap(({ id, status, reason }) =>
    status === "pass" ? [] : [`${id}: ${status}${status === "not-applicable" ? "" : ` ${reason}`}`],
  );

const withoutLogin = [
  "offers-logins-with-id-and-name: not-applicable",
  "refuses-an-unknown-login: not-applicable",
  "login-opens-sessions: not-applicable",
];
const textOnly = "takes-what-it-advertises: not-applicable";

/** Before a release, each of these runs in both versions of the protocol. */
const isThorough = process.env["THOROUGH"] !== undefined;

describe("the reference agent passes all checks", () => {
  test.each(isThorough ? ([1, 2] as const) : ([1] as const))("of version %d", async (protocol) => {
    const report = await checked([], { protocol });
    expect(others(report)).toEqual([...withoutLogin, textOnly]);
    expect(report.results.length).toBeGreaterThan(120);
  });

  test("of messages and bytes, with Content-Length", async () => {
    const only = ["RPC", "TRAN", "UPD"];
    const report = await checked(["--framing", "content-length"], { protocol: 1, framing: "content-length", only });
    expect(others(report)).toEqual([]);
  });

  test.each(isThorough ? ([1, 2] as const) : ([2] as const))("of logins, in version %d", async (protocol) => {
    const only = ["AUTH", "SESS"];
    const report = await checked(["--require-login", "<home>/login"], { protocol, login: "guest", only });
    expect(others(report)).toEqual([]);
  });
});
