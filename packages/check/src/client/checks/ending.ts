import { at, say } from "@acp/testing";

import { expectThat } from "../../engine/check.ts";
import { hostile, must } from "../client-check.ts";
import type { ClientCheck } from "../client-context.ts";
import { lastText, startTurn } from "../turns.ts";

/** The checks of how a client and its agent end. */
export const ending: readonly ClientCheck[] = [
  must({
    id: "agent-ends-with-its-client",
    title: "A client that is done ends, and its agent with it",
    rules: ["TRAN-10"],
    seen: "https://github.com/zed-industries/zed/issues/56146",
    mend: "Close the agent's stdin when you end, and wait for the agent. Let no other process inherit that pipe.",
    async run(context) {
      const run = await startTurn(context, [say(lastText)]);
      const { inputEnded } = await run.process();
      await run.shows(lastText);
      await run.endsWell();
      await inputEnded;
    },
  }),
  hostile({
    id: "agent-stays-behind",
    title: "A client ends an agent that does not end when its stdin is closed",
    rules: ["TRAN-10"],
    seen: "https://github.com/agentclientprotocol/claude-agent-acp/pull/530",
    mend: "Send SIGTERM to an agent, and to all that it has started, if it still runs some seconds after its stdin was closed.",
    async run(context) {
      const run = await startTurn(context, [say(lastText)], { onInputEnd: "stay" });
      await run.shows(lastText);
      await run.ends();
    },
  }),
  hostile({
    id: "agent-ignores-signals",
    title: "A client kills an agent that ignores the end of its stdin and SIGTERM",
    rules: ["TRAN-10"],
    seen: "https://github.com/openclaw/openclaw/issues/89007",
    mend: "Send SIGKILL to an agent that still runs some seconds after SIGTERM.",
    async run(context) {
      const run = await startTurn(context, [say(lastText)], { onInputEnd: "stay" }, { ignoresSignals: true });
      await run.shows(lastText);
      await run.ends();
    },
  }),
  hostile({
    id: "initialize-is-never-answered",
    title: "A user gets out of the start of an agent that never answers initialize, and no agent is left running",
    rules: ["TRAN-10"],
    seen: "https://github.com/zed-industries/zed/pull/43663",
    mend: "Let your user cancel while the agent starts, or give up after a time, and end the agent.",
    async run(context) {
      const run = await context.play([], { answers: { initialize: [{ hang: true }] } });
      const { peer } = await run.process();
      await run.within(peer.next("initialize"), "initialize has not come");
      run.cancel();
      const { signal, exitCode } = await run.endsOnCancel();
      expectThat(
        signal !== null || exitCode !== 0 || run.program.shown() !== "",
        "The client ended as if all were well, and said nothing",
      );
    },
  }),
  hostile({
    id: "session-is-never-opened",
    title: "A user gets out of an agent that never answers session/new, and no agent is left running",
    rules: ["TRAN-10"],
    seen: "https://github.com/OpenHands/software-agent-sdk/issues/3629",
    mend: "Let your user cancel while a session opens, or give up after a time, and end the agent.",
    async run(context) {
      const run = await context.play([], { answers: { "session/new": [{ hang: true }] } });
      const { peer } = await run.process();
      const opened = await run.within(peer.next("session/new"), "session/new has not come");
      expectThat(at(opened, "id") !== undefined, "session/new came as a notification");
      run.cancel();
      await run.endsOnCancel();
    },
  }),
];
