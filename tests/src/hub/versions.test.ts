// Agents that speak only version 2 of the protocol, behind `acp attach` and `acp --hub`.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { describe, expect, test } from "vitest";

import { clientProgram } from "../support/main-job-programs.ts";
import { sourceCommandOn } from "../support/runtimes.ts";
import { createTestHub } from "./support/hub-programs.ts";

const oneVersion = fileURLToPath(new URL("../interop/version-2/programs/one-version.ts", import.meta.url));
const officialAgent = fileURLToPath(new URL("../interop/version-2/programs/official-agent.ts", import.meta.url));
const newerAgent = fileURLToPath(new URL("../../dist/hub/support/newer-agent.js", import.meta.url));
/** The reference agent as one that refuses version 1. */
function agentOfVersion2(): readonly string[] {
  const { command, args } = sourceCommandOn("node24", oneVersion, ["2"]);
  return [command, ...args];
}

const allow = {
  "session/request_permission": ({
    options,
  }: {
    readonly options: readonly { readonly kind: string; readonly optionId: string }[];
  }) => ({
    outcome: {
      outcome: "selected" as const,
      optionId: options.find(({ kind }) => kind === "allow_once")?.optionId ?? "",
    },
  }),
};

describe.runIf(process.platform === "linux")("an agent of version 2 (Linux: processes are found in /proc)", () => {
  test("works for an editor of version 1, with questions, and the next editor loads all", async () => {
    const { attach, cwd } = createTestHub();
    const editor = await attach(allow, agentOfVersion2());
    const session = await editor.agent.newSession({ cwd });

    expect(await session.prompt("hello").response).toMatchObject({ stopReason: "end_turn" });
    expect(editor.text()).toMatch(/reference agent/u);
    expect(await session.prompt("/write made.txt: by two").response).toMatchObject({ stopReason: "end_turn" });

    expect(readFileSync(join(cwd, "made.txt"), "utf8")).toBe("by two\n");
    const next = await attach({}, agentOfVersion2());
    await next.agent.loadSession({ sessionId: session.id, cwd });
    expect(next.text()).toBe(editor.text());
  });

  test("that is stopped, or killed in mid turn, is opened again by the next prompt", async () => {
    const { acp, attach, cwd, kill } = createTestHub();
    const editor = await attach({}, [process.execPath, newerAgent]);
    const session = await editor.agent.newSession({ cwd });
    const pid = async (): Promise<number> => {
      await session.prompt("pid").response;
      return Number(/(\d+) $/u.exec(editor.text())?.[1]);
    };
    const first = await pid();

    await acp("hub", "stop", session.id);
    const second = await pid();
    expect(second).not.toBe(first);

    const turn = session.prompt("hold");
    await expect.poll(() => editor.text()).toContain("hold");
    const refused = expect(turn.response).rejects.toThrow("The agent has ended");
    kill(second);
    await refused;
    expect(await pid()).not.toBe(second);
  });

  test("ends its turn when the client cancels", async () => {
    const { attach, cwd } = createTestHub();
    const editor = await attach({}, [process.execPath, newerAgent]);
    const session = await editor.agent.newSession({ cwd });
    const turn = session.prompt("hold");
    await expect.poll(() => editor.text()).toContain("hold");
    turn.cancel();
    expect(await turn.response).toMatchObject({ stopReason: "cancelled" });
  });

  test("of the official SDK works, and one of both versions is spoken to in version 1", async () => {
    const { attach, cwd } = createTestHub();
    const { command, args } = sourceCommandOn("node24", officialAgent, ["--v2"]);
    const newer = await attach(allow, [command, ...args]);
    const session = await newer.agent.newSession({ cwd });
    expect(session.configOptions).toMatchObject([{ id: "model" }]);
    expect(await session.prompt("work").response).toMatchObject({ stopReason: "end_turn" });
    expect(newer.shown.length).toBeGreaterThan(0);

    const both = await attach({}, [command, ...args.slice(0, -1)]);
    expect((await both.agent.newSession({ cwd })).configOptions ?? []).toEqual([]);
  });

  test("answers acp --hub", async () => {
    const { cwd, hubProcesses } = createTestHub({}, "node24", join("state", "acp", "hub"));
    const words = [clientProgram, "--hub", "--prompt", "hello", "--", ...agentOfVersion2()];
    const env = { ...process.env, XDG_STATE_HOME: join(cwd, "state") };
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd, env });
    expect(hubProcesses()).toHaveLength(1);
    expect(stdout).toMatch(/reference agent/u);
  });
});
