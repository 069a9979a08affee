/** The reference programs: the client runs the agent, both on the runtime under test. */
import { fileURLToPath } from "node:url";

import { expectContains, expectEqual } from "../check.ts";
import { copySample, mendedFile } from "../main-job-session.ts";
import { join, readText, RunningProgram } from "../platform.ts";
import { commandOn, sourceCommandOn } from "../../support/runtimes.ts";
import type { Scenario } from "../scenario.ts";

const root = new URL("../../../../", import.meta.url);
const file = (path: string): string => fileURLToPath(new URL(path, root));

async function mend(
  directory: string,
  commandOf: (program: string, args: readonly string[]) => { command: string; args: string[] },
  between: (agent: { command: string; args: string[] }) => { command: string; args: string[] } = (agent) => agent,
  protocol: "1" | "2" = "1",
): Promise<void> {
  const cwd = await copySample(directory);
  const agent = between(commandOf("apps/agent", ["--pace", "0"]));
  const client = new RunningProgram(
    commandOf("apps/client", [
      ...(protocol === "1" ? [] : ["--protocol", protocol]),
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
  expectContains(client.lines[0] ?? "", ` · ACP ${protocol} · `);
  expectContains(await readText(join(cwd, mendedFile)), "index = 0");
}

export const scenarios: readonly Scenario[] = [
  {
    name: "the reference client and agent repair a project, as built",
    run: ({ runtimeName, directory }) =>
      mend(directory, (program, args) => commandOn(runtimeName, file(`${program}/dist/main.js`), args)),
  },
  {
    name: "the reference client and agent repair a project, straight from TypeScript",
    // The last Node that cannot run it, and what runs a copy of what was built.
    except: ["node20", "wine"],
    run: ({ runtimeName, directory }) =>
      mend(directory, (program, args) => sourceCommandOn(runtimeName, file(`${program}/src/main.ts`), args)),
  },
  ...(["1", "2"] as const).map((protocol): Scenario => ({
    name: `acp-inspect between the two changes nothing, and finds nothing wrong, in version ${protocol}`,
    async run({ runtimeName, directory }) {
      const log = join(directory, "inspect.log");
      const commandOf = (program: string, args: readonly string[]) =>
        commandOn(runtimeName, file(`${program}/dist/main.js`), args);
      const inspected: typeof commandOf = (command, args) =>
        commandOf("packages/inspect", ["--log", log, "--", command, ...args]);
      await mend(directory, commandOf, ({ command, args }) => inspected(command, args), protocol);
      const lines = (await readText(log)).trimEnd().split("\n");
      expectEqual(lines.at(-1), "Nothing is wrong with the messages.");
      expectContains(lines.join("\n"), "agent  ended with exit code 0");
    },
  })),
];
