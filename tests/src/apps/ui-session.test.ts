// The user interface in pseudo-terminals, with the reference agent.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { ChatScreen, ready } from "../support/terminal/chat-screen.ts";
import { referenceAgent, sampleProject } from "../support/main-job-programs.ts";
import { control } from "../support/terminal/terminal.ts";

const sizes = [
  [80, 24],
  [200, 50],
] as const;

describe.each(["node20", "node24", "deno", "bun"] as const)("acp in a terminal on %s", (runtime) => {
  test.each(sizes)("shows a whole session at %i×%i", async (columns, rows) => {
    using project = sampleProject();
    using chat = new ChatScreen(referenceAgent, { cwd: project.path, runtime, columns, rows });
    await chat.shows(/Reference agent · Ask/u);
    await chat.say("Fix the failing test");
    // The question, with the plan above it.
    const asked = await chat.shows(/Plan 3\/5[^]*change of .*src\/total\.js[^]*Allow once/u);
    expect(asked).toMatch(/- .*index = 1;/u);
    expect(asked).toMatch(/\+ .*index = 0;/u);
    chat.type("1");
    await chat.shows(/■ .*7 tool calls/u);
    await chat.shows(ready);
    expect(readFileSync(join(project.path, "src", "total.js"), "utf8")).toContain("index = 0");
    chat.type(control("D"));
    expect(await chat.ended).toBe(0);
    // What moves is gone, what was said stays.
    const { everything } = chat;
    expect(everything).not.toMatch(ready);
    // Each in its place, and once.
    const order = [
      "^. Reference agent .* · ACP 1 · /",
      "^❯ Fix the failing test$",
      "^✓ Read package\\.json",
      "^✗ node test\\.js .*exit code 1",
      "FAIL {2}an order costs the sum of its items",
      "^✻ The first failure",
      "^✓ Edit src/total\\.js",
      "→ Allow",
      "^✓ node test\\.js",
      "^Fixed: I changed line 4 of src/total\\.js",
      "^Plan 5/5",
      "^■ .*7 tool calls",
    ];
    expect(everything).toMatch(new RegExp(order.join("[^]*"), "mu"));
    for (const pattern of order) expect(everything.match(new RegExp(pattern, "gmu")), pattern).toHaveLength(1);
  });
});

test("the plan of an earlier turn is not told again while another one runs", async () => {
  using project = sampleProject();
  using chat = new ChatScreen(referenceAgent, { cwd: project.path });
  await chat.shows(/Reference agent · Ask/u);
  await chat.say("Fix the failing test");
  await chat.shows(/Plan 3\/5[^]*Allow once/u);
  chat.type("3");
  await chat.shows(/■ .*tool calls[^]*Type a prompt/u);
  await chat.say("/run sleep 30");
  const running = await chat.shows(/❯ \/run sleep 30[^]*Esc cancels/u);
  expect(running.slice(running.indexOf("❯ /run"))).not.toContain("Plan");
  chat.type("\u001B");
  await chat.shows(/■ Cancelled/u);
});
