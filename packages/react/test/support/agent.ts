import type { AgentSession, AgentTurn, Transport } from "@acp/core";

import type { Harness } from "./flavours.ts";

/** Says a text in the turn that runs. */
export type Act = (turn: AgentTurn, signal: AbortSignal) => Promise<void>;

interface TestAgent {
  /** For the option `transport` of a store. */
  readonly transport: () => Transport;
  /** How many connections there were. */
  readonly connections: () => number;
  /** Ends the last connection, as a network does. */
  readonly cut: () => Promise<void>;
  /** What prompts asked for. */
  readonly prompts: string[];
}

/** An agent in memory that does in each turn what the prompt is called. It loads its sessions, and lists three of them. */
export function testAgent(h: Harness, acts: Readonly<Record<string, Act>> = {}): TestAgent {
  const prompts: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const history = new Map<string, string[]>();
  const modes = { currentModeId: "ask", availableModes: ["ask", "code"].map((id) => ({ id, name: id })) };
  const open = async (session: AgentSession): Promise<{ modes: typeof modes }> => {
    await session.update({
      sessionUpdate: "available_commands_update",
      availableCommands: [{ name: "plan", description: "Plan" }],
    });
    return { modes };
  };
  const agent = h.createAgent({
    info: { name: "test-agent", version: "1.0.0" },
    capabilities: { loadSession: true },
    handlers: {
      "session/new": async (_params, { session }) => ({ sessionId: session.id, ...(await open(session)) }),
      "session/load": async (_params, { session }) => {
        for (const text of history.get(session.id) ?? [])
          await session.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
        return await open(session);
      },
      "session/set_mode": () => ({}),
      "session/list": ({ cursor }) => {
        const at = Number(cursor ?? 0);
        return { sessions: [{ sessionId: `s${at}`, cwd: "/" }], ...(at < 2 && { nextCursor: String(at + 1) }) };
      },
      "session/prompt": async ({ prompt: [block] }, { turn, signal, session }) => {
        const text = block?.type === "text" ? block.text : "";
        prompts.push(text);
        const act = acts[text];
        if (act !== undefined) await act(turn, signal);
        else await turn.message(`You said ${text}.`);
        history.set(session.id, [...(history.get(session.id) ?? []), text]);
        return { stopReason: signal.aborted ? "cancelled" : "end_turn" };
      },
    },
  });
  return {
    prompts,
    connections: () => closers.length,
    cut: async () => closers.at(-1)?.(),
    transport: () => {
      const [ours, theirs] = h.createMemoryTransportPair();
      agent.connect(theirs);
      closers.push(() => theirs.close());
      return ours;
    },
  };
}
