// Commands of the agent's own, as they are reported. A real process runs in `tests/src/interop/version-2`.
import type { Received } from "@acp/schema/v2";
import { describe, expect, it } from "vitest";
import { type CommandToRun, runCommand } from "./entry.ts";
import type { ReportedToolCall } from "../../v2/reported-tool-call.ts";
import { connect, type Connected } from "./testing/connected.ts";

/** Runs until it has to end. */
async function endless({ signal, output }: CommandToRun): Promise<{ signal: string }> {
  await output("begun\n");
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve));
  return { signal: "SIGTERM" };
}

const idOf = async ({ updates }: Connected, member: "terminalId" | "toolCallId"): Promise<string> => {
  let id: string | undefined;
  await expect
    .poll(() => {
      const update = updates.find(
        (one) => one.sessionUpdate === (member === "terminalId" ? "terminal_output_chunk" : "tool_call_update"),
      );
      id = (update as { [name: string]: string | undefined } | undefined)?.[member];
      return id;
    })
    .toBeDefined();
  return id ?? "";
};

const ends = (updates: readonly Received.SessionUpdate[]): unknown[] =>
  updates.flatMap((update): unknown[] => {
    if (update.sessionUpdate === "terminal_update" && update.exitStatus != null) return [update.exitStatus];
    return update.sessionUpdate === "tool_call_update" && update.status !== "in_progress" ? [update.status] : [];
  });

