// Runs checks side by side, and prints the output of each as a whole when it ends. What failed is told once more, last.
import { spawn } from "node:child_process";
import process from "node:process";

import { byName } from "./by-name.mjs";

/**
 * Stages run one after another, the lanes of a stage side by side, the steps of a lane one after another. A step has a
 * `name`, a `command`, and how to run it `alone`. If one that is `needed` fails, later stages are left out.
 */
export async function runSteps(stages) {
  const results = [];
  let isDone = true;
  for (const lanes of stages) {
    isDone = results.every(({ isFatal }) => !isFatal);
    if (!isDone) break;
    await Promise.all(
      lanes.map(async (lane) => {
        for (const step of lane) results.push(await runStep(step));
      }),
    );
  }
  for (const { name, ending } of results.filter(({ passed }) => !passed)) {
    console.log(`\n== ${name} failed; its last lines were\n${ending}`);
  }
  console.log("\n== All checks");
  for (const { line } of results) console.log(line);
  if (!isDone) console.log("The rest was not run.");
  const failed = results.filter(({ passed }) => !passed).length;
  console.log(`${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && isDone ? 0 : 1;
}

/** Enough for a few failed tests: Vitest tells them after everything else. */
const endingLines = 80;

async function runStep({ name, alone, command, needed = false }) {
  const started = performance.now();
  console.log(`== ${name}: running`);
  const { output, end } = await run(command);
  const passed = end === "exit code 0";
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const result = `${passed ? "passed" : "FAILED"} in ${seconds} s`;
  process.stdout.write(`\n== ${name}\n${output}\n== ${name}: ${result}\n`);
  return {
    name,
    passed,
    ending: output.split("\n").slice(-endingLines).join("\n"),
    isFatal: needed && !passed,
    line: `${name}: ${result}${passed ? "" : ` (${end}); alone: ${alone}`}`,
  };
}

function run(command) {
  const [program = "", ...args] = command.split(" ");
  return new Promise((resolve) => {
    const child = spawn(...byName(program, args, { stdio: ["ignore", "pipe", "pipe"] }));
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    }
    child.on("error", ({ message }) => resolve({ output, end: message }));
    child.on("close", (code, signal) => {
      resolve({ output: output.trim(), end: signal === null ? `exit code ${code}` : `ended by ${signal}` });
    });
  });
}
