// `npm start`: `acp` asks the reference agent to repair a copy of the sample project, and this checks the result on disk.
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs, styleText } from "node:util";

const [sample, client, agent] = ["client/sample", "client/dist/main.js", "agent/dist/main.js"].map((path) =>
  fileURLToPath(new URL(`../apps/${path}`, import.meta.url)),
);
const fixedFile = join("src", "total.js");
const args = process.argv.slice(2);

if (args.includes("--help") || args.includes("-h")) {
  process.stdout.write(`Usage: npm start -- [options]

Runs acp and the reference agent on a temporary copy of a sample project that has a bug.
Accepts the options of acp: --framing content-length, --verbose, --trace <file>, …
`);
} else run();

function run() {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "acp-sample-")));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  // Ctrl-C is for the client, which ends by itself.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  cpSync(sample, directory, { recursive: true });
  const { values } = parseArgs({
    args,
    options: { framing: { type: "string" }, protocol: { type: "string" } },
    strict: false,
  });
  const { framing = "ndjson", protocol = "1" } = values;
  process.stdout.write(`${styled("bold", "The reference client asks the reference agent to fix a failing test.")}
They are two programs that speak ACP over stdio, here in ${framing} framing.
They work on a temporary copy of ${relative(process.cwd(), sample) || sample} and touch nothing else.\n\n`);
  const options = ["--prompt", "Fix the failing test", "--allow", "--cwd", directory, ...args];
  // The agent needs the same framing.
  const program = ["--", process.execPath, agent, "--no-model", "--framing", framing];
  const { status } = spawnSync(process.execPath, [client, ...options, ...program], {
    stdio: "inherit",
    // The user's configuration stays out of it.
    env: { ...process.env, XDG_CONFIG_HOME: directory, APPDATA: directory },
  });
  const code = status ?? 1;
  if (code === 2) {
    process.exitCode = code;
    return;
  }
  const isFixed = check(directory);
  const version = protocol === "1" ? "" : ` --protocol ${protocol}`;
  const hint = `Talk to it yourself: node apps/client/dist/main.js${version} -- node apps/agent/dist/main.js`;
  process.stdout.write(`\n${styled("dim", hint)}\n`);
  process.exitCode = code === 0 && !isFixed ? 1 : code;
}

/** Checks the files themselves, whatever the agent reports. */
function check(directory) {
  const [before, after] = [sample, directory].map((root) => readFileSync(join(root, fixedFile), "utf8").split("\n"));
  const changed = after.flatMap((line, index) =>
    line === before[index] ? [] : [`  changed  ${fixedFile}:${index + 1}  ${line.trim()}`],
  );
  const test = spawnSync(process.execPath, ["test.js"], { cwd: directory, encoding: "utf8" });
  const passes = test.status === 0;
  const verdict = passes ? styled("green", "✓ the test passes") : styled("red", "✗ the test fails");
  const said = test.stdout.trimEnd().split("\n");
  const facts = [
    ...(changed.length === 0 ? ["  nothing was changed"] : changed),
    `  ${verdict}: node test.js`,
    ...said.map((line) => styled("dim", `    ${line}`)),
  ];
  process.stdout.write(`\n${styled("bold", "On disk")}\n${facts.join("\n")}\n`);
  return passes && changed.length > 0;
}

function styled(format, text) {
  return process.stdout.isTTY ? styleText(format, text) : text;
}
