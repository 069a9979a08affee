import { createMemoryTransportPair } from "@acp/core";
import { type ConnectedAgent, createClient } from "@acp/core/unstable";

import { eventually, expectContains, expectEqual, rejectionOf } from "../check.ts";
import { testSession } from "../host-session.ts";
import { existsSync, join, mkdir, readText, rootOf, writeFile } from "../platform.ts";
import { type Scenario, type ScenarioContext, test } from "../scenario.ts";

type Files = ReturnType<ScenarioContext["runtime"]["fileSystem"]>;

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: { readonly content?: string };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly reason?: string } };
}

/** A client with these files, and an agent that is played by hand. */
async function connect(files: Files): Promise<{
  agent: ConnectedAgent;
  send(message: object): void;
  next(fits: (message: Message) => boolean): Promise<Message>;
}> {
  const [own, theirs] = createMemoryTransportPair();
  const received: Message[] = [];
  own.start({ message: (text) => void received.push(JSON.parse(text)), issue: () => {}, closed: () => {} });
  const send = (message: object): void => void own.send(JSON.stringify({ jsonrpc: "2.0", ...message }), "soon");
  const next = async (fits: (message: Message) => boolean): Promise<Message> => {
    await eventually(() => received.some(fits), "the message arrives");
    return received.splice(received.findIndex(fits), 1)[0] ?? {};
  };
  const client = createClient({
    info: { name: "test-client", version: "1" },
    capabilities: { subagents: {} },
    handlers: { ...files },
  });
  const connecting = client.connect(theirs);
  const { id } = await next(({ method }) => method === "initialize");
  const sessionCapabilities = { fork: {}, resume: {} };
  send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities } } });
  return { agent: await connecting, send, next };
}

/** What the agent is told when it reads a file, writes one that is new, and reads a third. */
async function touch(
  { send, next }: Awaited<ReturnType<typeof connect>>,
  sessionId: string,
  paths: readonly { readonly path: string; readonly content?: string }[],
): Promise<readonly Message[]> {
  const asked = paths.map(({ path, content }) => {
    const id = `${sessionId}: ${path}`;
    send({
      id,
      method: `fs/${content === undefined ? "read" : "write"}_text_file`,
      params: { sessionId, path, content },
    });
    return next((message) => message.id === id);
  });
  return Promise.all(asked);
}

function expectRefused(answers: readonly Message[], words: string): void {
  for (const { error } of answers) {
    expectEqual([error?.code, error?.data?.reason], [-32602, "outside_roots"]);
    expectContains(error?.message ?? "", words);
  }
}

/** A folder `inside` with a file, and one `outside` with a secret. */
async function makeFolders(
  directory: string,
): Promise<{ inside: string; outside: string; file: string; secret: string }> {
  const [inside, outside] = [join(directory, "inside"), join(directory, "outside")];
  const [file, secret] = [join(inside, "a.txt"), join(outside, "secret")];
  await Promise.all([mkdir(inside), mkdir(outside)]);
  await Promise.all([writeFile(file, "a"), writeFile(secret, "secret")]);
  return { inside, outside, file, secret };
}

