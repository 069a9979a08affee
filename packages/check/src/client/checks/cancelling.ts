import { at, end, fail, hang, pause, say, type Step, textAt, waitFor } from "@acp/testing";

import { expectThat, NotReached } from "../../engine/check.ts";
import { hostile, must, should } from "../client-check.ts";
import type { ClientCheck, ClientContext, ClientRun } from "../client-context.ts";
import { lastText, startTurn } from "../turns.ts";

/** The checks of how a user stops a turn. */
export const cancelling: readonly ClientCheck[] = [
  must({
    id: "cancel-is-a-notification",
    title: "session/cancel is a notification that names the session, sent once",
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
  }),
  should({
    id: "text-after-the-cancel",
    title: "A client that has cancelled still shows what comes before the turn has ended",
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
  }),
  hostile({
    id: "cancel-is-answered-late",
    title: "A client waits for the end of a cancelled turn that takes a moment",
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
  }),
  hostile({
    id: "cancel-is-ignored",
    title: "A user gets out of a turn whose agent ignores session/cancel, and no agent is left running",
    rules: ["CANC-05"],
    seen: "https://github.com/getpaseo/paseo/pull/4719",
    mend: "End the agent if it does not end the turn some seconds after session/cancel, or let a second cancel do it.",
    async run(context) {
      const run = await cancelled(context, [say("first4701 "), hang()]);
      await run.endsOnCancel();
    },
  }),
  hostile({
    id: "cancel-ends-as-end-turn",
    title: "A client takes another end than cancelled for a turn that it has cancelled",
    rules: ["CANC-05"],
    seen: "https://github.com/github/copilot-cli/issues/4561",
    mend: "The turn has ended with the answer to session/prompt, whatever its reason.",
    async run(context) {
      const run = await cancelled(context, [say("first4701 "), waitFor("session/cancel"), end("end_turn")]);
      await run.ends();
    },
  }),
  hostile({
    id: "cancel-ends-as-an-error",
    title: "A client takes an error for the end of a turn that it has cancelled",
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
  }),
];

/** Plays a turn that the user cancels once its first text is shown. */
async function cancelled(context: ClientContext, steps: readonly Step[]): Promise<ClientRun> {
  const run = await startTurn(context, steps, { onCancel: "ignore" });
  await run.shows("first4701");
  run.cancel();
  await run.within(context.peer().next("session/cancel"), "session/cancel").catch(() => {
    throw new NotReached("The client was told to cancel, and sent no session/cancel");
  });
  return run;
}
