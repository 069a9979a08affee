// Serves an agent over HTTP and says where. Every user has an agent of their own; who has no token gets none.
import { createServer } from "node:http";

import { createAgent } from "@acp/core";
import { createHttpServer } from "@acp/http";
import { nodeHttpHandler } from "@acp/node/http";

const users = new Map([["token-of-ada", "Ada"]]);

const server = createHttpServer({
  authorize: (request) => {
    const token = request.headers.get("Authorization")?.replace("Bearer ", "") ?? "";
    const user = users.get(token);
    return user === undefined ? new Response("Which token is that?", { status: 401 }) : { user };
  },
  agent: (_request, { user }) =>
    createAgent({
      info: { name: "remote-agent", version: "1.0.0" },
      handlers: {
        "session/prompt": async (_params, { turn }) => {
          await turn.message(`Hello ${user}.`);
          return { stopReason: "end_turn" };
        },
      },
    }),
});

const listener = createServer(nodeHttpHandler(server));
listener.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  if (typeof address === "object") console.log(`http://127.0.0.1:${address?.port}/acp`);
});
