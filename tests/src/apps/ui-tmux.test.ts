// tmux keeps what a program erases from the first row on as history (`scroll-on-clear`): old frames must not get there.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { clientProgram, temporaryDirectory } from "../support/main-job-programs.ts";
import { scriptedAgent } from "../support/scripted-agent.ts";
import { Tmux, tmuxVersion } from "../support/terminal/tmux.ts";

const hasTmux = tmuxVersion !== undefined && tmuxVersion >= 3.3;
const reason = hasTmux ? "" : " (skipped: tmux 3.3 or newer is not installed)";

/** Each turn says numbered lines, runs a call with output, asks, and goes on when it is told to. */
const turn = `
  const call = (status, output) => update({
    sessionUpdate: status === "pending" ? "tool_call" : "tool_call_update", toolCallId: text, title: "Build " + text, kind: "execute", status,
    content: output === undefined ? undefined : [{ type: "content", content: { type: "text", text: output } }],
  });
  update({ sessionUpdate: "plan", entries: [1, 2, 3].map((n) => ({ content: "Step " + n + " of " + text, priority: "high", status: "pending" })) });
  for (let n = 0; n < 30; n += 1) say("Line " + n + " of " + text + ".\\n\\n");
  await until("streamed " + text);
  for (let n = 30; n < 40; n += 1) say("Line " + n + " of " + text + ".\\n\\n");
  call("pending");
  call("in_progress", Array.from({ length: 40 }, (_, n) => "output " + n).join("\\n"));
  say("Asked: " + (await permission("Edit " + text, [
    { optionId: "y", name: "Yes", kind: "allow_once" },
    { optionId: "n", name: "No", kind: "reject_once" },
  ])) + " in " + text);
  call("completed");
  update({ sessionUpdate: "plan", entries: [1, 2, 3].map((n) => ({ content: "Step " + n + " of " + text, priority: "high", status: "completed" })) });
  end("end_turn");`;

/** How often a text is in another one. */
function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

describe.runIf(hasTmux).each([
  [80, 24],
  [40, 14],
  [120, 40],
])(`in tmux at %ix%i${reason}`, (columns, rows) => {
  test.each([false, true])("the history has each line once (resized in the stream: %s)", async (isResized) => {
    using directory = temporaryDirectory();
    const command = [process.execPath, clientProgram, "--cwd", directory.path, ...scriptedAgent(directory.path, turn)];
    const allow = (name: string): void => writeFileSync(join(directory.path, name), "");
    const home = { XDG_STATE_HOME: directory.path, XDG_CONFIG_HOME: directory.path, XDG_CACHE_HOME: directory.path };
    using tmux = new Tmux(["sh", "-c", 'cd "$0" && exec "$@"', directory.path, ...command], columns, rows, home);
    await tmux.shows(/Type a prompt/u);
    for (const name of ["one", "two"]) {
      tmux.type(name, "Enter");
      await tmux.shows(new RegExp(`Line 29 of ${name}`, "u"));
      if (isResized) {
        tmux.resize(columns - 8, rows - 2);
        // What is drawn from now on is drawn for that size.
        tmux.type("x");
        await tmux.shows(/> x/u);
        tmux.type("BSpace");
      }
      allow(`streamed ${name}`);
      await tmux.shows(/1 Allow once/u);
      tmux.type("1");
      await tmux.shows(new RegExp(`Asked: y in ${name}[^]*Type a prompt`, "u"));
      if (isResized) tmux.resize(columns, rows);
    }
    tmux.type("/quit", "Enter");
    await tmux.shows(/exit code 0/u);
    const { history } = tmux;
    for (const name of ["one", "two"]) {
      for (let n = 0; n < 40; n += 1) expect(count(history, `Line ${n} of ${name}.`), `line ${n} of ${name}`).toBe(1);
      expect(count(history, `❯ ${name}\n`)).toBe(1);
      expect(count(history, `✓ Build ${name}`)).toBe(1);
      expect(count(history, `Build ${name}`)).toBe(1);
      expect(count(history, `Asked: y in ${name}`)).toBe(1);
    }
    for (const gone of ["Type a prompt", "Enter queues", "1 Allow once", "↕ ", "⠋", "▸"])
      expect(count(history, gone), gone).toBe(0);
  });
});
