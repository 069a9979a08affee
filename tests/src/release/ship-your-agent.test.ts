import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { GuidePage } from "./guide-page.ts";

const page = new GuidePage("ship-your-agent");
const project = join(page.base, "my-agent");
afterAll(() => page.remove());

const [, write = "", talk = "", bundle = "", publish = ""] = page.commands;
const said = page.file("output");

beforeAll(async () => {
  await page.pack(write);
  await page.run(write, page.base);
  writeFileSync(join(project, "agent.js"), page.file("agent.js"));
});

test("the agent answers, as source, bundled, and from the published packages", async () => {
  expect(said).toBe("You said: Hello\n");
  expect(await page.run(talk, project)).toBe(said);
  expect((await page.run(bundle, project)).endsWith(said)).toBe(true);
  expect((await page.run(publish, project)).endsWith(said)).toBe(true);
});

test.each([
  ["deno", "deno run agent.js"],
  ["bun", "bun agent.js"],
])("the agent answers on %s", async (name, start) => {
  expect(page.text).toContain(`\`${start}\``);
  const file = `agent-${name}.js`;
  writeFileSync(join(project, file), page.file("agent.js").replaceAll("@acp/node", `@acp/${name}`));
  const lines = talk.replace("node agent.js", start.replace("agent.js", file));
  expect(await page.run(lines, project)).toBe(said);
});
