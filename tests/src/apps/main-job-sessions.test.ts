import { describe, expect, test } from "vitest";

import { clientProgram, referenceAgent, temporaryDirectory } from "../support/main-job-programs.ts";
import { Terminal } from "../support/terminal/terminal.ts";

describe("sessions in a terminal", () => {
  test("LIST-15, LIST-16: are listed, loaded with their history, resumed, closed and deleted", async () => {
    using directory = temporaryDirectory();
    const terminal = new Terminal(directory.path, [clientProgram, "--plain", ...referenceAgent], { NO_COLOR: "1" });
    const say = async (line: string, ...seen: readonly RegExp[]): Promise<string> => {
      await terminal.sees(/> $/u);
      terminal.type(`${line}\r`);
      let text = "";
      for (const pattern of seen) text += await terminal.sees(pattern);
      return text;
    };
    await say("/sessions", /\* 1 \(no title\) {2}\S+\n/u);
    await say("plan", /■ end_turn/u);
    const listed = await say("/sessions", /\* 1 plan {2}\d{4}-\S+Z {2}(?<id>\S+)\n/u);
    const first = /\* 1 plan {2}\S+ {2}(\S+)/u.exec(listed)?.[1] ?? "";
    await say("/new", /Session \S+\n/u);
    await say("help", /■ end_turn/u);
    await say("/sessions", / {2}1 plan {2}/u, /\* 2 help {2}/u);
    await say("/load 1", new RegExp(`Session ${first}`, "u"));
    await say("/close", /Closed plan\. The next prompt opens a new session\n/u);
    // The agent shows the history of one that is not open.
    await say(
      "/load 1",
      new RegExp(`Session ${first}`, "u"),
      /> ?plan|plan\n/u,
      /This is how I go about a failing test/u,
    );
    await say("/resume 2", /Session \S+ {2}help\n/u);
    await say("/delete", /Which session\? \/delete takes an id/u);
    await say("/delete 1", new RegExp(`Deleted ${first}\n`, "u"));
    const left = await say("/sessions", /\* \d help {2}[^\n]*\n/u, /> $/u);
    expect(left).not.toContain(first);
    terminal.type("/delete nonsense\r");
    await terminal.sees(/Deleted nonsense\n/u);
    await say("/close", /Closed help\. The next prompt opens a new session\n/u);
    // And nothing else opens one.
    await say("/sessions", / {2}1 help {2}/u);
    await say("/close", /No session is open/u);
    await say("plan", /■ end_turn/u);
    await say("/sessions", /\* 1 plan {2}/u, / {2}2 help {2}/u);
    await say("/load nonsense", /session\/load: No such session: nonsense \(-32002\)/u);
    await say("/quit");
    expect(await terminal.ended).toBe(0);
  });
});
