import { AgentProvider, createAgentStore, webSocket } from "@acp/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { App } from "./app.tsx";

// http://localhost:5173/#token=…&agent=ws://127.0.0.1:8642/acp&cwd=/my/project
const address = new URLSearchParams(location.hash.slice(1));

// Outside of the components: it connects once, whatever React does.
const store = createAgentStore({
  info: { name: "react-chat", version: "1.0.0" },
  transport: webSocket(address.get("agent") ?? "ws://127.0.0.1:8642/acp", address.get("token") ?? ""),
});

const root = document.querySelector("#root");
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <AgentProvider store={store}>
        <App cwd={address.get("cwd") ?? "/"} />
      </AgentProvider>
    </StrictMode>,
  );
