// `provider-client.mjs <prompt> <agent command…>`: prints what an agent says to the AI SDK.
import { createACPProvider } from "@mcpc-tech/acp-ai-provider";
import { streamText } from "ai";

const [prompt, command, ...args] = process.argv.slice(2);
const provider = createACPProvider({ command, args, session: { cwd: process.cwd(), mcpServers: [] } });
const abort = new AbortController();
process.once("SIGINT", () => abort.abort());
const { textStream } = streamText({
  model: provider.languageModel(),
  prompt,
  tools: provider.tools,
  abortSignal: abort.signal,
});
for await (const text of textStream) process.stdout.write(text);
provider.cleanup();
