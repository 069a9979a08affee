import { describe, expect, it } from "vitest";
import { RequestError } from "../../src/base/errors.ts";
import type { Diagnostic } from "../../src/base/diagnostics.ts";
import type { Interceptor } from "../../src/v1/client.ts";
import { answer, connectRawAgent } from "../support/raw-agent.ts";

type Handlers = NonNullable<Parameters<typeof connectRawAgent>[0]["handlers"]>;

async function openSession(interceptors: readonly Interceptor[], handlers: Handlers) {
  const diagnostics: Diagnostic[] = [];
  const onDiagnostic = (one: Diagnostic): void => void diagnostics.push(one);
  const connection = await connectRawAgent({ interceptors, handlers, onDiagnostic });
  const opening = connection.agent.newSession({ cwd: "/project" });
  await answer(connection.peer, "session/new", { result: { sessionId: "s" } });
  return { ...connection, diagnostics, session: await opening };
}

const permission = {
  sessionId: "s",
  toolCall: { toolCallId: "t" },
  options: [{ optionId: "a", name: "A", kind: "allow_once" }],
};
const write = (path: string): object => ({ sessionId: "s", path, content: "x" });

describe("interceptors of requests", () => {
  it("run around the handler in the order of the list, and may change params and answer", async () => {
    const seen: unknown[] = [];
    const outer: Interceptor = {
      async handle(request) {
        seen.push(["outer", request.method, request.session?.id]);
        if (request.method !== "fs/read_text_file") return request.next();
        const { content } = await request.next({ ...request.params, path: "/project/b" });
        return { content: content.toUpperCase() };
      },
    };
    const inner: Interceptor = {
      async handle({ params, next }) {
        seen.push(["inner", params]);
        return next();
      },
    };
    const { peer } = await openSession([outer, inner], { "fs/read_text_file": ({ path }) => ({ content: path }) });
    const reply = await peer.call("fs/read_text_file", { sessionId: "s", path: "/project/a" });
    expect(reply).toMatchObject({ result: { content: "/PROJECT/B" } });
    expect(seen).toEqual([
      ["outer", "fs/read_text_file", "s"],
      ["inner", { sessionId: "s", path: "/project/b" }],
    ]);
  });

  it("refuse a write of a file, so that the handler does not run", async () => {
    const written: string[] = [];
    const authorize: Interceptor = {
      async handle(request) {
        if (request.method === "fs/write_text_file" && !request.params.path.startsWith("/project/")) {
          throw new RequestError({ code: -32000, message: "This folder is read-only" });
        }
        return request.next();
      },
    };
    const { peer } = await openSession([authorize], { "fs/write_text_file": ({ path }) => void written.push(path) });
    expect(await peer.call("fs/write_text_file", write("/etc/hosts"))).toMatchObject({
      error: { code: -32000, message: "This folder is read-only" },
    });
    expect(await peer.call("fs/write_text_file", write("/project/a"))).toMatchObject({ result: {} });
    expect(written).toEqual(["/project/a"]);
  });

  it("run after the checks: what is refused does not reach them", async () => {
    const seen: string[] = [];
    const spy: Interceptor = {
      async handle({ method, next }) {
        seen.push(method);
        return next();
      },
    };
    const { peer } = await openSession([spy], { "fs/read_text_file": () => ({ content: "" }) });
    const params = { sessionId: "s", path: "relative" };
    expect(await peer.call("fs/read_text_file", params)).toMatchObject({ error: { code: -32602 } });
    const unknown = { sessionId: "other", path: "/a" };
    expect(await peer.call("fs/read_text_file", unknown)).toMatchObject({ error: { code: -32002 } });
    expect(await peer.call("fs/write_text_file", write("/a"))).toMatchObject({ error: { code: -32601 } });
    // No handler can ask the user: there is nothing to wrap.
    expect(await peer.call("session/request_permission", permission)).toMatchObject({
      result: { outcome: { outcome: "cancelled" } },
    });
    expect(seen).toEqual([]);
  });

  it("return what is checked like the answer of the handler (PERM-05)", async () => {
    const wrong: Interceptor = {
      handle: async () => ({ outcome: { outcome: "selected", optionId: "never-offered" } }),
    };
    const handler = (): never => expect.unreachable();
    const { peer, diagnostics } = await openSession([wrong], { "session/request_permission": handler });
    const reply = await peer.call("session/request_permission", permission);
    expect(reply).toMatchObject({ error: { code: -32603 } });
    expect(diagnostics).toMatchObject([{ type: "handler-failed", method: "session/request_permission" }]);
  });

  it("throw what becomes the error answer and a diagnostic", async () => {
    const failing: Interceptor = {
      handle() {
        throw new Error("broken");
      },
    };
    const { peer, diagnostics } = await openSession([failing], { "fs/read_text_file": () => ({ content: "" }) });
    const reply = await peer.call("fs/read_text_file", { sessionId: "s", path: "/a" });
    expect(reply).toMatchObject({ error: { code: -32603 } });
    expect(diagnostics).toMatchObject([{ type: "handler-failed", method: "fs/read_text_file" }]);
  });

  it("cannot answer a question that is cancelled, and see its signal (PERM-07)", async () => {
    let seen: AbortSignal | undefined;
    let goOn: (() => void) | undefined;
    const slow: Interceptor = {
      async handle({ signal, next }) {
        seen = signal;
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        return next();
      },
    };
    const handler = () => ({ outcome: { outcome: "selected", optionId: "a" } }) as const;
    const { peer, session } = await openSession([slow], { "session/request_permission": handler });
    const turn = session.prompt("Hi");
    await peer.next(({ method }) => method === "session/prompt");
    const reply = peer.call("session/request_permission", permission);
    await peer.settle();
    turn.cancel();
    expect(await reply).toMatchObject({ result: { outcome: { outcome: "cancelled" } } });
    expect(seen?.aborted).toBe(true);
    goOn?.();
    await peer.settle();
    // One that arrives now is cancelled already, and does not get here.
    seen = undefined;
    const late = await peer.call("session/request_permission", permission);
    expect([late["result"], seen]).toEqual([{ outcome: { outcome: "cancelled" } }, undefined]);
  });

  it("are called with the object that they belong to", async () => {
    class Counter implements Interceptor {
      count = 0;
      async handle({ next }: { next(): Promise<unknown> }): Promise<unknown> {
        this.count++;
        return next();
      }
    }
    const counter = new Counter();
    const { peer } = await openSession([counter], { "fs/read_text_file": () => ({ content: "" }) });
    await peer.call("fs/read_text_file", { sessionId: "s", path: "/a" });
    expect(counter.count).toBe(1);
  });
});