export const scenarios: readonly Scenario[] = [
  test("a session that is not open yet has no folders, whichever call opens it", async ({ runtime, directory }) => {
    const { inside, outside, file, secret } = await makeFolders(directory);
    let called = 0;
    const options = [
      {},
      { roots: ({ cwd }: { cwd: string | undefined }) => (called++, [`${cwd}/`]) },
      { roots: [inside], readOnlyRoots: () => (called++, []) },
    ];
    for (const option of options) {
      const connected = await connect(runtime.fileSystem(option));
      const { agent, send, next } = connected;
      for (const [method, open] of [
        ["session/new", () => agent.newSession({ cwd: inside })],
        ["session/fork", () => agent.forkSession({ cwd: inside, sessionId: "other" })],
      ] as const) {
        const opening = open();
        const { id } = await next((message) => message.method === method);
        const early = [{ path: secret }, { path: file }, { path: join(outside, "new"), content: "" }];
        expectRefused(await touch(connected, method, early), "The session is not open yet");
        expectEqual([existsSync(join(outside, "new")), called], [false, 0]);
        send({ id, result: { sessionId: method } });
        await opening;
        expectEqual((await touch(connected, method, [{ path: file }]))[0]?.result?.content, "a");
        expectRefused(await touch(connected, method, [{ path: secret }]), "Outside of the session's directories");
        called = 0;
      }
      await agent.close();
    }
  }),
  test("the folders that a client names for all sessions, and those of a session that is loaded, are there from the start", async ({
    runtime,
    directory,
  }) => {
    const { inside, outside, file, secret } = await makeFolders(directory);
    const chosen = await connect(runtime.fileSystem({ roots: [inside] }));
    void chosen.agent.newSession({ cwd: outside }).catch(() => {});
    await chosen.next(({ method }) => method === "session/new");
    expectEqual((await touch(chosen, "s", [{ path: file }]))[0]?.result?.content, "a");
    expectRefused(await touch(chosen, "s", [{ path: secret }]), "The session is not open yet");
    await chosen.agent.close();

    const connected = await connect(runtime.fileSystem());
    for (const [method, open] of [
      ["session/load", () => connected.agent.loadSession({ cwd: inside, sessionId: "session/load" })],
      ["session/resume", () => connected.agent.resumeSession({ cwd: inside, sessionId: "session/resume" })],
    ] as const) {
      const opening = open();
      const { id } = await connected.next((message) => message.method === method);
      expectEqual((await touch(connected, method, [{ path: file }]))[0]?.result?.content, "a");
      expectRefused(await touch(connected, method, [{ path: secret }]), "Outside of the session's directories");
      connected.send({ id, result: {} });
      await opening;
    }
    await connected.agent.close();
  }),
  test("a subagent has no folders that the session above it does not have, whatever the agent sends", async ({
    runtime,
    directory,
  }) => {
    const { inside, outside, file, secret } = await makeFolders(directory);
    const [narrow, locked] = [join(inside, "narrow"), join(inside, "locked")];
    await Promise.all([mkdir(narrow), mkdir(locked)]);
    await Promise.all([writeFile(join(narrow, "b.txt"), "b"), writeFile(join(locked, "c.txt"), "c")]);
    const writes = [{ path: join(outside, "new"), content: "" }, { path: secret }];
    for (const roots of [undefined, ({ cwd = "" }: { cwd: string | undefined }) => [cwd]]) {
      const files = runtime.fileSystem({ ...(roots && { roots }), readOnlyRoots: ({ cwd }) => [`${cwd}/locked`] });
      const connected = await connect(files);
      const opening = connected.agent.newSession({ cwd: inside });
      const { id } = await connected.next(({ method }) => method === "session/new");
      connected.send({ id, result: { sessionId: "main" } });
      await opening;
      const reveal = (parent: string, sessionId: string, more: object): void => {
        const update = { sessionUpdate: "subagent_update", sessionId, title: "Search", ...more };
        connected.send({ method: "session/update", params: { sessionId: parent, update } });
      };
      reveal("main", "all", { cwd: rootOf(directory), additionalDirectories: [outside] });
      expectRefused(await touch(connected, "all", writes), "Outside of the session's directories");
      reveal("all", "below all", { cwd: outside });
      expectRefused(await touch(connected, "below all", writes), "Outside of the session's directories");
      expectEqual((await touch(connected, "all", [{ path: file }]))[0]?.result?.content, "a");
      // What may not be written to stays that where a subagent works elsewhere.
      const [answer] = await touch(connected, "all", [{ path: join(locked, "c.txt"), content: "" }]);
      expectEqual(answer?.error?.data?.reason, "read_only");
      reveal("main", "narrow", { cwd: narrow });
      expectRefused(await touch(connected, "narrow", [{ path: file }]), "Outside of the session's directories");
      expectEqual((await touch(connected, "narrow", [{ path: join(narrow, "b.txt") }]))[0]?.result?.content, "b");
      await connected.agent.close();
    }
    expectEqual([existsSync(join(outside, "new")), await readText(join(locked, "c.txt"))], [false, "c"]);
  }),
  test("roots that are not absolute are refused: in a list at once, from a function when it is asked", async ({
    runtime,
    directory,
  }) => {
    const path = join(directory, "a.txt");
    await writeFile(path, "a");
    for (const option of ["roots", "readOnlyRoots"] as const) {
      for (const root of ["", ".", "..", "sub", "~/a", `.${directory}`]) {
        let error: unknown;
        try {
          runtime.fileSystem({ [option]: [directory, root] });
        } catch (thrown) {
          error = thrown;
        }
        expectEqual((error as { code?: string } | undefined)?.code, "usage", `the code for ${option} ${root}`);
        expectContains((error as Error).message, `${option} must be absolute paths`);
        const files = runtime.fileSystem({ [option]: () => [directory, root] });
        const requests = [
          files["fs/read_text_file"]({ path }, testSession(directory)),
          files["fs/write_text_file"]({ path, content: "b" }, testSession(directory)),
        ];
        for (const failed of await Promise.all(requests.map(rejectionOf))) expectEqual(failed["code"], "usage");
      }
    }
    expectEqual(await readText(path), "a");
    // No client's choice, so nothing to blame it for.
    const error = await rejectionOf(runtime.fileSystem()["fs/read_text_file"]({ path }, testSession("", ["."])));
    expectEqual((error["wire"] as NonNullable<Message["error"]>).data?.reason, "outside_roots");
  }),
];
