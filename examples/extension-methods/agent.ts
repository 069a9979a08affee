// An agent with an extension method of its own, which also sends an extension notification.
import { createAgentFor, RequestError } from "@acp/core";
import { serveStdio } from "@acp/node";
import { acme } from "./protocol.ts";

const agent = createAgentFor(acme)({
  info: { name: "acme-agent", version: "1.0.0" },
  handlers: {
    "_acme/count_words": ({ text }) => {
      // What `acme` says is known to the compiler only: the other side may send anything.
      if (typeof text !== "string") throw RequestError.invalidParams("text is not a string");
      return { words: text.split(/\s+/).length };
    },

    "session/prompt": async (_params, { turn, client }) => {
      const total = 2;
      for (let done = 1; done <= total; done++) await client.notify("_acme/progress", { done, total });
      await turn.message("Done.");
      return { stopReason: "end_turn" };
    },
  },
});

await serveStdio(agent);
