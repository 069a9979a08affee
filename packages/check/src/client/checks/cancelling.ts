import { at, end, fail, hang, pause, say, type Step, textAt, waitFor } from "@acp/testing";

import { expectThat, NotReached } from "../../engine/check.ts";
import type { ClientCheck, ClientContext, ClientRun } from "../client-context.ts";
import { lastText } from "../turns.ts";

/** The checks of how a user stops a turn. */
export const cancelling: readonly ClientCheck[] = [
  {
    id: "cancel-is-a-notification",
    side: "client",
    title: "session/cancel is a notification that names the session, sent once",
    level: "must",
    rules: ["CANC-01"],
    mend: 'Send {"method": "session/cancel", "params": {"sessionId": …}} without an id.',
    async run(context) {
      const run = await cancelled(context, [say("first4701 "), waitFor("session/cancel"), end("cancelled")]);
      const peer = context.peer();
      await run.ends();
      const cancels = peer.calls("session/cancel");
      const [cancel] = cancels;
      expectThat(
        cancel !== undefined && !("id" in cancel),
        `session/cancel came as a request: ${JSON.stringify(cancel)}`,
      );
      const sessionId = textAt(peer.calls("session/prompt")[0], "params", "sessionId");
      expectThat(
        at(cancel, "params", "sessionId") === sessionId,
        `session/cancel names another session: ${JSON.stringify(cancel)}`,
      );
      expectThat(cancels.length === 1, `session/cancel came ${cancels.length} times`);
    },
  },
  {
    id: "text-after-the-cancel",
    side: "client",
    title: "A client that has cancelled still shows what comes before the turn has ended",
    level: "should",
    rules: ["CANC-09"],
    seen: "https://github.com/can1357/oh-my-pi/issues/1113",
    mend: "After session/cancel, take updates until session/prompt is answered.",
    async run(context) {
      const run = await cancelled(context, [
        say("first4701 "),
        waitFor("session/cancel"),
        say("after4702 ", { after: 50 }),
        end("cancelled"),
      ]);
      await run.shows("after4702");
      await run.ends();
    },
  },
  {
    id: "cancel-is-answered-late",
    side: "client",
    title: "A client waits for the end of a cancelled turn that takes a moment",
    level: "hostile",
    rules: ["CANC-09"],
    seen: "https://github.com/iOfficeAI/AionCore/pull/461",
    mend: "Wait some seconds for the answer to session/prompt after session/cancel.",
    async run(context) {
      const run = await cancelled(context, [
        say("first4701 "),
        waitFor("session/cancel"),
        pause(400),
        say(lastText),
        end("cancelled"),
      ]);
      await run.shows(lastText);
      await run.ends();
    },
  },
  {
    id: "cancel-is-ignored",
    side: "client",
    title: "A user gets out of a turn whose agent ignores session/cancel, and no agent is left running",
    level: "hostile",
    rules: ["CANC-05"],
    seen: "https://github.com/getpaseo/paseo/pull/4719",
    mend: "End the agent if it does not end the turn some seconds after session/cancel, or let a second cancel do it.",
    async run(context) {
      const run = await cancelled(context, [say("first4701 "), hang()]);
      await run.endsOnCancel();
    },
  },
  {
    id: "cancel-ends-as-end-turn",
    side: "client",
    title: "A client takes another end than cancelled for a turn that it has cancelled",
    level: "hostile",
    rules: ["CANC-05"],
    seen: "https://github.com/github/copilot-cli/issues/4561",
    mend: "The turn has ended with the answer to session/prompt, whatever its reason.",
    async run(context) {
      const run = await cancelled(context, [say("first4701 "), waitFor("session/cancel"), end("end_turn")]);
      await run.ends();
    },
  },
  {
    id: "cancel-ends-as-an-error",
    side: "client",
    title: "A client takes an error for the end of a turn that it has cancelled",
    level: "hostile",
    rules: ["CANC-06"],
    mend: "Show a turn that fails after session/cancel as cancelled.",
    async run(context) {
      const run = await cancelled(context, [
        say("first4701 "),
        waitFor("session/cancel"),
        fail("The operation was aborted"),
      ]);
      await run.ends();
    },
  },
];

/** Plays a turn that the user cancels once its first text is shown. */
async function cancelled(context: ClientContext, steps: readonly Step[]): Promise<ClientRun> {
  const run = await context.play(steps, { onCancel: "ignore" });
  await run.prompted();
  await run.shows("first4701");
  run.cancel();
  await run.within(context.peer().next("session/cancel"), "session/cancel").catch(() => {
    throw new NotReached("The client was told to cancel, and sent no session/cancel");
  });
  return run;
}
