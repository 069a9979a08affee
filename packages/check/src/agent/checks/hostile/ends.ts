import { CheckFailure, expectThat, NotApplicable } from "../../../engine/check.ts";
import { hostile, should } from "../../agent-check.ts";
import type { AgentCheck, AgentContext, StartedAgent } from "../../agent-context.ts";
import { asking, busy, played } from "../../agent-turns.ts";

/** Closes the agent's stdin and expects it to end by itself. */
async function expectEndsWithInput({ settings }: AgentContext, client: StartedAgent, what: string): Promise<void> {
  const { program } = client;
  if (program === undefined) throw new NotApplicable("The agent is reached over a network");
  const { timeout } = settings;
  void program.close();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const otherwise = `It still runs ${timeout / 1000} s after its stdin ended ${what}`;
    timer = setTimeout(() => reject(new CheckFailure(otherwise)), timeout);
  });
  const { signal } = await Promise.race([program.exited, late]).finally(() => clearTimeout(timer));
  expectThat(signal === null, `When its stdin ended ${what}, it died of ${signal}`);
}

/** The end of the input, at each step. */
export const ends: readonly AgentCheck[] = [
  should({
    id: "ends-with-its-input",
    title: "An agent ends when its stdin ends",
    rules: ["TRAN-10"],
    seen: "https://github.com/agentclientprotocol/claude-agent-acp/issues/325",
    mend: "Exit when stdin ends. Editors crash too, and nobody else ends the agent then.",
    async run(context) {
      const opened = await played(context);
      await expectEndsWithInput(context, opened.client, "after a turn");
    },
  }),
  hostile({
    id: "input-ends-before-initialize",
    title: "An agent ends if its stdin ends before anything has come",
    mend: "Exit when stdin ends, also if nothing was ever read.",
    run: async (context) => expectEndsWithInput(context, await context.start(), "before initialize"),
  }),
  hostile({
    id: "input-ends-after-initialize",
    title: "An agent ends if its stdin ends right after initialize",
    seen: "https://github.com/agentclientprotocol/claude-agent-acp/pull/530",
    mend: "Exit when stdin ends.",
    async run(context) {
      const { client } = await context.initialize();
      await expectEndsWithInput(context, client, "after initialize");
    },
  }),
  hostile({
    id: "input-ends-in-mid-turn",
    title: "An agent ends if its stdin ends in the middle of a turn",
    seen: "https://github.com/can1357/oh-my-pi/issues/4788",
    mend: "Cancel what runs when stdin ends, and exit.",
    async run(context) {
      const { client } = await busy(context);
      await expectEndsWithInput(context, client, "in the middle of a turn");
    },
  }),
  hostile({
    id: "input-ends-with-an-open-question",
    title: "An agent ends if its stdin ends while it waits for permission",
    mend: "Nobody will answer any more when stdin has ended: drop the question, and exit.",
    async run(context) {
      const { client } = await asking(context);
      await expectEndsWithInput(context, client, "while it waited for permission");
    },
  }),
  hostile({
    id: "input-ends-in-mid-line",
    title: "An agent ends if its stdin ends in the middle of a message",
    mend: "Leave out what is left of a message when stdin ends, and exit.",
    async run(context) {
      const { client } = await context.initialize();
      client.peer.write('{"jsonrpc":"2.0","id":"cut","method":"session/n');
      await expectEndsWithInput(context, client, "in the middle of a message");
    },
  }),
];
