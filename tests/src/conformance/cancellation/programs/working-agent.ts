/** An agent whose turns do what the prompt names, which does not end if nobody answers. */
import { type AgentTurnContext, createAgent, RequestError } from "@acp/core";
import { askPermission, elicitForm, elicitUrl, readTextFile, runCommand, writeTextFile } from "@acp/core/agent";
import { serveStdio } from "@acp/node";

let isLoggedIn = false;
/** How much waits for the client. */
let pending = 0;

async function work(what: string, { turn, client, session, signal }: AgentTurnContext): Promise<unknown> {
  const form = { message: "Which?", schema: { properties: {} } };
  switch (what) {
    case "permission":
      return askPermission(await turn.toolCall({ title: "Work" }));
    case "form":
      return elicitForm(turn, form);
    case "form for a call":
      return elicitForm(turn, { ...form, call: await turn.toolCall({ title: "Work" }) });
    case "url":
      return elicitUrl(turn, { message: "Pay", url: "https://example.com/" });
    case "read":
      return readTextFile(turn, `${session.cwd}/file`);
    case "write":
      return writeTextFile(turn, `${session.cwd}/file`, "written");
    case "run":
      return runCommand(turn, { command: "sh", args: ["-c", "echo $$ >> pids; exec sleep 3000"] });
    case "extension":
      return client.request("_ask", {}, { signal });
    default:
      return undefined;
  }
}

await serveStdio(
  createAgent({
    info: { name: "working-agent", version: "1.0.0" },
    authMethods: [{ id: "a", name: "A" }],
    handlers: {
      authenticate: () => void (isLoggedIn = true),
      "session/load": () => {},
      "session/close": () => {},
      "session/delete": () => {},
      _pending: () => pending,
      "session/prompt": async ({ prompt: [block] }, context) => {
        const what = block?.type === "text" ? block.text : "";
        if (what === "login" && !isLoggedIn) throw RequestError.authRequired();
        await context.turn.message(`${what} `);
        pending++;
        await work(what, context).finally(() => pending--);
        return { stopReason: "end_turn" };
      },
    },
  }),
);
