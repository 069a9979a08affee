import type { AgentTurn, ClientSession } from "@acp/core";
import { joinText, type SessionState } from "@acp/core/state";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import type { AgentStore, AgentStoreOptions, ConfigHook, Elicitation, SessionListHook } from "../src/index.ts";
import { type Act, testAgent } from "./support/agent.ts";
import { flavours, type Harness, loadHarness } from "./support/flavours.ts";
import { settle, TestPage, withResolvers } from "./support/page.ts";

const texts = ({ timeline }: SessionState): string =>
  timeline.map((item) => ("chunks" in item ? joinText(item.chunks) : item.type)).join(" | ");

describe.each(flavours)("with $name", (flavour) => {
  let h: Harness;
  let page: TestPage;
  const stores: AgentStore[] = [];
  beforeAll(async () => {
    await using _page = new TestPage();
    h = await loadHarness(flavour);
  });
  beforeEach(() => {
    page = new TestPage();
  });
  afterEach(async () => {
    await page[Symbol.asyncDispose]();
    for (const store of stores.splice(0)) await store.close();
  });

  interface Opened extends ReturnType<typeof testAgent> {
    readonly store: AgentStore;
    readonly session: ClientSession;
  }

  function storeOf(agent: ReturnType<typeof testAgent>, options?: Partial<AgentStoreOptions>): AgentStore {
    const info = { name: "test", version: "1.0.0" };
    const store = h.createAgentStore({ info, transport: agent.transport, ...options });
    stores.push(store);
    return store;
  }

  async function open(acts?: Readonly<Record<string, Act>>, options?: Partial<AgentStoreOptions>): Promise<Opened> {
    const agent = testAgent(h, acts);
    const store = storeOf(agent, options);
    return { ...agent, store, session: await store.newSession({ cwd: "/" }) };
  }

  /** Mounts a component inside of a provider. */
  const mount = (store: AgentStore, view: () => unknown): Promise<void> =>
    page.mount(h, h.createElement(h.AgentProvider, { store }, h.createElement(view as () => null)));

  test("useSession shows what happens in a session from its first update on", async () => {
    const { store, session } = await open();
    await mount(store, () => `${h.useCommands(session)[0]?.name}: ${texts(h.useSession(session))}`);
    await page.frame();
    expect(page.text).toBe("plan: ");
    await store.prompt(session.id, "hello");
    await page.frame();
    expect(page.text).toBe("plan: hello | You said hello.");
  });

  test("useSession renders once a frame, however much arrives in between", async () => {
    const { store, session } = await open({
      async count(turn) {
        for (let n = 0; n < 1000; n++) await turn.message(`${n} `);
      },
    });
    let renders = 0;
    await mount(store, () => {
      renders += 1;
      return h.useSession(session, { select: texts });
    });
    const before = renders;
    await store.prompt(session.id, "count");
    expect(renders).toBe(before);
    await page.frame();
    expect(renders).toBe(before + 1);
    expect(page.text).toMatch(/ 998 999 $/u);
  });

  test("a hidden page goes on without frames, and shows at once what waited for one", async () => {
    const { store, session } = await open();
    await mount(store, () => h.useSession(session, { select: texts }));
    await store.prompt(session.id, "one");
    page.hide(true);
    await settle();
    expect(page.text).toContain("You said one.");
    await store.prompt(session.id, "two");
    await expect.poll(() => page.text).toContain("You said two.");
  });

  // One of the libraries has to show that it is linear.
  const items = flavour.name === "React 19" ? 100_000 : 10_000;
  test(`${items} updates of one item do not redraw a list of ${items}`, async () => {
    const say = (turn: AgentTurn, index: number, text: string): Promise<void> =>
      turn.update({
        sessionUpdate: "agent_message_chunk",
        messageId: `m${index}`,
        content: { type: "text", text },
      });
    const filled = withResolvers();
    const mounted = withResolvers();
    const { store, session } = await open({
      async work(turn) {
        for (let n = 1; n < items; n++) await say(turn, n, `${n}`);
        filled.resolve();
        await mounted.promise;
        for (let n = 0; n < items; n++) await say(turn, items - 1, ".");
      },
    });
    const answer = store.prompt(session.id, "work");
    await filled.promise;
    await expect.poll(() => store.sessionState(session.id).value.timeline.length).toBe(items);
    let lists = 0;
    let rows = 0;
    const Row = h.memo(({ index }: { readonly index: number }) => {
      rows += 1;
      h.useSession(session, { select: ({ timeline }) => timeline.at(index) });
      return null;
    });
    await mount(store, () => {
      lists += 1;
      const length = h.useSession(session, { select: ({ timeline }) => timeline.length });
      return Array.from({ length }, (_, index) => h.createElement(Row, { key: index, index }));
    });
    expect([lists, rows]).toEqual([1, items]);
    mounted.resolve();
    await answer;
    await page.frame();
    expect([lists, rows]).toEqual([1, items + 1]);
  });

  test("a list that is selected is the same one until a member changes", async () => {
    const { store, session } = await open();
    const seen = new Set<unknown>();
    await mount(store, () => {
      seen.add(h.useSession(session, { select: ({ timeline }) => timeline.slice(0, 1) }));
      seen.add(h.useSession(session, { select: ({ modes, usage }) => ({ modes, usage }) }));
      return null;
    });
    await store.prompt(session.id, "one");
    await page.frame();
    const first = seen.size;
    await store.prompt(session.id, "two");
    await page.frame();
    expect(seen.size).toBe(first);
  });

  test("StrictMode and many components start one agent", async () => {
    const agent = testAgent(h);
    const store = storeOf(agent);
    const View = (): string => h.useAgent().agent?.info?.name ?? "none";
    const views = [0, 1, 2].map((key) => h.createElement(View as never, { key }));
    expect(agent.connections()).toBe(0);
    await page.mount(h, h.createElement(h.StrictMode, null, h.createElement(h.AgentProvider, { store }, views)));
    await page.frame();
    await expect.poll(async () => page.frame().then(() => page.text)).toBe("test-agent".repeat(3));
    expect(agent.connections()).toBe(1);
  });

  test("components that render at the same time show the same state", async () => {
    const { store, session } = await open({
      async count(turn) {
        for (let n = 0; n < 200; n++) {
          await turn.message(`${n} `);
          if (n % 10 === 0) await page.frame();
        }
      },
    });
    const torn: string[] = [];
    let show: (text: string) => void = () => {};
    const Part = (): string => h.useSession(session, { select: texts });
    await mount(store, () => {
      const [shown, setShown] = h.useState("");
      show = setShown;
      h.useLayoutEffect(() => {
        const parts = Array.from(page.window.document.querySelectorAll("p"), (part) => part.textContent);
        if (new Set(parts).size > 1) torn.push(parts.join(" / "));
      });
      return [shown, ...["a", "b", "c"].map((key) => h.createElement("p", { key }, h.createElement(Part as never)))];
    });
    const turn = store.prompt(session.id, "count");
    for (let n = 0; n < 20; n++) {
      h.startTransition(() => show(String(n)));
      await settle();
    }
    await turn;
    await page.frame();
    expect(torn).toEqual([]);
    expect(page.text).toContain("199");
  });

  test("a server renders what is known, and starts nothing", () => {
    const agent = testAgent(h);
    const store = storeOf(agent);
    const View = (): string => {
      const { status } = h.useAgent();
      const { sessions, loading } = h.useSessionList();
      const { options } = h.useConfig(undefined);
      const counts = [h.useSession("s").timeline.length, h.usePermissions().length, h.useElicitations().length];
      return `${status} ${sessions.length} ${loading} ${options.length} ${counts.join()} ${h.usePrompt("s").running}`;
    };
    const element = h.createElement(h.AgentProvider, { store }, h.createElement(View as never));
    expect(h.renderToString(element)).toBe("connecting 0 true 0 0,0,0 false");
    expect(agent.connections()).toBe(0);
  });

  test("usePermissions has a question until it is answered or withdrawn", async () => {
    const outcomes: string[] = [];
    const asks: Act = async (turn) => {
      const call = await turn.toolCall({ title: "Edit a.txt", kind: "edit" });
      outcomes.push((await call.requestPermission()).outcome);
    };
    const { store, session, prompts } = await open({ ask: asks });
    await mount(store, () => {
      const { cancel, running } = h.usePrompt(session);
      const [question] = h.usePermissions(session);
      const elsewhere = h.usePermissions("elsewhere").length;
      const button = (name: string, onClick: () => void): unknown =>
        h.createElement("button", { key: name, onClick }, name);
      return [
        `${String(running)} ${question?.toolCall.title ?? "none"} ${elsewhere}`,
        button("yes", () => question?.answer(question.options[0]?.optionId ?? "")),
        button("stop", cancel),
      ];
    });
    const click = (name: string): void =>
      Array.from(page.window.document.querySelectorAll("button"))
        .find(({ textContent }) => textContent === name)
        ?.click();
    const until = (text: string): Promise<void> =>
      expect.poll(() => page.frame().then(() => page.text)).toContain(text);
    const answered = store.prompt(session.id, "ask");
    await until("true Edit a.txt 0");
    click("yes");
    expect(await answered).toMatchObject({ stopReason: "end_turn" });
    await until("false none 0");
    const withdrawn = store.prompt(session.id, "ask");
    await until("true Edit a.txt 0");
    click("stop");
    expect(await withdrawn).toMatchObject({ stopReason: "cancelled" });
    await until("false none 0");
    expect(prompts).toEqual(["ask", "ask"]);
    expect(outcomes).toEqual(["selected", "cancelled"]);
  });

  test("useElicitations has a form until it is answered", async () => {
    const answers: unknown[] = [];
    const form = {
      mode: "form",
      message: "Your name?",
      requestedSchema: { type: "object", properties: { name: { type: "string" } } },
    } as const;
    const { store, session } = await open(
      {
        async ask(turn) {
          answers.push(
            await turn.session.client.request("elicitation/create", { ...form, sessionId: turn.session.id }),
          );
        },
      },
      { capabilities: { elicitation: { form: {} } } },
    );
    let open_: readonly Elicitation[] = [];
    await mount(store, () => {
      open_ = h.useElicitations(session);
      return open_.map(({ request }) => ("message" in request ? request.message : "")).join();
    });
    const turn = store.prompt(session.id, "ask");
    await expect.poll(() => page.frame().then(() => page.text)).toBe("Your name?");
    open_[0]?.answer({ action: "accept", content: { name: "Ada" } });
    await turn;
    await page.frame();
    expect(page.text).toBe("");
    expect(answers).toEqual([{ action: "accept", content: { name: "Ada" } }]);
  });

  test("usePrompt has the error of the last turn", async () => {
    const { store, session } = await open({
      break: () => Promise.reject(h.RequestError.invalidParams("No such file")),
    });
    await mount(store, () => String(h.usePrompt(session).error));
    await expect(store.prompt(session.id, "break")).rejects.toThrow("No such file");
    await page.frame();
    expect(page.text).toContain("No such file");
    await store.prompt(session.id, "fine");
    await page.frame();
    expect(page.text).toBe("undefined");
    await expect(store.prompt("elsewhere", "hello")).rejects.toThrow("The session elsewhere is not open");
  });

  test("useConfig changes the mode", async () => {
    const { store, session } = await open();
    let config: ConfigHook | undefined;
    await mount(store, () => {
      config = h.useConfig(session);
      return config.mode?.via === "modes" ? config.mode.modes.currentModeId : "none";
    });
    expect(page.text).toBe("ask");
    await config?.setMode("code");
    await page.frame();
    expect(page.text).toBe("code");
    await expect(config?.setOption("model", "x")).rejects.toThrow("needs configOptions");
  });

  test("useSessionList reads page by page, and again", async () => {
    const { store } = await open();
    let list: SessionListHook | undefined;
    await mount(store, () => {
      list = h.useSessionList();
      return `${list.sessions.map(({ sessionId }) => sessionId).join()} ${String(list.loading)}`;
    });
    const until = (text: string): Promise<void> => expect.poll(() => page.frame().then(() => page.text)).toBe(text);
    await until("s0 false");
    list?.more?.();
    await until("s0,s1 false");
    list?.more?.();
    await until("s0,s1,s2 false");
    expect(list?.more).toBe(undefined);
    list?.refresh();
    await until("s0 false");
  });

  test("a lost connection is made again, with its sessions", async () => {
    const { store, session, cut, connections } = await open();
    await mount(store, () => `${h.useAgent().status} ${h.useSession(session, { select: texts })}`);
    await store.prompt(session.id, "hello");
    await page.frame();
    await cut();
    await expect.poll(() => page.frame().then(() => page.text)).toBe("lost hello | You said hello.");
    // The page comes back before the pause is over.
    page.window.dispatchEvent(new page.window.Event("online"));
    store.retry();
    // The agent's history has prompts only.
    await expect.poll(() => page.frame().then(() => page.text)).toBe("open hello");
    expect(connections()).toBe(2);
    await store.prompt(session.id, "again");
    await page.frame();
    expect(page.text).toBe("open hello | again | You said again.");
  });

  test("a long history is loaded piece by piece, and shown when all of it is there", async () => {
    const { store, session, cut } = await open();
    for (let turn = 0; turn < 30; turn++) await store.prompt(session.id, `turn ${turn}`);
    const shown = new Set<string>();
    await mount(store, () => {
      const length = h.useSession(session, { select: ({ timeline }) => timeline.length });
      shown.add(String(length));
      return `${h.useAgent().status} ${length}`;
    });
    await cut();
    let now = performance.now();
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
    page.window.dispatchEvent(new page.window.Event("online"));
    store.retry();
    // The agent's history has prompts only, as one message.
    await expect.poll(() => page.frame().then(() => page.text)).toBe("open 1");
    clock.mockRestore();
    expect([...shown]).toEqual(["60", "1"]);
    expect(texts(store.sessionState(session.id).value).match(/turn \d+/gu)).toHaveLength(30);
    await store.prompt(session.id, "again");
    expect(store.session(session.id)?.signal.aborted).toBe(false);
  });

  test("a connection that cannot be made fails until one tries again", async () => {
    const agent = testAgent(h);
    let isThere = false;
    const store = storeOf(agent, {
      transport: () => {
        if (!isThere) throw new Error("Nobody listens");
        return agent.transport();
      },
    });
    await mount(store, () => {
      const { status, error, retry } = h.useAgent();
      return h.createElement("button", { onClick: retry }, `${status} ${error instanceof Error ? error.message : ""}`);
    });
    await expect.poll(() => page.frame().then(() => page.text)).toBe("failed Nobody listens");
    await expect(store.newSession({ cwd: "/" })).rejects.toThrow("Nobody listens");
    isThere = true;
    page.window.document.querySelector("button")?.click();
    await expect.poll(() => page.frame().then(() => page.text)).toBe("open ");
    await store.close();
    await expect.poll(() => page.frame().then(() => page.text)).toBe("closed ");
    await expect(store.newSession({ cwd: "/" })).rejects.toThrow("The store is closed");
  });

  test("a component without a provider says what is missing", () => {
    const View = (): string => h.useAgent().status;
    expect(() => h.renderToString(h.createElement(View as never))).toThrow("<AgentProvider store={store}>");
  });
});
