import { spawn } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { fileURLToPath } from "node:url";

import { afterEach, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../..", import.meta.url));
let registry: Server | undefined;
afterEach(() => registry?.close());

/** Runs the audit with a registry that answers with this. */
async function audit(
  status: number,
  advisories: object,
): Promise<{ readonly exit: number | null; readonly output: string }> {
  registry = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(status, { "Content-Type": "application/json" });
      response.end(JSON.stringify(advisories));
    });
  });
  await new Promise<void>((resolve) => registry?.listen(0, "127.0.0.1", resolve));
  const { port } = registry.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  // These tests run inside pnpm, which the audit needs.
  const env = { ...process.env, pnpm_config_registry: url };
  const child = spawn(process.execPath, ["tools/audit.mjs"], { cwd: root, env });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const exit = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { exit, output };
}

/** A weakness of a package that users of this repository's packages install. */
function weaknessOf(severity: string): object {
  const url = "https://example.org/advisory";
  const shared = { id: 1, url, title: "A made-up weakness", severity, vulnerable_versions: ">=0", cwe: [] };
  return { ajv: [{ ...shared, cvss: { score: 9, vectorString: null } }] };
}

test("the audit fails and names the package when a weakness is high", async () => {
  const { exit, output } = await audit(200, weaknessOf("high"));
  expect(output).toContain("high: ajv: A made-up weakness, https://example.org/advisory");
  expect(exit).toBe(1);
});

test("the audit passes when a weakness is moderate", async () => {
  const { exit, output } = await audit(200, weaknessOf("moderate"));
  expect(output).toContain("1 moderate");
  expect(exit).toBe(0);
});

test("the audit passes and reports that it was skipped when the registry does not answer it", async () => {
  const { exit, output } = await audit(405, {});
  expect(output).toContain("Skipped: no registry has answered the audit");
  expect(exit).toBe(0);
});
