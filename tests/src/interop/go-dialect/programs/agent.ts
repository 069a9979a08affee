/** An agent of this toolkit that serves official clients and those of the Go dialect. */
import { createAgent } from "@acp/core";
import { withGoClients } from "@acp/go-dialect";
import { serveStdio } from "@acp/node";

let sessions = 0;

const agent = createAgent({
  info: { name: "toolkit-agent", title: "Toolkit agent", version: "1.2.3" },
  capabilities: { promptCapabilities: { image: true, audio: true } },
  session: ({ cwd }) => ({ cwd, branch: "", turns: 0 }),
  handlers: {
    "session/new": ({ _meta }, { session }) => {
      session.state.branch = typeof _meta?.["branch"] === "string" ? _meta["branch"] : "";
      return { sessionId: `session-${++sessions}`, _meta: { opened: "yes", count: 1 } };
    },
    "session/prompt": async ({ prompt }, { turn, session, client, signal }) => {
      session.state.turns += 1;
      const [block] = prompt;
      const text = block?.type === "text" ? block.text : "";
      const [, command, input = ""] = /^\/(\w+)(?: (.*))?$/s.exec(text) ?? [];
      if (command === "search" || command === "fix") {
        const more = prompt.length > 1 ? `+${prompt.length - 1}` : "";
        await turn.message(`${command}(${input})${more}`);
      } else if (command !== undefined) {
        throw new Error(`unknown command: ${command}`);
      } else if (text === "state") {
        await turn.message(JSON.stringify({ ...session.state, client: client.capabilities }));
      } else if (text === "parts") {
        await turn.message(
          prompt
            .map((part) => (part.type === "text" ? part.text : "data" in part ? `${part.type}:${part.data}` : ""))
            .join(" "),
        );
      } else if (text === "permission") {
        const call = await turn.toolCall({ title: "Delete everything", kind: "delete" });
        const { outcome, ...chosen } = await call.requestPermission([
          { optionId: "yes", name: "Yes", kind: "allow_once" },
          { optionId: "never", name: "Never", kind: "reject_always" },
          { optionId: "no", name: "No", kind: "reject_once" },
        ]);
        await turn.message(JSON.stringify({ outcome, ...chosen }));
      } else if (text === "plan") {
        await turn.plan([
          { content: "read", priority: "high", status: "completed" },
          { content: "write", priority: "low", status: "in_progress" },
        ]);
      } else if (text === "rich") {
        await turn.message({ type: "image", data: "aGk=", mimeType: "image/png" });
        await turn.thought("hm");
      } else if (text === "wait") {
        await turn.message("waiting");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { stopReason: "cancelled" };
      } else if (text === "long") {
        return { stopReason: "max_tokens" };
      } else if (text.startsWith("count ")) {
        for (let n = 0; n < Number(text.slice(6)); n++)
          await turn.message(`${session.id}:${n}:\n"${"é".repeat(n % 50)}"`);
      } else {
        await turn.message("Processing your request...\n");
        const call = await turn.toolCall({ title: "Read file.go", name: "read_file", rawInput: "/path/to/file.go" });
        await call.complete("file contents...");
        await turn.message("I've read the file");
      }
      return { stopReason: "end_turn" };
    },
    "_acme/ping": (params: unknown) => ({ params }),
  },
});
await serveStdio(withGoClients(agent, { cwd: "/default" }), {
  onDiagnostic: (diagnostic) => process.stderr.write(`${JSON.stringify([diagnostic.type, diagnostic.message])}\n`),
});