describe("runCommand()", () => {
  it("reports to the client how the command ended, and nothing else that its runner returns", async () => {
    const { turn, updates } = await connect();
    const run = () => ({ exitCode: 3, signal: null, _meta: { "example.com/pid": 7 }, output: "long", timedOut: false });
    await turn((agentTurn) => runCommand(agentTurn, { command: "npm", run }));
    expect(ends(updates)).toEqual([{ exitCode: 3, signal: null, _meta: { "example.com/pid": 7 } }, "failed"]);
  });

  it("shows a terminal in a tool call, with the output as it comes, and returns it", async () => {
    const { turn, updates } = await connect();
    const received: unknown[] = [];
    const result = await turn((agentTurn) =>
      runCommand(agentTurn, {
        command: "npm",
        args: ["test"],
        run: async ({ output, command, args, cwd }) => {
          received.push(command, args, cwd);
          const bytes = new TextEncoder().encode("ü");
          await output("Runs ");
          await output(bytes.subarray(0, 1));
          await output(bytes.subarray(1));
          return { exitCode: 0 };
        },
      }),
    );
    expect(result).toEqual({
      exitCode: 0,
      signal: null,
      output: "Runs ü",
      truncated: false,
      timedOut: false,
      cancelled: false,
    });
    expect(received).toEqual(["npm", ["test"], "/project"]);
    const [terminal] = updates;
    const terminalId = terminal?.sessionUpdate === "terminal_update" ? terminal.terminalId : "";
    const toolCallId = expect.any(String) as string;
    expect(updates).toEqual([
      {
        sessionUpdate: "terminal_update",
        terminalId,
        command: "npm test",
        cwd: "/project",
        capabilities: { cancel: {} },
      },
      {
        sessionUpdate: "tool_call_update",
        toolCallId,
        status: "in_progress",
        title: "npm test",
        kind: "execute",
        capabilities: { cancel: {} },
        content: [{ type: "terminal", terminalId }],
      },
      { sessionUpdate: "terminal_output_chunk", terminalId, data: "UnVucyA=" },
      { sessionUpdate: "terminal_output_chunk", terminalId, data: "ww==" },
      { sessionUpdate: "terminal_output_chunk", terminalId, data: "vA==" },
      { sessionUpdate: "terminal_update", terminalId, exitStatus: { exitCode: 0 } },
      { sessionUpdate: "tool_call_update", toolCallId, status: "completed" },
    ]);
  });

  it("reports a command that fails in a call that there is already", async () => {
    const { turn, updates } = await connect();
    const result = await turn(async (agentTurn) => {
      const call = await agentTurn.toolCall({ title: "Test", status: "pending" });
      return runCommand(agentTurn, { command: "npm", call, run: () => ({ exitCode: 1 }) });
    });
    expect(result).toMatchObject({ exitCode: 1, output: "" });
    expect(ends(updates)).toEqual(["pending", { exitCode: 1 }, "failed"]);
  });

  it("explains why a command could not be run, and rejects with it", async () => {
    const { turn, updates } = await connect();
    const error = new Error("spawn nmp ENOENT");
    const run = (): never => {
      throw error;
    };
    await expect(turn((agentTurn) => runCommand(agentTurn, { command: "nmp", run }))).rejects.toBe(error);
    expect(ends(updates)).toEqual([{}, "failed"]);
    expect(updates.at(-2)).toMatchObject({
      sessionUpdate: "tool_call_content_chunk",
      content: { content: { text: "spawn nmp ENOENT" } },
    });
  });

  it.each(["toolCallId", "terminalId"] as const)("ends when the client cancels its %s alone", async (member) => {
    const connected = await connect();
    const { turn, session, updates } = connected;
    const running = turn(async (agentTurn) => {
      const result = await runCommand(agentTurn, { command: "sleep", run: endless });
      await agentTurn.message("Goes on");
      return result;
    });
    await idOf(connected, "terminalId");
    const id = await idOf(connected, member);
    if (member === "toolCallId") await session.agent.request("tool_call/cancel", { toolCallId: id });
    else await session.agent.request("terminal/cancel", { terminalId: id });
    expect(await running).toMatchObject({ exitCode: null, signal: "SIGTERM", cancelled: true, timedOut: false });
    expect(ends(updates)).toEqual([{ signal: "SIGTERM" }, "cancelled"]);
    expect(updates.at(-1)).toMatchObject({ content: { text: "Goes on" } });
  });

  it("ends with its turn, and rejects with the reason", async () => {
    const connected = await connect();
    const { turn, session, updates } = connected;
    const running = turn(async (agentTurn) => {
      const rejection = runCommand(agentTurn, { command: "sleep", run: endless }).catch((error: unknown) => error);
      return (await rejection) === agentTurn.signal.reason;
    });
    await idOf(connected, "terminalId");
    await session.agent.notify("session/cancel", {});
    expect(await running).toBe(true);
    expect(ends(updates)).toEqual([{ signal: "SIGTERM" }, "cancelled"]);
  });

  it("does not start in a turn that is cancelled while it is reported", async () => {
    const { turn, session, updates } = await connect();
    const began: CommandToRun[] = [];
    const run = (command: CommandToRun): object => {
      began.push(command);
      return {};
    };
    const running = turn(async (agentTurn) => {
      const reported = await agentTurn.toolCall({ title: "Remove" });
      const call: ReportedToolCall = {
        ...reported,
        update: async (change) => {
          await reported.update(change);
          await session.agent.notify("session/cancel", {});
          await new Promise((resolve) => agentTurn.signal.addEventListener("abort", resolve));
        },
      };
      const rejection = runCommand(agentTurn, { command: "rm", call, run }).catch((error: unknown) => error);
      return (await rejection) === agentTurn.signal.reason;
    });
    expect(await running).toBe(true);
    expect([began, ends(updates)]).toEqual([[], [{}, "cancelled"]]);
  });

  it("ends when its time is up, even where it does not listen", async () => {
    const { turn, updates } = await connect();
    let late: CommandToRun["output"] | undefined;
    const run = ({ output }: CommandToRun): Promise<never> => {
      late = output;
      return new Promise(() => {});
    };
    const result = await turn((agentTurn) => runCommand(agentTurn, { command: "sleep", timeout: 5, run }));
    expect(result).toMatchObject({ exitCode: null, timedOut: true, cancelled: false });
    await late?.("too late");
    await turn((agentTurn) => agentTurn.message("Next"));
    expect(ends(updates)).toEqual([{}, "failed"]);
    expect(updates.map(({ sessionUpdate }) => sessionUpdate)).not.toContain("terminal_output_chunk");
  });

  it("returns the end of the output where there is too much of it, in whole characters", async () => {
    const { turn } = await connect();
    const run = async ({ output }: CommandToRun): Promise<{ exitCode: number }> => {
      const buffer = new TextEncoder().encode("äöü");
      for (let round = 0; round < 20; round++) await output(buffer);
      buffer.fill(0);
      return { exitCode: 0 };
    };
    const result = await turn((agentTurn) => runCommand(agentTurn, { command: "print", outputByteLimit: 5, run }));
    expect(result).toMatchObject({ output: "öü", truncated: true });
  });

  it("rejects an invalid limit, and rejects every call once the turn has ended", async () => {
    const { turn, updates } = await connect();
    const options = { command: "x", run: () => ({ exitCode: 0 }) };
    const [late] = await turn(async (agentTurn) => {
      await expect(runCommand(agentTurn, { ...options, timeout: -1 })).rejects.toMatchObject({ code: "usage" });
      return [agentTurn] as const;
    });
    await expect(runCommand(late, options)).rejects.toMatchObject({ code: "usage" });
    expect(updates).toEqual([]);
  });
});
