// The samples of the guide, on the libraries that they are for.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import type { createSessionState } from "@acp/core/state";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testAgent } from "./support/agent.ts";
import type { Harness } from "./support/flavours.ts";
import { settle, TestPage } from "./support/page.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const guide = readFileSync(new URL("../../../docs/guide/show-a-session-in-a-page.md", import.meta.url), "utf8");

interface Readable {
  subscribe(run: (state: Shown) => void): () => void;
}
interface Shown {
  readonly timeline: { readonly length: number };
}
interface Samples extends Harness {
  readonly App: Parameters<Harness["createElement"]>[0];
  readonly createSessionState: typeof createSessionState;
  readonly effectScope: () => { run<T>(act: () => T): T; stop(): void };
  showSession(list: unknown, store: object): () => void;
  useSession_(store: object): { readonly value: Shown };
  sessionOf(store: object): Readable;
}

let page: TestPage;
let samples: Samples;
beforeAll(async () => {
  page = new TestPage();
  const directory = mkdtempSync(join(folder, "node_modules/.guide-"));
  const files = [...guide.matchAll(/^```jsx? (\S+)\n([^]*?)^```$/gmu)].map(([, name = "", text = ""]) => ({
    name,
    text,
  }));
  expect(files.map(({ name }) => name)).toEqual(["Chat.jsx", "dom.jsx", "vue.jsx", "svelte.jsx"]);
  try {
    for (const { name, text } of files) writeFileSync(join(directory, name), text);
    writeFileSync(
      join(directory, "all.js"),
      `export * from "../../test/support/harness.ts"; export { createSessionState } from "@acp/core/state";
       export { App } from "./Chat.jsx"; export { showSession } from "./dom.jsx"; export { effectScope } from "vue";
       export { useSession as useSession_ } from "./vue.jsx"; export { sessionOf } from "./svelte.jsx";`,
    );
    const outfile = join(directory, "samples.mjs");
    await build({
      entryPoints: [join(directory, "all.js")],
      absWorkingDir: folder,
      outfile,
      bundle: true,
      format: "esm",
      jsx: "automatic",
      conditions: ["@acp/source", "browser"],
      define: { "process.env.NODE_ENV": '"development"' },
      alias: { "@acp/react": join(folder, "src/index.ts") },
      logLevel: "warning",
    });
    samples = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as Samples;
  } finally {
    rmSync(directory, { recursive: true });
  }
});
afterAll(() => page[Symbol.asyncDispose]());

const info = { name: "guide", version: "1.0.0" };

test("React: a new session, a prompt, a question and its answer", async () => {
  const agent = testAgent(samples, {
    async edit(turn) {
      const call = await turn.toolCall({ title: "Edit a.txt", kind: "edit" });
      const { outcome } = await call.requestPermission();
      await call.complete("done");
      await turn.message(outcome);
    },
  });
  const store = samples.createAgentStore({ info, transport: agent.transport });
  await page.mount(samples, samples.createElement(samples.App, { store, cwd: "/" } as never));
  const until = (text: string): Promise<void> => expect.poll(() => page.frame().then(() => page.text)).toContain(text);
  const click = (name: string): void =>
    Array.from(page.window.document.querySelectorAll("button"))
      .find(({ textContent }) => textContent === name)
      ?.click();
  click("New session");
  await until("Send");
  const input = page.window.document.querySelector("input");
  if (input !== null) input.value = "edit";
  click("Send");
  await until("[in_progress] Edit a.txt");
  await until("Allow");
  expect(page.text).toContain("Stop");
  click("Allow");
  await until("selected");
  await until("Send");
  expect(page.text).toContain("[completed] Edit a.txt");
  await store.close();
  await page.frame();
});

test("plain DOM, Vue and Svelte: the items of a session, once a frame", async () => {
  const agent = testAgent(samples);
  const connected = await samples.createClient({ info }).connect(agent.transport());
  const session = await connected.newSession({ cwd: "/" });
  const store = samples.createSessionState(session);
  const list = page.window.document.createElement("ol");
  const stop = samples.showSession(list, store);
  const scope = samples.effectScope();
  const state = scope.run(() => samples.useSession_(store));
  const lengths: number[] = [];
  const leave = samples.sessionOf(store).subscribe(({ timeline }) => lengths.push(timeline.length));
  await session.prompt("hello").response;
  await settle();
  expect([list.children.length, state.value.timeline.length, lengths]).toEqual([0, 0, [0]]);
  await page.frame();
  expect(Array.from(list.children, ({ textContent }) => textContent)).toEqual(["hello", "You said hello."]);
  expect([state.value.timeline.length, lengths]).toEqual([2, [0, 2]]);
  stop();
  scope.stop();
  leave();
  await session.prompt("more").response;
  await page.frame();
  expect([list.children.length, state.value.timeline.length, lengths]).toEqual([2, 2, [0, 2]]);
  await connected.close();
});
