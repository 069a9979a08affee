// Draws `docs/acp.svg`: `acp` with the reference agent, at the moment at which the agent asks for permission.
// `npm run picture` builds everything and runs this.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";

import { terminalSvg } from "./terminal-svg.ts";

const size = { cols: 96, rows: 34 };
const apps = fileURLToPath(new URL("../..", import.meta.url));
const target = fileURLToPath(new URL("../../../docs/acp.svg", import.meta.url));

const directory = realpathSync(mkdtempSync(join(tmpdir(), "acp-picture-")));
const project = join(directory, "shop");
cpSync(join(apps, "client", "sample"), project, { recursive: true });
const state = join(directory, "state");
const program = spawn(
  process.execPath,
  [join(apps, "client/dist/main.js"), "--", process.execPath, join(apps, "agent/dist/main.js"), "--pace", "10"],
  {
    ...size,
    cwd: project,
    name: "xterm-256color",
    env: { ...process.env, COLORTERM: "truecolor", XDG_STATE_HOME: state, XDG_CONFIG_HOME: state, NO_COLOR: "" },
  },
);
const terminal = new xterm.Terminal({ ...size, allowProposedApi: true });
terminal.onData((text) => program.write(text));
program.onData((text) => terminal.write(text));

/** What the terminal shows. */
function screen(): string {
  const { active } = terminal.buffer;
  return Array.from({ length: size.rows }, (_, row) =>
    active.getLine(active.viewportY + row)?.translateToString(true),
  ).join("\n");
}

/** Waits until the screen shows a text. */
function shows(text: string | RegExp): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (screen().search(text) < 0) return;
      listener.dispose();
      resolve();
    };
    const listener = terminal.onWriteParsed(look);
    look();
  });
}

try {
  await shows(/reference|agent/iu);
  program.write("Fix the failing test\r");
  await shows(/allow once/iu);
  // The frame with the question is complete.
  await new Promise((resolve) => setTimeout(resolve, 500));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, terminalSvg(terminal, "acp").replaceAll(directory, "/home/me"));
  console.log(`Wrote ${target}`);
} finally {
  program.kill();
  rmSync(directory, { recursive: true, force: true });
}
