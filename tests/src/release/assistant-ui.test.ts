// The recipe of the guide for assistant-ui, with the newest one from npm, in a browser.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";

import { noAnswer, root, run } from "../support/packages.ts";
import { pageAgent, servePage, useBrowser } from "./page/open-page.ts";
import { serveFolder } from "./site/serve-folder.ts";

const browser = useBrowser();

const page = (recipe: string): string => `
import { joinText } from "@acp/core/state";
import { AgentProvider, createAgentStore, usePrompt, useSession, webSocket } from "@acp/react";
import { AssistantRuntimeProvider, ComposerPrimitive, MessagePrimitive, ThreadPrimitive, useExternalStoreRuntime } from "@assistant-ui/react";
import { createRoot } from "react-dom/client";
${recipe}
const address = new URLSearchParams(location.hash.slice(1));
const store = createAgentStore({
  info: { name: "page", version: "1.0.0" },
  transport: webSocket(address.get("agent"), address.get("token")),
});
const Text = ({ text }) => <p>{text}</p>;
const Message = () => <MessagePrimitive.Root className="message"><MessagePrimitive.Parts components={{ Text }} /></MessagePrimitive.Root>;
function Chat({ session }) {
  return (
    <AssistantRuntimeProvider runtime={useAcpRuntime(session)}>
      <ThreadPrimitive.Messages components={{ UserMessage: Message, AssistantMessage: Message }} />
      <ComposerPrimitive.Root>
        <ComposerPrimitive.Input aria-label="Prompt" />
        <ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
      </ComposerPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}
const session = await store.newSession({ cwd: address.get("cwd") });
createRoot(document.querySelector("#root")).render(<AgentProvider store={store}><Chat session={session} /></AgentProvider>);
`;

test("the guide's recipe shows a session in assistant-ui, sends prompts and cancels (needs npm's registry)", async ({
  skip,
}) => {
  const guide = readFileSync(join(root, "docs/guide/show-a-session-in-a-page.md"), "utf8");
  const [, recipe = ""] = /^With \[assistant-ui\][^]*?^```jsx\n([^]*?)^```$/mu.exec(guide) ?? [];
  expect(recipe).toContain("useExternalStoreRuntime");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "acp-assistant-ui-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  const quick = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"];
  try {
    await run("npm", ["install", ...quick, "@assistant-ui/react", "react@19", "react-dom@19"], folder);
  } catch (error) {
    if (!noAnswer.test(String(error))) throw error;
    skip(`npm's registry does not answer: ${String(error).slice(0, 200)}`);
  }
  writeFileSync(join(folder, "main.jsx"), page(recipe));
  writeFileSync(join(folder, "index.html"), '<div id="root"></div><script type="module" src="/main.js"></script>');
  await build({
    entryPoints: [join(folder, "main.jsx")],
    outfile: join(folder, "main.js"),
    bundle: true,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    alias: {
      "@acp/react": join(root, "packages/react/dist/index.js"),
      "@acp/core/state": join(root, "packages/core/dist/state.js"),
      react: join(folder, "node_modules/react"),
    },
    logLevel: "error",
  });
  const site = await serveFolder(folder);
  onTestFinished(() => site.close());
  const { url, cwd } = await servePage(["serve", "--origin", site.origin], pageAgent);
  const visitor = await browser.visit();
  const address = new URLSearchParams(new URL(url).hash.slice(1));
  address.set("agent", `ws://${new URL(url).host}/acp`);
  address.set("cwd", cwd);
  await visitor.page.goto(`${site.origin}/#${address.toString()}`);
  const messages = visitor.page.locator(".message");
  const stop = visitor.page.getByRole("button", { name: "Stop" });
  const isIdle = (): Promise<void> => expect.poll(() => stop.isDisabled()).toBe(true);
  await visitor.say("markdown");
  await messages.filter({ hasText: "The end." }).waitFor();
  // In a turn, Enter sends nothing.
  await isIdle();
  await visitor.say("wait");
  await messages.filter({ hasText: "I wait." }).waitFor();
  await stop.click();
  await isIdle();
  await visitor.say("hello there");
  await messages.filter({ hasText: '"text":"hello there"' }).waitFor();
  expect((await messages.allInnerTexts()).filter((text) => ["markdown", "wait", "hello there"].includes(text))).toEqual(
    ["markdown", "wait", "hello there"],
  );
  expect(visitor.complaints.filter((text) => !text.includes("favicon") && !text.includes("404"))).toEqual([]);
});
