import { crash, end, type FakeAgentOptions, hangUp, raw, reply, say, type Step } from "@acp/testing";

import { expectThat, NotReached } from "../../engine/check.ts";
import { hostile } from "../client-check.ts";
import type { ClientCheck } from "../client-context.ts";
import { bytesOf, lastText, saying, startTurn } from "../turns.ts";

const tell =
  "Notice the end of the agent's process or of its stdout, fail what waits for an answer, and tell your user why: the exit code and the end of stderr.";

/** Deno and Bun close their stdout when they end, and not before: an agent that they play cannot hang up. */
const canHangUp = !("Deno" in globalThis || "Bun" in globalThis);
const keepsStdout = "Deno and Bun cannot close the stdout of an agent that goes on: run the check on Node.js";

/** Agents that die. */
export const dying: readonly ClientCheck[] = [
  dies(
    "dies-before-initialize",
    "before it answers initialize",
    { answers: { initialize: [crash({ stderr: "no key\n" })] } },
    "https://github.com/vmux-ai/vmux/pull/336",
  ),
  dies("dies-after-initialize", "right after initialize", {
    answers: {
      initialize: [reply({ protocolVersion: 1, capabilities: {}, info: { name: "a", version: "1" } }), crash()],
    },
  }),
  dies("dies-in-session-new", "while it opens a session", {
    answers: { "session/new": [crash({ signal: "SIGKILL" })] },
  }),
  diesInTurn(
    "dies-before-any-text",
    "in a turn, before it has said anything",
    [crash({ code: 3 })],
    "https://github.com/clawbench-dev/clawbench/pull/280",
  ),
  diesInTurn(
    "dies-after-text",
    "in a turn, after it has said something",
    [say("before4701 "), crash({ signal: "SIGKILL" })],
    "https://github.com/xenodium/acp.el/issues/10",
  ),
  diesInTurn("dies-in-half-a-message", "in the middle of a message", [
    say("before4701 "),
    raw('{"jsonrpc":"2.0","method":"session/up'),
    crash(),
  ]),
  diesInTurn(
    "ends-without-an-answer",
    "with exit code 0 in a turn that it has not answered",
    [say("before4701 "), crash({ code: 0 })],
    "https://github.com/NousResearch/hermes-agent/pull/47680",
  ),
  diesInTurn(
    "closes-its-stdout",
    "in a way that only its stdout is closed, and its process stays",
    [say("before4701 "), hangUp(), { hang: true }],
    "https://github.com/agentclientprotocol/codex-acp/pull/359",
  ),
  hostile({
    id: "ends-right-after-its-answer",
    title: "A client shows all that an agent said which has ended right after its answer",
    rules: ["TRAN-10", "PROM-12"],
    seen: "https://github.com/RyderFreeman4Logos/cli-sub-agent/pull/523",
    protocols: [1],
    mend: "Read the agent's stdout to its end after the process has ended.",
    async run(context) {
      const run = await startTurn(context, function* ({ sessionId }): Generator<Step, void> {
        const texts = Array.from({ length: 200 }, (_, index) =>
          saying(context, sessionId, `${"word ".repeat(200)}<${index}> `),
        );
        context.peer().write(bytesOf(context, ...texts));
        yield say(lastText);
        yield end();
        yield crash({ code: 0 });
      });
      await run.shows("<0>", "<199>", lastText);
      await run.ends();
    },
  }),
  hostile({
    id: "last-words-are-told",
    title: "A client tells its user what a dying agent has written to its stderr",
    rules: ["TRAN-08"],
    seen: "https://github.com/kdlbs/kandev/pull/2417",
    mend: "Keep the end of the agent's stderr, and show it when the agent dies.",
    async run(context) {
      const run = await startTurn(context, [crash({ code: 1, stderr: "the key 4711 is missing\n" })]);
      await run.endsWithReason();
      const told = `${run.program.shown()}\n${run.program.stderr()}`;
      expectThat(
        told.includes("the key 4711 is missing"),
        "Neither stdout nor stderr of the client has the last words of the agent",
      );
    },
  }),
];

function dies(id: string, when: string, options: FakeAgentOptions, seen?: string): ClientCheck {
  return hostile({
    id: `agent-${id}`,
    title: `A client ends, and says why, when its agent dies ${when}`,
    rules: ["TRAN-10"],
    seen,
    mend: tell,
    async run(context) {
      const run = await context.play([], options);
      await run.process();
      await run.endsWithReason();
    },
  });
}

function diesInTurn(id: string, when: string, steps: readonly Step[], seen?: string): ClientCheck {
  const texts = steps.some((step) => "say" in step) ? ["before4701"] : [];
  return hostile({
    id: `agent-${id}`,
    title: `A client ends, says why and shows what was said when its agent dies ${when}`,
    rules: ["TRAN-10"],
    seen,
    mend: tell,
    async run(context) {
      if (!canHangUp && steps.some((step) => "hangUp" in step)) throw new NotReached(keepsStdout);
      const run = await startTurn(context, steps);
      await run.shows(...texts);
      await run.endsWithReason(...texts);
    },
  });
}
