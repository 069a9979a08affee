// Asks the registry for known weaknesses of what users install, and fails for those that are high or critical. Runs inside
// pnpm. Says so, and passes, if no registry answers: a release must not depend on that.
import { spawn } from "node:child_process";
import process from "node:process";

import { byName } from "./by-name.mjs";

/** How long the registry may take, in milliseconds. */
const patience = 60_000;
const args = ["audit", "--prod", "--audit-level", "high", "--json"];

const { output, errors, code } = await new Promise((resolve) => {
  const child = spawn(...byName("pnpm", args, { stdio: ["ignore", "pipe", "pipe"], timeout: patience }));
  const written = { output: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => (written.output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (written.errors += text));
  child.on("error", ({ message }) => resolve({ ...written, errors: message, code: 1 }));
  child.on("close", (exit, signal) => resolve({ ...written, code: exit ?? signal }));
});

const report = parse(output);
const counts = report?.metadata?.vulnerabilities;
if (counts === undefined) {
  const reason = report?.error?.message ?? (errors.trim() || output.trim() || `it ended with ${code}`);
  console.log(`Skipped: no registry has answered the audit (${reason.slice(0, 500)})`);
} else {
  const found = Object.values(report.advisories ?? {}).filter(({ severity }) =>
    ["high", "critical"].includes(severity),
  );
  for (const { severity, module_name: name, title, url } of found)
    console.log(`${severity}: ${name}: ${title}, ${url}`);
  const listed = Object.entries(counts).map(([severity, count]) => `${count} ${severity}`);
  console.log(`Known weaknesses of the dependencies that users install: ${listed.join(", ")}`);
  process.exitCode = code === 0 ? 0 : 1;
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
