// What does not compile: misspelt members, and values of other types.
import { ask, call, end, expectTurn, fakeAgent, fakeClient, plan, say, type Step, type Steps } from "../index.ts";

say("Hi", { after: 60 });
// @ts-expect-error The member is `after`.
say("Hi", { afetr: 60 });
// @ts-expect-error A text.
say(7);
// @ts-expect-error The member is `output`.
call("edit", { ask: true, ouput: "2 lines" });
// @ts-expect-error A call completes, fails or runs.
call("edit", { ends: "done" });
// @ts-expect-error A choice has a name.
ask("Really?", { options: [{ optionId: "yes", kind: "allow_once" }] });
// @ts-expect-error The status of an entry is one of three.
plan([{ content: "Read", status: "done" }]);

const steps: readonly Step[] = [
  { say: "Hi" },
  // @ts-expect-error There is no such step.
  { sya: "Hi" },
  // @ts-expect-error A step of this kind has no such member.
  { say: "Hi", afetr: 1 },
];

fakeAgent(steps);
fakeAgent(({ text, number }) => [say(`${number}: ${text}`), end()]);
fakeAgent(function* (): Steps {
  const chosen: string | undefined = yield ask("Really?");
  yield say(chosen ?? "");
});
fakeAgent(async function* () {
  yield say("Hi");
});
fakeAgent(async () => Promise.resolve([say("Hi")]));
fakeAgent({ prompts: [[{ say: "Hi" }]], answers: { "session/load": [{ say: "old" }, { reply: {} }] } });
// @ts-expect-error An agent needs a script.
fakeAgent();
// @ts-expect-error Steps are a list.
fakeAgent(say("Hi"));
// @ts-expect-error A function returns steps.
fakeAgent(() => "Hi");
fakeAgent(function* () {
  yield say("Hi");
});
// @ts-expect-error The option is `onCancel`.
fakeAgent([], { oncancel: "ignore" });

const client = fakeClient(fakeAgent([]));
const turn = client.prompt("Go");
export const shown: Promise<unknown> = expectTurn(turn).toShow("Hi").toCall("edit", { status: "completed" });
// @ts-expect-error The member is `status`.
void expectTurn(turn).toCall("edit", { state: "completed" });
// @ts-expect-error A client is no turn.
void expectTurn(client);
// @ts-expect-error A scripted client needs an agent, and no other client.
fakeClient(client);
