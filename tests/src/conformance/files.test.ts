import { readFileSync, symlinkSync, writeFileSync } from "node:fs";

import { fileSystem } from "@acp/node";
import { describe, expect, test } from "vitest";

import { rawAgent, rawClient } from "./harness/connect.ts";
import { agentThat, clientWith } from "./harness/definitions.ts";
import type { Message } from "./harness/raw-peer.ts";
import { referenceAgent, temporaryDirectory } from "./harness/reference.ts";

const done = { stopReason: "end_turn" } as const;
const lines = "one\ntwo\nthree\n";

/** A client with the files of a directory, and a way to call it as its agent. */
async function filesOf(
  cwd: string,
  options: Parameters<typeof fileSystem>[0] = {},
): Promise<(method: "read" | "write", path: string, more?: object) => Promise<Message>> {
  const { peer, agent } = await rawAgent(clientWith({ ...fileSystem(options) }));
  const { id: sessionId } = await agent.newSession({ cwd });
  return (method, path, more = {}) => peer.call(`fs/${method}_text_file`, { sessionId, path, ...more });
}

describe("an agent", () => {
  test.each([
    [{ fs: { readTextFile: true } }, "of the editor"],
    [{ fs: { writeTextFile: true } }, "of the disk"],
  ])("FS-01: looks at %j, and then reads the text %s", async (capabilities, text) => {
    const { peer } = referenceAgent();
    const cwd = temporaryDirectory();
    writeFileSync(`${cwd}/note.txt`, "of the disk");
    await peer.initialize(capabilities);
    peer.answerAlways({ "fs/read_text_file": { content: "of the editor" } });
    await peer.prompt(await peer.newSession({ cwd }), "read note.txt");
    const asked = text === "of the editor" ? [{ params: { path: `${cwd}/note.txt` } }] : [];
    expect(peer.calls("fs/read_text_file")).toMatchObject(asked);
    expect(JSON.stringify(peer.updates)).toContain(text);
  });

  test.each([
    [{}, []],
    [{ fs: {} }, []],
    [{ fs: { readTextFile: false, writeTextFile: false } }, []],
    [{ fs: { readTextFile: true } }, ["fs/read_text_file"]],
    [{ fs: { writeTextFile: true } }, ["fs/write_text_file"]],
  ])("FS-02, CHK-02: calls for a client that advertised %j the file methods %j", async (capabilities, called) => {
    const problems: unknown[] = [];
    const peer = await rawClient(
      agentThat(async (_, { client }) => {
        await client.request("fs/read_text_file", { path: "/a" }).catch((error: unknown) => problems.push(error));
        await client
          .request("fs/write_text_file", { path: "/a", content: "" })
          .catch((error: unknown) => problems.push(error));
        return done;
      }),
    );
    peer.answerAlways({ "fs/read_text_file": { content: "" }, "fs/write_text_file": {} });
    await peer.prompt(await peer.open(capabilities));
    expect(peer.received.map(({ method }) => method).filter((method) => method?.startsWith("fs/"))).toEqual(called);
    expect(problems).toHaveLength(2 - called.length);
    for (const problem of problems) expect(problem).toMatchObject({ code: "missing_capability" });
  });

  test("FS-06: takes null for an empty answer to a write", async () => {
    const peer = await rawClient(
      agentThat(async (_, { client }) => {
        await client.request("fs/write_text_file", { path: "/project/a", content: "" });
        return done;
      }),
    );
    const prompt = peer.startPrompt(await peer.open({ fs: { writeTextFile: true } }));
    peer.reply(await peer.next("fs/write_text_file"), null);
    expect((await peer.answerTo(prompt)).result).toEqual(done);
  });

  test.each(["fs/read_text_file", "fs/write_text_file"] as const)(
    "FS-07: does not call %s with a path that is not absolute",
    async (method) => {
      const peer = await rawClient(
        agentThat(async (_, { client }) => {
          await client.request(method, { path: "note.txt", content: "" });
          return done;
        }),
      );
      await peer.prompt(await peer.open({ fs: { readTextFile: true, writeTextFile: true } }));
      expect(peer.calls(method)).toEqual([]);
    },
  );
});

describe("a client", () => {
  test("FS-03: reads the text as its editor has it, saved or not", async () => {
    const cwd = temporaryDirectory();
    for (const name of ["open.txt", "closed.txt"]) writeFileSync(`${cwd}/${name}`, "saved");
    const files = await filesOf(cwd, {
      readOverlay: (path) => (path.endsWith("open.txt") ? "not saved" : undefined),
    });
    expect((await files("read", `${cwd}/open.txt`)).result).toEqual({ content: "not saved" });
    expect((await files("read", `${cwd}/closed.txt`)).result).toEqual({ content: "saved" });
  });

  test.each([
    [{}, lines],
    [{ line: 1, limit: 1 }, "one\n"],
    [{ line: 2 }, "two\nthree\n"],
    [{ limit: 2 }, "one\ntwo\n"],
    [{ line: 2, limit: 1 }, "two\n"],
    [{ line: 9, limit: 1 }, ""],
    [{ line: null, limit: null }, lines],
  ])("FS-04, CONV-03: reads with %j", async (range, content) => {
    const cwd = temporaryDirectory();
    writeFileSync(`${cwd}/a.txt`, lines);
    expect((await (await filesOf(cwd))("read", `${cwd}/a.txt`, range)).result).toEqual({ content });
  });

  test("FS-05, FS-06: writes a file that does not exist, and answers an empty object", async () => {
    const cwd = temporaryDirectory();
    const files = await filesOf(cwd);
    expect((await files("write", `${cwd}/new/a.txt`, { content: lines })).result).toEqual({});
    expect(readFileSync(`${cwd}/new/a.txt`, "utf8")).toBe(lines);
  });

  test("FS-07: refuses a path that is not absolute", async () => {
    const files = await filesOf(temporaryDirectory());
    expect((await files("read", "a.txt")).error?.code).toBe(-32602);
    expect((await files("write", "./a.txt", { content: "" })).error?.code).toBe(-32602);
  });

  test("FS-08, CHK-05: lets nothing out of the session's directory, nor in", async () => {
    const [cwd, outside] = [temporaryDirectory(), temporaryDirectory()];
    writeFileSync(`${outside}/secret`, "hidden");
    symlinkSync(`${outside}/secret`, `${cwd}/link`);
    const files = await filesOf(cwd);
    for (const path of [`${outside}/secret`, `${cwd}/../${outside.split("/").at(-1)}/secret`, `${cwd}/link`]) {
      expect((await files("read", path)).error).toBeDefined();
      expect((await files("write", path, { content: "changed" })).error).toBeDefined();
    }
    expect(readFileSync(`${outside}/secret`, "utf8")).toBe("hidden");
  });
});
