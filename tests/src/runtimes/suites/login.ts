/** Logging in: what the agent does itself, and what takes a terminal. */
import { createClient } from "@acp/core";

import { eventually, expectEqual, expectTrue, rejectionOf } from "../check.ts";
import { endedBy, existsSync, join, mkdir, process, programOn, readText, writeFile } from "../platform.ts";
import { isAlive } from "../../support/is-alive.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

const info = { name: "test-client", version: "1" };
const client = createClient({ info, capabilities: { auth: { terminal: true } } });

function launch({ runtimeName, directory }: ScenarioContext) {
  const program = programOn(runtimeName, "login-agent", ["--state", join(directory, "login")]);
  return { ...program, cwd: directory, env: { ACP_BOTH: "of the agent", ACP_BASE: "kept" } };
}

interface Start {
  readonly args: readonly string[];
  readonly env: readonly unknown[];
  readonly cwd: string;
  readonly pid: number;
}

/** How the login in a terminal was started. */
async function startOf({ directory }: ScenarioContext): Promise<Start> {
  return JSON.parse(await readText(join(directory, "login.start"))) as Start;
}

/** The same, once it has been. */
async function startSoonOf(context: ScenarioContext): Promise<Start> {
  await eventually(() => startOf(context).then(Boolean, () => false), "the login has started");
  return startOf(context);
}

