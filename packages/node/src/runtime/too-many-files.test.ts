import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { describe, expect, test } from "vitest";

const moduleOf = (file: string): string => JSON.stringify(new URL(file, import.meta.url));

/** Where so few files may be open that there is no room for a pipe: starts a guard, and an agent, and tells how that went. */
const program = `
import { openSync } from "node:fs";
const { loadProcessModules } = await import(${moduleOf("process-modules.ts")});
const { nodeGroupSystem } = await import(${moduleOf("group-system.ts")});
const { spawnTransport } = await import(${moduleOf("../index.ts")});
await loadProcessModules();
try {
  for (;;) openSync("/dev/null");
} catch {}
const told = { guard: typeof nodeGroupSystem.startGuard({ command: "/bin/sh", args: ["-c", "read line"] }, () => (told.failed = true)) };
told.agent = await spawnTransport({ command: "cat" }).catch(({ message }) => message);
process.on("exit", () => process.stdout.write(JSON.stringify(told)));
`;

describe("where too many files are open", () => {
  test("the guard does not start, nothing is thrown, then or later, and an agent that cannot be started explains what to do", async () => {
    const node = [process.execPath, "--conditions=@acp/source", "--input-type=module", "--eval", program];
    const child = spawn("/bin/sh", ["-c", 'ulimit -n 64; exec "$@"', "sh", ...node]);
    const [told, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    expect(complaint).toBe("");
    expect(JSON.parse(told)).toEqual({
      guard: "undefined",
      failed: true,
      agent:
        'Could not start "cat": this process has too many files open; close what it has opened, or raise `ulimit -n`',
    });
  });
});
