import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { LoginFile } from "./login-file.ts";

function loginFile(): { readonly path: string; readonly file: LoginFile } {
  const folder = mkdtempSync(join(tmpdir(), "login-file-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "login");
  return { path, file: new LoginFile(path) };
}

test("somebody who is logged in stays so while another agent logs in", async () => {
  const { path, file } = loginFile();
  await file.logIn("a guest");
  const other = new LoginFile(path);
  const names = new Set<string | undefined>();
  for (let count = 0; count < 200; count++) {
    const [, name] = await Promise.all([other.logIn("a guest"), file.name()]);
    names.add(name);
  }
  expect([...names]).toEqual(["a guest"]);
});

test("the login belongs to its user alone, and a logout removes it", async () => {
  const { path, file } = loginFile();
  await file.logIn("a guest");
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  await file.logOut();
  await file.logOut();
  expect(await file.name()).toBeUndefined();
});
