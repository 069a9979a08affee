// The tutorials, word for word: an agent from an empty folder, then a client in the same folder.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { GuidePage } from "./guide-page.ts";

const page = new GuidePage("your-first-agent");
const next = new GuidePage("your-first-client");
const project = join(page.base, "todo-agent");
afterAll(() => {
  page.remove();
  next.remove();
});

const [, makeFolder = "", hello = "", change = "", check = ""] = page.commands;
const [firstClient = "", secondClient = ""] = next.commands;

function write(from: GuidePage, name: string, index = 0): void {
  writeFileSync(join(project, name), from.file(name, index));
}

beforeAll(async () => {
  await page.pack(makeFolder);
  await page.run(makeFolder, page.base);
  write(page, "main.js");
});

test("the first agent repeats the prompt", async () => {
  write(page, "agent.js");
  expect(await page.run(hello, project)).toBe(page.file("output"));
});

test("the second agent ticks a task after a yes, and its tests pass", async () => {
  write(page, "agent.js", 1);
  expect(await page.run(change, project)).toBe(page.file("list"));
  write(page, "agent.test.js");
  const printed = await page.run(check, project);
  expect(printed).toMatch(/pass 2\b/u);
  expect(printed).toMatch(/fail 0\b/u);
});

test("without a policy, acp exec refuses and the list stays as it is", async () => {
  const refused = change.replace("--policy edit ", "");
  expect(refused).not.toBe(change);
  await expect(page.run(refused, project)).rejects.toThrow("Nobody was there to permit");
  expect(readFileSync(join(project, "todo.md"), "utf8")).toBe("- [ ] Write an agent\n- [ ] Write a client\n");
});

test("the first client rejects the question, the second asks the user", async () => {
  write(next, "client.js");
  expect(await page.run(firstClient, project)).toBe(next.file("output"));
  write(next, "client.js", 1);
  const said = await page.run(secondClient, project);
  expect(said).toContain("  -- [ ] Write a client\n  +- [x] Write a client\n");
  expect(said).toMatch(/1 allow_once: .*\n/u);
  expect(said.endsWith("  completed\nDone: Write a client (1 in this session)\nend_turn\n")).toBe(true);
  expect(readFileSync(join(project, "todo.md"), "utf8")).toBe("- [x] Write an agent\n- [x] Write a client\n");
});

test("the second client cancels when nobody answers", async () => {
  writeFileSync(join(project, "todo.md"), "- [ ] Wait\n");
  const said = await page.run("node client.js", project);
  expect(said).toContain("  failed\n");
  expect(readFileSync(join(project, "todo.md"), "utf8")).toBe("- [ ] Wait\n");
});
