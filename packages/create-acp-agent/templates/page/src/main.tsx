import { AgentProvider, createAgentStore, webSocket } from "@acp/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { readAddress } from "./address.ts";

const { url, token, cwd } = readAddress(location.hash);
const store = createAgentStore({ info: { name: "my-page", version: "1.0.0" }, transport: webSocket(url, token) });
const place = document.querySelector("#page");
if (place === null) throw new Error("The document has no element for the page");
createRoot(place).render(
  <StrictMode>
    <AgentProvider store={store}>
      <App cwd={cwd} />
    </AgentProvider>
  </StrictMode>,
);
