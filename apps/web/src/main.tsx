import { AgentProvider, createAgentStore, webSocket } from "@acp/react";
import { createRoot } from "react-dom/client";

import { readFragment, takeToken } from "./address.ts";
import { type Hello, sayHello } from "./hello.ts";
import { chooseLogin } from "./login.tsx";
import { Page } from "./page.tsx";

const token = takeToken();
const url = new URL("acp", location.href);
url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
url.hash = "";
const { agent } = readFragment();
if (agent !== undefined) url.searchParams.set("agent", agent);

let hello: Hello | undefined;
const connect = webSocket(url, token);
const store = createAgentStore({
  info: { name: "acp-page", title: "acp page", version: "1.0.0" },
  capabilities: { elicitation: { form: {}, url: {} }, session: { configOptions: { boolean: {} } } },
  authenticate: chooseLogin,
  transport: async () => {
    hello = await sayHello(token);
    return connect();
  },
});

const place = document.querySelector("#page");
if (place !== null)
  createRoot(place).render(
    <AgentProvider store={store}>
      <Page cwd={() => hello?.cwd ?? "/"} />
    </AgentProvider>,
  );
