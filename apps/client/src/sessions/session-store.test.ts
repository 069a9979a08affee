import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { lockSession } from "./session-lock.ts";
import { SessionStore } from "./session-store.ts";

test("forgets the oldest sessions that nobody has named, and none that is in use", () => {
  const state = mkdtempSync(join(tmpdir(), "session-store-"));
  onTestFinished(() => rmSync(state, { recursive: true }));
  const store = new SessionStore({ XDG_STATE_HOME: state, LOCALAPPDATA: state, HOME: state });
  const save = (name: string, day: number, isAutomatic: boolean): void =>
    store.save({
      version: 1,
      name,
      ...(isAutomatic ? { isAutomatic } : {}),
      cwd: "/project",
      agent: { command: "agent", args: [] },
      sessionId: name,
      createdAt: "",
      updatedAt: new Date(day * 86_400_000).toISOString(),
    });
  save("named", 0, false);
  for (let day = 1; day <= 205; day += 1) save(`s${day}`, day, true);
  const held = lockSession(store.folderOf("/project", "s2"));
  const name = store.newName("/project");
  expect(name).toMatch(/^[a-f][\da-f]{5}$/u);
  const left = store.list().map((session) => session.name);
  expect(left).toHaveLength(201);
  expect(left).toContain("named");
  expect(left).toContain("s2");
  for (const gone of ["s1", "s3", "s6"]) expect(left).not.toContain(gone);
  expect(left).toContain("s7");
  if ("release" in held) held.release();
  expect(readdirSync(join(state, "acp", "sessions"))).toHaveLength(201);
});
