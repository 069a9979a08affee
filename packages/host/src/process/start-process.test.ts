import { expect, test } from "vitest";

import type { Runtime, RuntimeCommand } from "../runtime/runtime.ts";
import { fileTable } from "../testing/file-table.ts";
import { startProcess } from "./start-process.ts";

function refused(path = "program"): Error {
  return Object.assign(new Error(`EACCES: ${path}`), { code: "EACCES" });
}

/** POSIX, where the system refuses to start anything. */
function refusing(): Runtime {
  const { files } = fileTable({ files: { "/bin/ls": "" }, directories: ["/closed", "/open", "/open/."] });
  return {
    platform: "posix",
    caseInsensitivePaths: false,
    environment: () => ({}),
    spawn: () => Promise.reject(refused()),
    startInForeground: () => Promise.reject(refused()),
    files: {
      ...files,
      stat: (path) => (path.startsWith("/closed/") ? Promise.reject(refused(path)) : files.stat(path)),
    },
  };
}

function reasonOf(command: Partial<RuntimeCommand>): Promise<unknown> {
  const all = { command: "ls", args: [], env: { PATH: "/closed/bin:/bin" }, stdin: "null", ...command } as const;
  return startProcess(refusing(), all).catch((error: unknown) => error);
}

test("startProcess() reports that a program is not on PATH, where a directory on it may not be looked into", async () => {
  expect(await reasonOf({ command: "none" })).toMatchObject({
    reason: "ENOENT",
    message: 'Could not start "none": it was not found on PATH (/closed/bin:/bin)',
  });
  expect(await reasonOf({ command: "ls" })).toMatchObject({ reason: "EACCES" });
  expect(await reasonOf({ command: "/open" })).toMatchObject({ reason: "EACCES" });
});

test("startProcess() reports that its directory may not be entered, or looked for", async () => {
  for (const cwd of ["/closed", "/closed/sub"]) {
    expect(await reasonOf({ cwd })).toMatchObject({
      reason: "ENOCWD",
      message: `Could not start "ls": its working directory "${cwd}" may not be entered`,
    });
  }
  expect(await reasonOf({ cwd: "/open" })).toMatchObject({ reason: "EACCES" });
});

test.each([
  ["node agent.mjs", "node"],
  ["  npx  -y agent@1.0.0 --acp ", "npx"],
])("startProcess() explains where the words of %j belong", async (command, program) => {
  const where = `put "${program}" into \`command\`, and the rest into \`args\``;
  const why = `it is a command line, not a program; arguments belong in \`args\`: ${where}`;
  const message = `Could not start ${JSON.stringify(command)}: ${why}`;
  expect(await reasonOf({ command })).toMatchObject({ reason: "ENOENT", message });
});
