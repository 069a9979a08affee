// What finds, starts and examines agents works on every runtime of the plain client.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { agentHome } from "../support/agent-home.ts";
import { agentProgram, clientProgram } from "../support/main-job-programs.ts";
import { executableOf, type RuntimeName, runtimes } from "../support/runtimes.ts";
import { testedRuntimes } from "../support/tested-runtimes.ts";

/** Runs the client on a runtime. */
async function acp(
  runtime: RuntimeName,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(executableOf(runtime), [...runtimes[runtime].args, clientProgram, ...args], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve(code ?? -1));
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

test.each(testedRuntimes)("an agent is started and examined by its name on %s", async (runtime) => {
  using home = agentHome();
  const { env, project } = home;
  const place = ["--cwd", project];
  home.write(home.userConfig, '{ "registry": false, /* none */ }');
  const command = [process.execPath, agentProgram, "--pace", "0"];
  expect(await acp(runtime, ["agents", "add", "mine", ...place, "--", ...command], env)).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect((await acp(runtime, ["agents", "default", "mine", ...place], env)).code).toBe(0);
  expect((await acp(runtime, ["agents", "--names", ...place], env)).stdout).toBe("mine\n");
  for (const name of [["mine"], []]) {
    const { code, stdout, stderr } = await acp(runtime, [...name, "--prompt", "/help", ...place], env);
    expect(stderr).toBe("");
    expect(stdout).toContain("I am the reference agent");
    expect(code).toBe(0);
  }
  const doctor = await acp(runtime, ["doctor", "mine", "--json", ...place], env);
  expect(doctor.stderr).toBe("");
  expect(JSON.parse(doctor.stdout)).toMatchObject({
    ok: true,
    launch: { name: "mine", source: "user" },
    problems: [],
  });
  expect(doctor.code).toBe(0);
});

test("Bun, which takes a leading -- away, still knows a command from a name", async () => {
  using home = agentHome();
  const { env, project } = home;
  home.write(home.userConfig, { registry: false });
  const command = [process.execPath, agentProgram, "--pace", "0"];
  const { code, stdout } = await acp("bun", ["--", ...command], { ...env, PWD: project });
  expect(stdout).toBe("");
  // There is no prompt, and so the command was understood.
  expect(code).toBe(2);
  const name = await acp("bun", ["some-agent", "--prompt", "x", "--cwd", project], env);
  expect(name.stderr).toContain("There is no agent 'some-agent'");
});
