import { expectThat } from "../../engine/check.ts";
import type { AgentCheck } from "../agent-context.ts";

/** Lines that are no messages, and messages that come in pieces. */
export const noise: readonly AgentCheck[] = [
  {
    id: "message-in-single-bytes",
    side: "agent",
    title: "An agent reads a message that comes byte by byte",
    level: "hostile",
    rules: ["TRAN-14"],
    mend: "Collect bytes until the end of the line, whatever pieces they come in, and decode UTF-8 across pieces.",
    async run(context) {
      const { client } = await context.initialize();
      const line = `${JSON.stringify({ jsonrpc: "2.0", id: "bytes", method: "session/new", params: { cwd: context.settings.cwd, mcpServers: [], _meta: { text: "ä€😀" } } })}\n`;
      for (const byte of new TextEncoder().encode(line)) client.peer.write(Uint8Array.of(byte));
      const { error } = await client.peer.answerTo("bytes", "a session/new that came byte by byte");
      expectThat(error === undefined, `It answered with the error ${JSON.stringify(error)}`);
    },
  },
];
