import { expect, test } from "vitest";

import { fileTable } from "../testing/file-table.ts";
import { posixProgramExists } from "./posix-program.ts";

const { files } = fileTable({ files: { "/bin/ls": "", "/project/run": "" } });
const env = { PATH: "/sbin:/bin" };

test("posixProgramExists() looks on PATH, and at the path of a name with a slash", async () => {
  expect(await posixProgramExists(files, { command: "ls", env })).toBe(true);
  expect(await posixProgramExists(files, { command: "run", env, cwd: "/project" })).toBe(false);
  expect(await posixProgramExists(files, { command: "/project/run", env })).toBe(true);
});

test("posixProgramExists() does not have the user asked whether it may look", async () => {
  const asking = { ...files, mayRead: () => false, stat: () => Promise.reject(new Error("The user was asked")) };
  expect(await posixProgramExists(asking, { command: "anything", env })).toBe(true);
});
