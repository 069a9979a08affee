import { expect, test } from "vitest";

import { testedRuntimes } from "../support/tested-runtimes.ts";
import { createTestHub } from "./support/hub-programs.ts";

test.skipIf(process.platform !== "linux").each(testedRuntimes)(
  "on %s, a hub that is killed in mid turn comes back (Linux: processes are found in /proc)",
  async (runtime) => {
    const { attach, cwd, hubProcess, kill } = createTestHub({}, runtime);
    const editor = await attach();
    const session = await editor.agent.newSession({ cwd });
    const turn = session.prompt("count 150");
    await expect.poll(() => editor.text()).toContain("20 ");

    kill(hubProcess());

    expect(await turn.response).toEqual({ stopReason: "end_turn" });
    expect(editor.text()).toBe(Array.from({ length: 150 }, (_, index) => `${index + 1} `).join(""));
  },
);
