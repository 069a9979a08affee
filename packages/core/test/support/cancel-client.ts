// The client of the model of cancellation: it behaves as the agent's requests say.
import { type ClientDefinition, createClient } from "../../src/v1/unstable/entry.ts";
import type { Attitude, World } from "./cancel-plan.ts";
import { answerOf, wait } from "./rounds.ts";

/** What a terminal's command does, and which of its requests is answered how. */
interface Terminal {
  readonly method: string;
  readonly who: Attitude;
  readonly ended: Promise<void>;
  end(): void;
}

/** What the client of a run has running. */
export class ClientLog {
  /** The terminals that were not released yet. */
  readonly terminals: Map<string, Terminal> = new Map<string, Terminal>();
  #count = 0;

  /** Opens a terminal, which ends with its session. */
  open(method: string, who: Attitude, session: AbortSignal): string {
    session.throwIfAborted();
    const terminalId = `t${++this.#count}`;
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.terminals.set(terminalId, { method, who, ended, end: () => end() });
    session.addEventListener("abort", () => this.terminals.delete(terminalId));
    return terminalId;
  }
}

/** A client whose user is as the questions say. */
export function createPlayingClient({ login, slowness }: World, log: ClientLog): ClientDefinition {
  const attend = <T>(method: string, terminalId: string, signal: AbortSignal, answer: T): Promise<T> => {
    const terminal = log.terminals.get(terminalId);
    return answerOf(terminal?.method === method ? terminal.who : "answers", signal, answer);
  };
  const pathOf = (path: string): Attitude => path.slice(1) as Attitude;
  return createClient({
    info: { name: "client", version: "1.0.0" },
    capabilities: { elicitation: { form: {}, url: {} }, subagents: {} },
    authenticate: ({ signal }) => answerOf(login.user, signal, login.agent),
    handlers: {
      "session/update": () => (slowness === 0 ? undefined : wait(slowness)),
      "session/request_permission": ({ toolCall, options: [option] }, { signal }) => {
        const outcome = { outcome: "selected", optionId: option?.optionId ?? "" } as const;
        return answerOf(toolCall.title as Attitude, signal, { outcome });
      },
      "elicitation/create": (params, { signal }) =>
        answerOf(("message" in params ? params.message : "") as Attitude, signal, { action: "decline" } as const),
      "fs/read_text_file": ({ path }, { signal }) => answerOf(pathOf(path), signal, { content: "" }),
      "fs/write_text_file": ({ path }, { signal }) => answerOf(pathOf(path), signal, {}),
      "terminal/create": async ({ command }, { signal, session }) => {
        const [method = "", who = ""] = command.split(" ");
        if (method === "create") await answerOf(who as Attitude, signal, {});
        return { terminalId: log.open(method, who as Attitude, session.signal) };
      },
      "terminal/wait_for_exit": async ({ terminalId }, { signal }) => {
        const terminal = log.terminals.get(terminalId);
        // One that has to be killed does not end before.
        await Promise.race([terminal?.ended, terminal?.method === "kill" ? new Promise(() => {}) : wait(10)]);
        return attend("wait", terminalId, signal, { exitCode: 0 });
      },
      "terminal/output": ({ terminalId }, { signal }) =>
        attend("output", terminalId, signal, { output: "", truncated: false }),
      "terminal/kill": ({ terminalId }, { signal }) => {
        log.terminals.get(terminalId)?.end();
        return attend("kill", terminalId, signal, {});
      },
      "terminal/release": async ({ terminalId }, { signal }) => {
        const released = attend("release", terminalId, signal, {});
        log.terminals.get(terminalId)?.end();
        log.terminals.delete(terminalId);
        return released;
      },
      "mcp/message": ({ method }, { signal }) => answerOf(method as Attitude, signal, { result: {} }),
      "_x/ask": ({ who }: { who: Attitude }, { signal }) => answerOf(who, signal, {}),
    },
  });
}
