import type { Agent, AgentWork, Client, ClientHooks, Contestant, Update } from "../contestant.ts";
import { bytePair } from "../byte-pair.ts";
import { type RawPipe, rawRuntime } from "./raw-pipe.ts";
import { type RawMessage, RawWire } from "./raw-wire.ts";

/** The raw loop; `isAwaited` makes it hand back a promise for each message, as an API for people does. */
export function raw(isAwaited: boolean): Contestant {
  return {
    async serve(work) {
      const { stdio } = await rawRuntime();
      await new Promise<void>((resolve) => serveAgent(stdio(), work, isAwaited, resolve));
    },
    async start(command, hooks) {
      const { spawn } = await rawRuntime();
      return drive(spawn(command), hooks);
    },
    async pair(work, hooks) {
      const [one, other] = bytePair();
      serveAgent(rawOf(one), work, isAwaited, () => {});
      return drive(rawOf(other), hooks);
    },
  };
}

function serveAgent(pipe: RawPipe, work: AgentWork, isAwaited: boolean, ended: () => void): void {
  let sessions = 0;
  const handle = ({ id = 0, method, params }: RawMessage): void => {
    if (method === "session/prompt") void prompt(id, params as Prompt);
    else wire.answer(id, method === "session/new" ? { sessionId: `session-${++sessions}` } : { protocolVersion: 1 });
  };
  const wire = new RawWire(pipe, handle, ended);
  const prompt = async (id: number, { sessionId, prompt: [block] }: Prompt): Promise<void> => {
    const update = (body: Update): void | Promise<void> => wire.notify("session/update", { sessionId, update: body });
    const client: Client = {
      update: isAwaited ? async (body) => update(body) : update,
      async readTextFile(path) {
        const result = await wire.request("fs/read_text_file", { sessionId, path });
        return (result as { content: string }).content;
      },
    };
    await work(block?.text ?? "", client);
    wire.answer(id, { stopReason: "end_turn" });
  };
}

interface Prompt {
  readonly sessionId: string;
  readonly prompt: readonly { readonly text: string }[];
}

async function drive(pipe: RawPipe, hooks: ClientHooks): Promise<Agent> {
  const handle = ({ id = 0, method, params }: RawMessage): void => {
    if (method === "session/update") void hooks.update((params as { update: Update }).update);
    else wire.answer(id, { content: hooks.readTextFile((params as { path: string }).path) });
  };
  const wire = new RawWire(pipe, handle, () => {});
  await wire.request("initialize", { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } });
  return {
    async newSession() {
      const result = await wire.request("session/new", { cwd: "/project", mcpServers: [] });
      return (result as { sessionId: string }).sessionId;
    },
    async prompt(sessionId, text) {
      await wire.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
    },
    async closeSession(sessionId) {
      await wire.request("session/close", { sessionId });
    },
    close: () => wire.end(),
  };
}

function rawOf(end: ReturnType<typeof bytePair>[number]): RawPipe {
  const encoder = new TextEncoder();
  return {
    read: (data) => end.start(data),
    write: (text) => end.write(encoder.encode(text)),
    end: async () => {},
  };
}
