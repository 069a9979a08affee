// A proxy of a chain: it tells the agent something that the user has not typed, and counts what goes by.
import { createChainProxy } from "@acp/proxy/chain";
import { serveStdio } from "@acp/node";

const proxy = createChainProxy({
  // For each conductor that starts it, from initialize on.
  state: () => ({ prompts: 0 }),
  fromClient: ({ method, params }, forward, { state }) => {
    if (method !== "session/prompt") return forward({ method, params });
    state.prompts += 1;
    // A proxy reads nothing: that these are the params of a prompt is for it to know.
    const { prompt, ...rest } = params as { prompt: readonly object[] };
    const context = { type: "text", text: `This is prompt ${state.prompts} of Ada.` };
    return forward({ method, params: { ...rest, prompt: [context, ...prompt] } });
  },
});

await serveStdio(proxy);