export const scenarios: readonly Scenario[] = [
  test("AUTH-10, AUTH-11: a client logs in when session/new is refused, and opens the session then", async (context) => {
    const asked: string[] = [];
    const asking = createClient({
      info,
      authenticate: ({ methods, method }) => {
        asked.push(method);
        return methods[0]?.id;
      },
    });
    const agent = await context.runtime.spawnAgent(asking, launch(context));
    // AUTH-03: none in a terminal, since the client has said nothing of one.
    expectEqual(
      agent.authMethods.map(({ id }) => id),
      ["agent"],
    );
    await Promise.all([agent.newSession({ cwd: context.directory }), agent.newSession({ cwd: context.directory })]);
    expectEqual(asked, ["session/new"]);
    // AUTH-18, AUTH-20
    expectEqual(await agent.request("logout", {}), {});
    await agent.newSession({ cwd: context.directory });
    expectEqual(asked, ["session/new", "session/new"]);
    await agent.close();
  }),
  test("AUTH-12, AUTH-14: a login in a terminal starts the agent's program with more arguments and environment, then reconnects", async (context) => {
    const { directory } = context;
    const options = launch(context);
    const first = await context.runtime.spawnAgent(client, options);
    const refused = await rejectionOf(first.newSession({ cwd: directory }));
    expectEqual((refused["wire"] as { code: number }).code, -32000);
    const second = await first.login("terminal-0");
    const { args, env, cwd } = await startOf(context);
    expectEqual(args.slice(-3), ["--login", "--exit", "0"]);
    expectEqual(args.slice(0, -3), options.args.slice(options.args.indexOf("--runtime")));
    expectEqual(env, ["of the method", "kept"]);
    expectEqual(cwd, directory);
    expectTrue(first.process.pid !== second.process.pid, "another process");
    expectTrue(!isAlive(first.process.pid), "the first process is gone");
    expectEqual(second.info?.name, "login-agent");
    await second.newSession({ cwd: directory });
    await second.close();
  }),
  test("AUTH-13: a login in a terminal that ends otherwise than with 0 has failed, and the agent lives on", async (context) => {
    const agent = await context.runtime.spawnAgent(client, launch(context));
    const failed = await rejectionOf(agent.login("terminal-3"));
    expectEqual([failed["code"], failed["exit"]], ["login_failed", { exitCode: 3, signal: null }]);
    const killed = await rejectionOf(agent.login("terminal-kill"));
    expectEqual([killed["code"], killed["exit"]], ["login_failed", endedBy("SIGKILL")]);
    // The terminal of an editor that was closed cannot say how its program ended.
    const unknown = await rejectionOf(agent.login("terminal-0", { launch: async () => ({}) }));
    expectEqual([unknown["code"], unknown["exit"]], ["login_failed", { exitCode: null, signal: null }]);
    expectEqual((await rejectionOf(agent.login("terminal-5")))["code"], "usage");
    expectTrue(isAlive(agent.process.pid) && !agent.signal.aborted, "the agent lives");
    expectTrue(!existsSync(join(context.directory, "login")), "nobody has logged in");
    expectEqual(await agent.login("agent"), agent);
    await agent.newSession({ cwd: context.directory });
    await agent.close();
  }),
  test("AUTH-13: cancelling a login in a terminal ends its program", async (context) => {
    const agent = await context.runtime.spawnAgent(client, launch(context));
    const stop = new AbortController();
    const rejection = rejectionOf(agent.login("terminal-never", { signal: stop.signal }));
    await eventually(() => existsSync(join(context.directory, "login.start")), "the login has started");
    stop.abort(new Error("given up"));
    expectEqual((await rejection).message, "given up");
    await agent.close();
  }),
  test(
    "cancelling a login in a terminal ends everything its batch file has started",
    { only: "windows" },
    async (context) => {
      const { command, args, ...more } = launch(context);
      const file = join(context.directory, "agent.cmd");
      await writeFile(file, `@echo off\r\n${[command, ...args].map((word) => `"${word}"`).join(" ")} %*\r\n`);
      const agent = await context.runtime.spawnAgent(client, { ...more, command: file });
      const stop = new AbortController();
      const rejection = rejectionOf(agent.login("terminal-never", { signal: stop.signal }));
      const { pid } = await startSoonOf(context);
      stop.abort(new Error("given up"));
      expectEqual((await rejection).message, "given up");
      await eventually(() => !isAlive(pid), "the login is gone");
      await agent.close();
    },
  ),
  test("closing an agent ends its login in a terminal, and no other agent is started", async (context) => {
    const disposal: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose");
    const ends = (["close", disposal] as const).map(async (close, index) => {
      const own = { ...context, directory: join(context.directory, String(index)) };
      await mkdir(own.directory);
      const agent = await context.runtime.spawnAgent(client, launch(own));
      const rejection = rejectionOf(agent.login("terminal-never"));
      const { pid } = await startSoonOf(own);
      expectTrue(isAlive(pid), "the login runs");
      await agent[close]();
      const lives = isAlive(pid);
      // A scenario that fails leaves nothing either.
      if (lives) process.kill(pid, "SIGKILL");
      expectTrue(!lives, "the login is gone");
      expectEqual((await rejection)["code"], "connection_closed");
      expectEqual((await rejectionOf(agent.login("terminal-0")))["code"], "connection_closed");
    });
    await Promise.all(ends);
  }),
  test("AUTH-14: a login in a terminal gives an agent, whatever happened to the first one and to the signal of its start", async (context) => {
    const start = new AbortController();
    const options = { ...launch(context), signal: start.signal };
    const first = await context.runtime.spawnAgent(client, options);
    start.abort(new Error("too late to start"));
    const second = await first.login("terminal-0");
    process.kill(second.process.pid, "SIGKILL");
    await second.closed;
    const third = await second.login("terminal-0");
    await third.newSession({ cwd: context.directory });
    await third.close();
  }),
  test("AUTH-12: an editor runs the login in a terminal of its own", async (context) => {
    const options = launch(context);
    const agent = await context.runtime.spawnAgent(client, options);
    const launches: unknown[] = [];
    const next = await agent.login("terminal-0", {
      async launch({ method, command, args, cwd, env }) {
        launches.push([method.name, command, args, cwd, env]);
        return { exitCode: 0 };
      },
    });
    const args = [...options.args, "--login", "--exit", "0"];
    const env = { ACP_BOTH: "of the method", ACP_BASE: "kept" };
    expectEqual(launches, [["Login terminal-0", options.command, args, options.cwd, env]]);
    expectTrue(next !== agent && agent.signal.aborted, "connected anew");
    await next.close();
  }),
];
