// The commands of the guide's pages about the hub, as a user types them.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { agentProgram, clientProgram } from "../support/main-job-programs.ts";
import { root } from "../support/packages.ts";
import { createTestHub } from "./support/hub-programs.ts";

const pages = ["sessions-that-outlive-clients", "answer-questions-from-your-phone"];

test.runIf(process.platform === "linux")("the commands of the guide run (Linux: /proc)", async () => {
  const { cwd } = createTestHub({}, "node24", "state/acp/hub");
  const file = (path: string, text: string): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
    chmodSync(join(cwd, path), 0o700);
  };
  file("bin/acp", `#!/bin/sh\nexec "${process.execPath}" "${clientProgram}" "$@"\n`);
  const codex = { command: process.execPath, args: [agentProgram, "--pace", "0"] };
  file("config/acp/config.json", JSON.stringify({ agents: { codex } }));
  const env = {
    HOME: cwd,
    PATH: [join(cwd, "bin"), process.env["PATH"]].join(delimiter),
    XDG_STATE_HOME: join(cwd, "state"),
    XDG_CONFIG_HOME: join(cwd, "config"),
  };
  const shell = async (lines: string): Promise<string> =>
    (await promisify(execFile)("sh", ["-ec", lines], { cwd, env })).stdout;
  const blocks = pages.map((page) => {
    const text = readFileSync(join(root, `docs/guide/${page}.md`), "utf8");
    return [...text.matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, code = ""]) => code);
  });
  const [outlive = [], phone = []] = blocks;

  const [opens = "", ...looksAfter] = outlive;
  expect(await shell(opens)).toContain("I have no language model");
  const looked = await shell(looksAfter.join(""));
  expect(looked).toMatch(/ codex +idle /u);
  expect(looked).toMatch(/^Keeper +runs$/mu);
  expect(looked).toMatch(/ agent .*I have no language model/u);
  expect(looked).toMatch(/^\d+ entries, now \d+$/mu);
  expect(await shell("acp hub ls")).toBe("The hub has no sessions\n");

  await shell(opens);
  const [token = "", listed = ""] = (await shell(phone.join(""))).split("\n");
  expect(token.length).toBeGreaterThan(30);
  expect(listed).toMatch(/ answer +until .+Ada's phone$/u);
});
