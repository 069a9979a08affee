// `provider-client.mjs <prompt> <agent command…>`: prints what an agent says to the AI SDK.
import { createACPProvider } from "@mcpc-tech/acp-ai-provider";
import { streamText } from "ai";

const [prompt, command, ...args] = process.argv.slice(2);
const provider = createACPProvider({ command, args, session: { cwd: process.cwd(), mcpServers: [] } });
const abort = new AbortController();
process.once("SIGINT", () => abort.abort());
const { fullStream } = streamText({
  model: provider.languageModel(),
  prompt,
  tools: provider.tools,
  abortSignal: abort.signal,
});
for await (const part of fullStream) {
  if (part.type === "text-delta") process.stdout.write(part.text);
  if (part.type === "finish" && part.finishReason !== "stop") console.error(part.finishReason);
  if (part.type !== "error") continue;
  console.error(part.error);
  process.exitCode = 1;
}
provider.cleanup();
