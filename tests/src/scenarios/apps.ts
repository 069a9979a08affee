/** The reference programs: the client runs the agent, both on the runtime under test. */
import { fileURLToPath } from "node:url";

import { expectContains, expectEqual } from "./check.ts";
import { copySample, mendedFile } from "./main-job-session.ts";
import { join, readText, RunningProgram } from "./platform.ts";
import { commandOn, sourceCommandOn } from "./runtimes.ts";
import type { Scenario } from "./scenario.ts";

const apps = new URL("../../../apps/", import.meta.url);
const file = (path: string): string => fileURLToPath(new URL(path, apps));

async function mend(
  directory: string,
  commandOf: (app: "agent" | "client", args: readonly string[]) => { command: string; args: string[] },
): Promise<void> {
  const cwd = await copySample(directory);
  const agent = commandOf("agent", ["--pace", "0"]);
  const client = new RunningProgram(
    commandOf("client", [
      "--prompt",
      "Fix the failing test",
      "--allow",
      "--cwd",
      cwd,
      "--",
      agent.command,
      ...agent.args,
    ]),
  );
  client.end();
  const code = await client.ended;
  expectEqual([code, client.stderr], [0, ""], "end of the client");
  expectContains(client.lines.join("\n"), "all tests pass now");
  expectContains(await readText(join(cwd, mendedFile)), "index = 0");
}

export const scenarios: readonly Scenario[] = [
  {
    name: "the reference client and agent repair a project, as built",
    run: ({ runtimeName, directory }) =>
      mend(directory, (app, args) => commandOn(runtimeName, file(`${app}/dist/main.js`), args)),
  },
  {
    name: "the reference client and agent repair a project, straight from TypeScript",
    // The last Node that cannot run it.
    except: ["node20"],
    run: ({ runtimeName, directory }) =>
      mend(directory, (app, args) => sourceCommandOn(runtimeName, file(`${app}/src/main.ts`), args)),
  },
];
