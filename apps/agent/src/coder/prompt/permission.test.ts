import { expect, test } from "vitest";

import type { Access, AgentTools } from "../../tools/agent-tools.ts";
import { modes } from "../settings/modes.ts";
import { approvalByMode, offeredTools } from "./permission.ts";

const tools: AgentTools = {
  tools: { read: {}, edit: {}, run: {}, fetch: {}, unknown: {} } as unknown as AgentTools["tools"],
  show: {},
  access: Object.fromEntries(
    Object.entries({ read: "read", edit: "edit", run: "execute", fetch: "fetch" } satisfies Record<string, Access>).map(
      ([name, access]) => [name, { access }],
    ),
  ),
};

test.each([
  ["ask", ["read", "edit", "run", "fetch", "unknown"], ["edit", "run", "fetch", "unknown"]],
  ["code", ["read", "edit", "run", "fetch", "unknown"], ["run", "fetch", "unknown"]],
  ["plan", ["read", "fetch"], ["fetch"]],
] as const)("in the mode %s the model has the tools %j, and asks for %j", async (mode, offered, asked) => {
  expect(offeredTools(tools, mode)).toEqual(offered);
  const approval = approvalByMode(tools, () => mode) as (call: object) => Promise<unknown>;
  const needed: string[] = [];
  for (const toolName of offered)
    if ((await approval({ toolCall: { toolName } })) === "user-approval") needed.push(toolName);
  expect(needed).toEqual(asked);
});

test("the first mode asks for everything but reading", () => {
  expect(modes[0]?.id).toBe("ask");
});
