// The commands of the guide's pages about the hub, as a user types them.
import { execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

import { createClient, createWebSocketTransport } from "@acp/core";
import { expect, onTestFinished, test } from "vitest";

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

/** The first block of a language in the page about running a hub. */
function blockOf(language: string, holds = ""): string {
  const text = readFileSync(join(root, "docs/guide/run-a-hub.md"), "utf8");
  const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gmsu"))];
  return blocks.map(([, code = ""]) => code).find((code) => code.includes(holds)) ?? "";
}

test.runIf(process.platform === "linux")(
  "the command of the container serves who has the token (Linux: /proc)",
  async () => {
    const { cwd, folder } = createTestHub({}, "node24", "state");
    const [, words = ""] = / my-image acp (.+)$/mu.exec(blockOf("text", "docker run")) ?? [];
    expect(words).toContain("--folder /state --host 0.0.0.0 --port 8080");
    const args = words.replace("/state", folder).replace("8080", "0").split(" ");
    const config = join(cwd, "config", "acp");
    mkdirSync(config, { recursive: true });
    const counting = { command: process.execPath, args: [agentProgram, "--pace", "0"] };
    writeFileSync(join(config, "config.json"), JSON.stringify({ agents: { counting } }));
    const env = {
      ...process.env,
      HOME: cwd,
      XDG_CONFIG_HOME: join(cwd, "config"),
      ACP_TOKEN: "token-of-the-container",
    };
    const hub = spawn(process.execPath, [clientProgram, ...args], { cwd, env, stdio: ["ignore", "ignore", "pipe"] });
    onTestFinished(() => void hub.kill());
    let said = "";
    hub.stderr.on("data", (chunk) => (said += String(chunk)));
    await expect.poll(() => said).toMatch(/HTTP: +http:\/\/[^\s]+:(\d+)\/acp/u);
    const port = /HTTP: +http:\/\/[^\s]+:(\d+)\/acp/u.exec(said)?.[1];

    const connect = async (token: string): Promise<string> => {
      const url = `ws://127.0.0.1:${port}/acp?agent=counting&token=${token}`;
      const client = createClient({ info: { name: "outside", version: "1.0.0" } });
      const agent = await client.connect(createWebSocketTransport(url));
      const session = await agent.newSession({ cwd });
      const { stopReason } = await session.prompt("hello").response;
      await agent.close();
      return stopReason;
    };
    await expect(connect("another")).rejects.toThrow();
    expect(await connect("token-of-the-container")).toBe("end_turn");
    expect(existsSync(join(folder, "sessions"))).toBe(true);
  },
);

test("the unit of systemd is one (if systemd-analyze is there), and that of launchd has what it needs", async ({
  skip,
}) => {
  const plist = blockOf("xml");
  const pairs = [...plist.matchAll(/<key>(\w+)<\/key>\s*<(\w+)/gu)].map(([, key, type]) => [key, type]);
  expect(Object.fromEntries(pairs)).toEqual({
    Label: "string",
    ProgramArguments: "array",
    RunAtLoad: "true",
    AbandonProcessGroup: "true",
  });
  const { cwd } = createTestHub();
  const verify = promisify(execFile);
  const isThere = await verify("systemd-analyze", ["--version"]).catch(() => undefined);
  if (isThere === undefined) skip("systemd-analyze is not on the path");
  mkdirSync(join(cwd, ".local/bin"), { recursive: true });
  writeFileSync(join(cwd, ".local/bin/acp"), "#!/bin/sh\n", { mode: 0o700 });
  const env = { ...process.env, HOME: cwd, XDG_RUNTIME_DIR: cwd };
  const verified = async (name: string, text: string): Promise<string> => {
    const path = join(cwd, name);
    writeFileSync(path, text);
    return (await verify("systemd-analyze", ["verify", "--user", path], { env })).stderr;
  };
  expect(await verified("acp-hub.service", blockOf("ini"))).not.toContain("acp-hub.service");
  const wrong = blockOf("ini").replace("KillMode=process", "KillMode=proces");
  expect(await verified("wrong.service", wrong)).toContain("wrong.service");
});
