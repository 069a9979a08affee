import { expectThat } from "../../../engine/check.ts";
import { findFaults, type MessageFaults } from "../../../engine/message-faults.ts";
import { quote } from "../../../engine/quote.ts";
import { expectGoesOn, must, should } from "../../agent-check.ts";
import type { AgentCheck, AgentContext } from "../../agent-context.ts";
import { played, playShort, playToItsEnd, promptsFor } from "../../agent-turns.ts";

/** Rules that the schema has, or the order of messages. */
const rules = [
  [
    "RPC-01",
    "RPC-02",
    "CONV-05",
    "INIT-05",
    "AUTH-01",
    "SESS-08",
    "MODE-01",
    "MODE-05",
    "CONF-11",
    "CONF-15",
    "CMD-02",
  ],
  ["UPD-01", "UPD-02", "UPD-03", "UPD-06", "CONT-01", "CONT-03", "CONT-04", "EXT-01", "NOTC-01", "NOTC-02"],
  ["TOOL-02", "TOOL-03", "TOOL-04", "TOOL-05", "TOOL-09", "PERM-02", "PERM-03", "PLAN-02", "PLAN-06", "PROM-10"],
].flat();

/** Whether what an agent sends is right, letter by letter. */
export const messages: readonly AgentCheck[] = [
  must({
    id: "messages-are-valid",
    title: "All messages of a polite session fit the schema and come in the right order",
    rules,
    mend: "Compare the message with the schema of the protocol. acp inspect shows such findings in any session.",
    async run(context) {
      const { wrong } = await faultsOf(context);
      expectThat(wrong.length === 0, `A message is wrong: ${wrong[0]}`);
    },
  }),
  should({
    id: "no-names-of-its-own",
    title: "An agent has its own data in _meta, and begins its own values with an underscore",
    rules: ["EXT-02"],
    mend: "Put members of your own into _meta, and begin values of your own with _. If the name is that of a newer draft of the protocol, all is well: take this check into your list of known failures.",
    async run(context) {
      const { unknown } = await faultsOf(context);
      expectThat(unknown.length === 0, `A message has a name that this version of the protocol has not: ${unknown[0]}`);
    },
  }),
  must({
    id: "stdout-has-only-messages",
    title: "An agent writes nothing but messages to its stdout, each on a line of its own",
    rules: ["TRAN-01", "TRAN-04", "TRAN-05", "TRAN-06", "TRAN-17"],
    seen: "https://github.com/anomalyco/opencode/issues/13634",
    mend: "Write logs to stderr, also those of libraries and of what starts your agent, and each message as one line of UTF-8.",
    async run(context) {
      const opened = await played(context);
      await expectGoesOn(context, opened.client, "a turn");
      const { issues, traffic } = opened.client.peer;
      const noise = traffic.find(({ direction, message }) => direction === "received" && message === undefined);
      expectThat(issues.length === 0 && noise === undefined, `It wrote ${quote(noise?.text ?? issues)} to its stdout`);
    },
  }),
];

/** What is wrong with the messages of a session with all prompts. */
async function faultsOf(context: AgentContext): Promise<MessageFaults> {
  const opened = await context.open();
  const { client, sessionId } = opened;
  await playShort(context, opened);
  for (const kind of ["long", "permission", "read"] as const)
    for (const text of promptsFor(context, kind)) await playToItsEnd(client.prompt(text, sessionId), kind === "long");
  await expectGoesOn(context, client, "a turn");
  return findFaults(client.peer.traffic, "agent");
}
