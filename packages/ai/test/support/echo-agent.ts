import { createAgent, createMemoryTransportPair } from "@acp/core";
import { createAgent as createAgent2 } from "@acp/core/v2";
import { onTestFinished } from "vitest";
import { type AcpProvider, acpProvider, type AcpProviderOptions } from "../../src/index.ts";

/** What a test sees of an agent that answers with everything that its session has been told. */
export interface Echo {
  readonly provider: AcpProvider;
  /** The prompts of each session, by its id. Those of closed sessions stay. */
  readonly told: ReadonlyMap<string, readonly string[]>;
  /** The sessions that were not closed. */
  readonly open: ReadonlySet<string>;
  /** How many sessions were open at the same time. */
  readonly most: () => number;
  /** Ends the connection, as a crash of the agent does. */
  crash(): Promise<void>;
}

interface EchoOptions extends Pick<AcpProviderOptions, "idleTime" | "maxSessions"> {
  /** Called before the answer; what it throws fails the turn. */
  readonly before?: (prompt: string, signal: AbortSignal, say: (text: string) => Promise<void>) => Promise<void>;
  /** Default: each session answers in its own words. */
  readonly answer?: (prompts: readonly string[], sessionId: string) => string;
  readonly closes?: boolean;
}

const info = { name: "echo", version: "1.0.0" };

export async function connectEcho(version: 1 | 2, options: EchoOptions = {}): Promise<Echo> {
  const { before, answer = (prompts, id) => `${id}: ${prompts.join(" | ")}`, closes = true } = options;
  const told = new Map<string, string[]>();
  const open = new Set<string>();
  let most = 0;
  let crash = async (): Promise<void> => {};
  const opened = (id: string): { prompts: string[] } => {
    const prompts: string[] = [];
    told.set(id, prompts);
    open.add(id);
    most = Math.max(most, open.size);
    return { prompts };
  };
  interface Turn {
    message(text: string): Promise<void>;
    readonly signal: AbortSignal;
  }
  const handle = async (prompt: readonly object[], turn: Turn, id: string): Promise<{ stopReason: "end_turn" }> => {
    const text = prompt.map((block) => ("text" in block ? String(block.text) : "[file]")).join("\n");
    const prompts = told.get(id) ?? [];
    prompts.push(text);
    await before?.(text, turn.signal, (said) => turn.message(said));
    await turn.message(answer(prompts, id));
    return { stopReason: "end_turn" };
  };
  const close = ({ sessionId }: { readonly sessionId: string }): object => {
    open.delete(sessionId);
    return {};
  };
  const connect: AcpProviderOptions["connect"] = async (client) => {
    const [ours, theirs] = createMemoryTransportPair();
    const serving =
      version === 1
        ? createAgent({
            info,
            session: ({ sessionId }) => opened(sessionId),
            handlers: {
              "session/prompt": ({ prompt }, { turn, session }) => handle(prompt, turn, session.id),
              ...(closes ? { "session/close": close } : {}),
            },
          }).connect(theirs)
        : createAgent2({
            info,
            session: ({ sessionId }) => opened(sessionId),
            handlers: {
              "session/prompt": ({ prompt }, { turn, session }) => handle(prompt, turn, session.id),
              "session/close": close,
            },
          }).connect(theirs);
    crash = () => serving.close();
    return await client.connect(ours);
  };
  const { idleTime, maxSessions } = options;
  const provider = await acpProvider({ connect, cwd: "/project", idleTime, maxSessions });
  onTestFinished(() => provider.close());
  return { provider, told, open, most: () => most, crash: () => crash() };
}
