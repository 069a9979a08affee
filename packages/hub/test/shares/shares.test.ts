import { createMemoryTransportPair } from "@acp/core";
import { testClock } from "@acp/testing";
import { describe, expect, test } from "vitest";

import { createHub, createMemoryJournal, type Hub, type HubOptions } from "../../src/index.ts";
import { createFolder, openFiles } from "../support/journal-folder.ts";
import { joinRaw } from "../support/raw-client.ts";
import { createTestAgent } from "../support/test-agent.ts";
import { cwd, startHub, type TestHub } from "../support/test-hub.ts";

async function startWithSession(options?: Partial<HubOptions>): Promise<TestHub & { readonly id: string }> {
  const started = startHub(createTestAgent().agent, options);
  const author = await started.join(undefined, { id: "ada" });
  const { id } = await author.agent.newSession({ cwd });
  return { ...started, id };
}

describe("a token", () => {
  test("means a user of one session, and is not stored", async () => {
    const { hub, id, journal } = await startWithSession();
    const { token, ...share } = await hub.share(id, { may: "answer", name: "Phone" });
    const secret = token.slice(-64);

    expect(await hub.userOf(token)).toEqual({
      id: `share:${share.id}`,
      name: "Phone",
      share: { id: share.id, session: id },
    });
    expect(await hub.shares(id)).toEqual([share]);
    expect(JSON.stringify(await journal.describe(id))).not.toContain(secret);
    expect(secret).toMatch(/^[0-9a-f]{64}$/u);
  });

  test("that differs in any character is nobody's", async () => {
    const { hub, id, join } = await startWithSession();
    const other = (await (await join()).agent.newSession({ cwd })).id;
    const { token } = await hub.share(id, { may: "control" });
    await hub.share(other, { may: "watch" });
    for (let index = 0; index < token.length; index++) {
      const letter = token[index] === "0" ? "1" : "0";
      expect(await hub.userOf(token.slice(0, index) + letter + token.slice(index + 1))).toBeUndefined();
    }
    for (const text of [
      "",
      "acp-share..",
      token.slice(1),
      `${token}0`,
      token.replace(id, other),
      "%",
      token.toUpperCase(),
    ])
      expect(await hub.userOf(text)).toBeUndefined();
    expect(await hub.userOf(`acp-share.%E0%A4%A.${"0".repeat(64)}`)).toBeUndefined();
    expect(await hub.userOf(`acp-share.__proto__.${"0".repeat(64)}`)).toBeUndefined();
  });

  test("ends with its time", async () => {
    let now = 1000;
    const clock: HubOptions["clock"] = { now: () => now, after: () => () => {} };
    const { hub, id } = await startWithSession({ clock });
    const { token } = await hub.share(id, { may: "watch", expires: new Date(2000) });
    now = 1999;
    expect(await hub.userOf(token)).toBeDefined();
    now = 2000;
    expect(await hub.userOf(token)).toBeUndefined();
    expect(await hub.shares(id)).toEqual([]);
  });

  test("for what does not exist is refused", async () => {
    const { hub, id } = await startWithSession();
    await expect(hub.share("unknown", { may: "watch" })).rejects.toThrow("no session unknown");
    await expect(hub.share(id, { may: "admin" as never })).rejects.toThrow("admin");
    await expect(hub.share(id, { may: "watch", expires: new Date(0) })).rejects.toThrow("later than now");
    await expect(hub.share(id, { may: "watch", expires: new Date(Number.NaN) })).rejects.toThrow("Invalid Date");
  });

  test("shares that are made and revoked at the same time do not get in each other's way", async () => {
    const { hub, id, journal } = await startWithSession();
    const before = (await journal.describe(id))?.more?.["program"];
    const first = await Promise.all(Array.from({ length: 10 }, () => hub.share(id, { may: "watch" })));
    await Promise.all([
      ...first.map((share) => hub.revoke(id, share.id)),
      ...Array.from({ length: 10 }, () => hub.share(id, { may: "answer" })),
    ]);
    expect((await hub.shares(id)).map(({ may }) => may)).toEqual(Array.from({ length: 10 }, () => "answer"));
    expect((await journal.describe(id))?.more?.["program"]).toEqual(before);
  });
});

