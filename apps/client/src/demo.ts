import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { CommandLineError, ExitCode } from "./cli/exit.ts";
import { parseCommandLine } from "./chat/chat-options.ts";
import { runClient } from "./plain/run-client.ts";
import { processStreams } from "./cli/streams.ts";
import { SessionRecorder } from "./sessions/session-recorder.ts";
import { createStyle, type Style } from "./text/style.ts";

/** `npm start`: the reference agent repairs a copy of the sample project, and the demo checks the result on disk. */

const sample = fileURLToPath(new URL("../sample", import.meta.url));
const agent = fileURLToPath(new URL("../../agent/dist/main.js", import.meta.url));
const fixedFile = join("src", "total.js");

const usage = `Usage: npm start -- [options]

Runs the reference client and the reference agent on a temporary copy of a sample project that has a bug.
Accepts the options of the reference client: --framing content-length, --verbose, --trace <file>, …
`;

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(usage);
    return ExitCode.endTurn;
  }
  const style = createStyle(process.stdout.isTTY, process.env);
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "acp-sample-")));
  const cleanUp = (): void => rmSync(directory, { recursive: true, force: true });
  process.once("exit", cleanUp);
  cpSync(sample, directory, { recursive: true });
  const line = parseCommandLine([
    "--prompt",
    "Fix the failing test",
    "--allow",
    "--cwd",
    directory,
    ...args,
    "--",
    process.execPath,
    agent,
    "--no-model",
  ]);
  const streams = processStreams();
  // The user's configuration stays out of it.
  const env = { XDG_CONFIG_HOME: directory, APPDATA: directory };
  const { settings } = await line.resolve({ ...streams, env });
  const options = { ...line, ...settings };
  streams.output.write(`${style("bold", "The reference client asks the reference agent to fix a failing test.")}
They are two programs that speak ACP over stdio, here in ${options.framing.name} framing.
They work on a temporary copy of ${relative(process.cwd(), sample) || sample} and touch nothing else.\n\n`);
  // The agent needs the same framing.
  const { command, args: agentArgs } = options.agent;
  const program = { command, args: [...agentArgs, "--framing", options.framing.name] };
  const code = await runClient(
    { ...options, agent: program },
    streams,
    new SessionRecorder({ cwd: options.cwd, env: streams.env, name: undefined }),
  );
  const isFixed = check(directory, style);
  const protocol = options.protocol === 1 ? "" : ` --protocol ${options.protocol}`;
  const hint = `Talk to it yourself: node apps/client/dist/main.js${protocol} -- node apps/agent/dist/main.js`;
  streams.output.write(`\n${style("dim", hint)}\n`);
  return code === ExitCode.endTurn && !isFixed ? ExitCode.failure : code;
}

/** Checks the files themselves, whatever the agent reports. */
function check(directory: string, style: Style): boolean {
  const [before, after] = [sample, directory].map((root) => readFileSync(join(root, fixedFile), "utf8").split("\n"));
  const changed = (after ?? []).flatMap((line, index) =>
    line === before?.[index] ? [] : [`${fixedFile}:${index + 1}  ${line.trim()}`],
  );
  const test = spawnSync(process.execPath, ["test.js"], { cwd: directory, encoding: "utf8" });
  const passes = test.status === 0;
  const verdict = passes ? style("green", "✓ the test passes") : style("red", "✗ the test fails");
  const facts = [
    ...(changed.length === 0 ? ["  nothing was changed"] : changed.map((line) => `  changed  ${line}`)),
    `  ${verdict}: node test.js`,
    ...test.stdout
      .trimEnd()
      .split("\n")
      .map((line) => style("dim", `    ${line}`)),
  ];
  process.stdout.write(`\n${style("bold", "On disk")}\n${facts.join("\n")}\n`);
  return passes && changed.length > 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandLineError)) throw error;
  process.stderr.write(`${error.message}\n\n${usage}`);
  process.exitCode = ExitCode.usage;
}
