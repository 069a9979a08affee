import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { describe, expect, test } from "vitest";

/** Starts a guard where so few files may be open that there is no room for its pipe, and tells how that went. */
const program = `
import { openSync } from "node:fs";
const { loadProcessModules } = await import(${JSON.stringify(new URL("process-modules.ts", import.meta.url))});
const { nodeGroupSystem } = await import(${JSON.stringify(new URL("group-system.ts", import.meta.url))});
await loadProcessModules();
try {
  for (;;) openSync("/dev/null");
} catch {}
const told = { guard: typeof nodeGroupSystem.startGuard({ command: "/bin/sh", args: ["-c", "read line"] }, () => (told.failed = true)) };
process.on("exit", () => process.stdout.write(JSON.stringify(told)));
`;

describe("nodeGroupSystem", () => {
  test("does without a guard where too many files are open, and throws nothing, then or later", async () => {
    const node = [process.execPath, "--conditions=@acp/source", "--input-type=module", "--eval", program];
    const child = spawn("/bin/sh", ["-c", 'ulimit -n 64; exec "$@"', "sh", ...node]);
    const [told, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
    expect(complaint).toBe("");
    expect(JSON.parse(told)).toEqual({ guard: "undefined", failed: true });
  });
});