test("two hubs that make and revoke shares in the same moment keep each other's", async () => {
  const folder = createFolder();
  const { hub, id } = await startWithSession({ journal: openFiles(folder) });
  const other = otherHub(openFiles(folder));
  const old = await Promise.all([hub, other, hub, other].map((one) => one.share(id, { may: "watch" })));
  const made = await Promise.all([
    ...Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? hub : other).share(id, { may: "answer" })),
    ...old.map(async (share, index) => {
      await (index < 2 ? hub : other).revoke(id, share.id);
      return share;
    }),
  ]);
  const ids = made.slice(0, 10).map((share) => share.id);
  for (const one of [hub, other])
    expect((await one.shares(id)).map((share) => share.id).toSorted()).toEqual(ids.toSorted());
  for (const { token } of made.slice(0, 10)) expect(await other.userOf(token)).toBeDefined();
});

describe("a share that is revoked", () => {
  test("ends its connections, and no others", async () => {
    const { hub, id } = await startWithSession();
    const [one, two] = [await hub.share(id, { may: "watch" }), await hub.share(id, { may: "watch" })];
    const [ended, stays] = [
      await joinRaw(hub, await hub.userOf(one.token)),
      await joinRaw(hub, await hub.userOf(two.token)),
    ];
    for (const client of [ended, stays]) await client.call("session/load", { sessionId: id, cwd, mcpServers: [] });

    await hub.revoke(id, one.id);

    await ended.closed;
    expect(await hub.userOf(one.token)).toBeUndefined();
    const { result } = await stays.call("session/list", {});
    expect(result?.["sessions"]).toMatchObject([{ sessionId: id }]);
  });

  test("counts no longer in the moment of revoking, however slow the journal is", async () => {
    const journal = createMemoryJournal();
    const change = journal.change.bind(journal);
    let store = (): void => {};
    journal.change = async (session, changed) => {
      if (changed.more !== undefined) await new Promise<void>((resolve) => (store = resolve));
      await change(session, changed);
    };
    const { hub, id } = await startWithSession({ journal });
    const sharing = hub.share(id, { may: "control" });
    await expect.poll(() => (store(), hub.shares(id))).toHaveLength(1);
    const { token, id: share } = await sharing;

    const revoking = hub.revoke(id, share);
    expect(await hub.userOf(token)).toBeUndefined();
    await expect.poll(async () => (store(), (await journal.describe(id))?.more)).not.toHaveProperty([`share:${share}`]);
    await revoking;
  });

  test("by another process ends its connections here", async () => {
    const { hub, id, journal } = await startWithSession();
    const share = await hub.share(id, { may: "watch" });
    const client = await joinRaw(hub, await hub.userOf(share.token));
    const other = otherHub(journal);
    await other.revoke(id, share.id);
    await client.closed;
  });

  test("by a hub of another process ends its connections here within a second, over files", async () => {
    const folder = createFolder();
    const clock = testClock();
    const { hub, id } = await startWithSession({ journal: openFiles(folder), clock });
    const [share, other] = [await hub.share(id, { may: "control" }), await hub.share(id, { may: "watch" })];
    const client = await joinRaw(hub, await hub.userOf(share.token));
    const stays = await joinRaw(hub, await hub.userOf(other.token));
    const closed = { client: false, stays: false };
    void client.closed.then(() => (closed.client = true));
    void stays.closed.then(() => (closed.stays = true));
    await clock.pass(1000);
    expect(closed).toEqual({ client: false, stays: false });

    await otherHub(openFiles(folder), clock).revoke(id, share.id);
    // At once, for whatever is asked.
    expect(await hub.userOf(share.token)).toBeUndefined();
    await clock.pass(1000);
    expect(closed).toEqual({ client: true, stays: false });
  });

  test("with its session ends its connections", async () => {
    const { hub, id } = await startWithSession();
    const share = await hub.share(id, { may: "control" });
    const client = await joinRaw(hub, await hub.userOf(share.token));
    await hub.remove(id);
    await client.closed;
  });

  test("before its connection opens ends that as well", async () => {
    const { hub, id } = await startWithSession();
    const share = await hub.share(id, { may: "control" });
    const user = await hub.userOf(share.token);
    await hub.revoke(id, share.id);
    const [near, far] = createMemoryTransportPair();
    near.start({ message: () => {}, issue: () => {}, closed: () => {} });
    await (await hub.agent({ agent: "test", user })).connect(far).closed;
  });
});

function otherHub(journal: TestHub["journal"], clock?: HubOptions["clock"]): Hub {
  return createHub({
    journal,
    clock,
    runtime: { spawnAgent: () => Promise.reject(new Error("none")), fileSystem: () => ({}), terminals: () => ({}) },
  });
}
