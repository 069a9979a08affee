import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { checkClient, type CheckClientOptions } from "../../src/check-client.ts";

const at = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const client = at("mutant-client.mjs");

async function check(options: Partial<CheckClientOptions>): Promise<Readonly<Record<string, readonly string[]>>> {
  const { results } = await checkClient({
    command: [process.execPath, client, "{prompt}", "{agent}"],
    protocol: 1,
    framing: "ndjson",
    cancel: "SIGINT",
    seed: 1,
    timeout: 60_000,
    jobs: 4,
    ...options,
  });
  const others = results.filter(({ status }) => status !== "pass");
  const told = others.map(({ id, status, reason, shown = "", stderr = "", exchanged }) =>
    status === "not-applicable"
      ? id
      : `${id} ${status}: ${reason}\n${JSON.stringify({ shown: shown.slice(-500), stderr, exchanged: exchanged.slice(-5) })}`,
  );
  return { others: told, count: [String(results.length)] };
}

describe("a client without a fault", () => {
  test("passes all checks with its prompt as an argument", async () => {
    expect(await check({})).toMatchObject({
      others: ["login-was-offered", "second-prompt-goes-on", "cancel-answers-questions"],
    });
  });

  test("passes those of turns and questions with lines on its stdin", async () => {
    const command = [process.execPath, client, "-", "{agent}"];
    const { others } = await check({
      command,
      env: { ASKS: "1" },
      answer: "answer {option}",
      only: ["PERM", "CANC", "PROM", "RCAN"],
    });
    expect(others).toEqual([]);
  });

  test("passes them by a driver, which tells what is shown", async () => {
    const command = [process.execPath, at("driver.mjs"), "{agent}"];
    const { others } = await check({ command, driver: true, only: ["PERM", "CANC", "PROM", "TRAN-10"] });
    expect(others).toEqual([]);
  });

  test("passes what has to be so in version 2", async () => {
    expect(await check({ protocol: 2, env: { PROTOCOL: "2" }, only: ["must"] })).toMatchObject({
      others: ["second-prompt-goes-on", "cancel-answers-questions"],
    });
  });

  test.each(["SIGTERM", "SIGKILL"])("may end its agent by %s in the moment in which it ends", async (signal) => {
    const only = signal === "SIGKILL" ? ["agent-stays-behind", "agent-ignores-signals"] : ["agent-stays-behind"];
    for (let count = 0; count < 5; count++) {
      const { others } = await check({ env: { QUICK: signal }, only });
      expect(others).toEqual([]);
    }
  });

  test("may have a prompt of its own, and end after it", async () => {
    const script = `spawn(process.execPath, [process.argv[1], "Hello", ...process.argv.slice(2)], { stdio: "inherit" })`;
    const start = `const { spawn } = require("node:child_process"); ${script}.on("exit", (code) => process.exit(code))`;
    const command = [process.execPath, "-e", start, client, "{agent}"];
    expect((await check({ command, only: ["second-prompt-goes-on"] })).others).toEqual(["second-prompt-goes-on"]);
  });

  test("may let a second cancel end it", async () => {
    const { others } = await check({ env: { FAULT: "needs-two-cancels" }, only: ["cancel-is-ignored"], timeout: 8000 });
    expect(others).toEqual([]);
  });

  test("may end by the signal that cancels, while it asks its user", async () => {
    const command = [process.execPath, client, "-", "{agent}"];
    const env = { ASKS: "1", FAULT: "dies-by-signals" };
    const { others } = await check({ command, env, only: ["question-without-options"] });
    expect(others).toEqual([expect.stringMatching(/^question-without-options not-reached: .* ended by SIGINT/u)]);
  });

  test("is not blamed for a person who is not there", async () => {
    const command = [process.execPath, client, "-", "{agent}"];
    const { others } = await check({ command, env: { ASKS: "1" }, only: ["permission-is-answered"] });
    expect(others).toEqual([expect.stringMatching(/^permission-is-answered not-reached: The client asks its user/u)]);
  });
});
