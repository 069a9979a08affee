import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type PostgresServer, startPostgres } from "../../../packages/hub/test/support/postgres-server.ts";
import { findPostgres } from "../../../packages/hub/test/support/programs.ts";
import { createTestHub } from "./support/hub-programs.ts";

const bin = findPostgres();
/** Each hub has a folder of its own, as on two machines; the journal is the same. */
describe.skipIf(bin === undefined || process.platform !== "linux")(
  "two hubs with one journal (needs PostgreSQL on the path, or a package that has it, and /proc)",
  () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres(bin ?? "");
    });
    afterAll(() => server.stop());

    test("clients of both share a session, and its questions", async () => {
      const env = { ACP_JOURNAL: server.url };
      const [here, there] = [createTestHub(env), createTestHub(env)];
      // Without a handler, it would refuse what the other one allows.
      const first = await here.attach({ "session/request_permission": () => new Promise(() => {}) });
      const session = await first.agent.newSession({ cwd: here.cwd });
      await session.prompt("count 20").response;
      const second = await there.attach({
        "session/request_permission": () => ({ outcome: { outcome: "selected", optionId: "allow" } }),
      });
      const same = await second.agent.loadSession({ sessionId: session.id, cwd: here.cwd });
      expect(second.text()).toBe(first.text());

      expect(await same.prompt("pid").response).toEqual({ stopReason: "end_turn" });
      await expect.poll(() => first.text()).toBe(second.text());
      expect(await session.prompt("ask").response).toEqual({ stopReason: "end_turn" });
      expect(first.text()).toMatch(/allow$/u);
      // There is one agent: that of the machine where the session was made.
      expect(there.keepers()).toEqual([]);
    });

    test("a session goes on where somebody asks for it, when its machine has died", async () => {
      const env = { ACP_JOURNAL: server.url };
      const [here, there] = [createTestHub(env), createTestHub(env)];
      const first = await here.attach();
      const session = await first.agent.newSession({ cwd: here.cwd });
      session.prompt("hold").response.catch(() => {});
      await expect.poll(() => first.text()).toContain("holding");
      const second = await there.attach();
      const same = await second.agent.loadSession({ sessionId: session.id, cwd: here.cwd });

      here.killAll();

      // The lease of the dead keeper has to end first.
      expect(await same.prompt("again").response).toEqual({ stopReason: "end_turn" });
      expect(second.text()).toContain("echo again");
      expect(there.keepers().length).toBe(1);
    });
  },
);
