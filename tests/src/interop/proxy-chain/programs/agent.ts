/** An agent over stdio that does what its prompts say. */
import { createAgent } from "@acp/core";
import { serveStdio } from "@acp/node";

import { tellPid } from "./tell-pid.ts";

tellPid("agent");
await serveStdio(
  createAgent({
    info: { name: "told", version: "1.0.0" },
    handlers: {
      "session/prompt": async ({ prompt }, { turn, client, signal }) => {
        const [block] = prompt;
        const [word = "", argument = ""] = block?.type === "text" ? block.text.split(" ") : [];
        if (word === "say") await turn.message(argument);
        if (word === "read")
          await turn.message((await client.request("fs/read_text_file", { path: argument })).content);
        if (word === "count") for (let at = 0; at < Number(argument); at++) await turn.message(`${at} `);
        if (word === "ask") {
          const call = await turn.toolCall({ title: argument });
          const options = [{ optionId: "no", name: "No", kind: "reject_once" }] as const;
          await turn.message((await call.requestPermission(options)).outcome);
        }
        if (word === "wait") {
          await turn.message("waiting");
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return { stopReason: "cancelled" };
        }
        return { stopReason: "end_turn" };
      },
    },
  }),
);
