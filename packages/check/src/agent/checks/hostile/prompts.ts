import { expectThat } from "../../../engine/check.ts";
import { expectComes, expectGoesOn, hostile, patient } from "../../agent-check.ts";
import type { AgentCheck, AgentContext } from "../../agent-context.ts";
import { expectEnds, played, playShort, promptFor } from "../../agent-turns.ts";

/** Sends an odd prompt, which may be refused, and expects the session to take the next one. */
async function expectAnswersPrompt(context: AgentContext, prompt: readonly object[], what: string): Promise<void> {
  const opened = await context.open(patient(context));
  await playShort(context, opened);
  const { client, sessionId } = opened;
  await expectEnds(client.prompt(prompt, sessionId), what);
  const { error } = await expectEnds(client.prompt(promptFor(context, "short"), sessionId), `the prompt after ${what}`);
  expectThat(error === undefined, `After ${what} it answered the next prompt with ${error?.code}: ${error?.message}`);
}

/** Prompts that are empty, huge or odd. */
export const prompts: readonly AgentCheck[] = [
  hostile({
    id: "empty-prompt",
    title: "An agent answers a prompt without any content, and the session goes on",
    mend: "End the turn, or refuse the prompt with -32602. Do not send an empty message to a model that refuses it for ever.",
    run: (context) => expectAnswersPrompt(context, [], "a prompt without content"),
  }),
  hostile({
    id: "empty-text",
    title: "An agent answers a prompt whose text is empty, and the session goes on",
    mend: "End the turn, or refuse the prompt with -32602. Leave empty text out of what the model gets, also later.",
    run: (context) =>
      expectAnswersPrompt(
        context,
        [
          { type: "text", text: "" },
          { type: "text", text: "\n" },
        ],
        "an empty text",
      ),
  }),
  hostile({
    id: "prompt-of-1-mib",
    title: "An agent answers a prompt of 1 MiB, and the session goes on",
    seen: "https://github.com/MoonshotAI/kimi-cli/issues/831",
    mend: "Read lines of any length. Refuse the prompt if the model cannot take it, and leave it out of the conversation.",
    run: (context) =>
      expectAnswersPrompt(context, [{ type: "text", text: "word ".repeat(209_716) }], "a prompt of 1 MiB"),
  }),
  hostile({
    id: "odd-characters",
    title: "An agent answers a prompt with characters that are seldom seen",
    rules: ["TRAN-01", "TRAN-05"],
    mend: "U+2028 does not end a line, NUL does not end a text, and half a surrogate pair is replaced, not fatal.",
    async run(context) {
      const opened = await played(context);
      const { client, sessionId } = opened;
      const text = `"a\\u2028b\\u2029c\\u0085d\\u0000e\\ud800f\\udc00g\\uffff\\u202e\u2028\u2029\u0085\u{1F468}\u200D\u{1F469}"`;
      const params = `{"sessionId":${JSON.stringify(sessionId)},"prompt":[{"type":"text","text":${text}}]}`;
      client.peer.sendText(`{"jsonrpc":"2.0","id":"odd","method":"session/prompt","params":${params}}`);
      await expectComes(client.peer.answerTo("odd"), "It did not answer a prompt with odd characters");
      await expectGoesOn(context, client, "a prompt with odd characters");
      const { issues } = client.peer;
      expectThat(issues.length === 0, `It wrote what is no message: ${issues.join("; ")}`);
    },
  }),
  hostile({
    id: "unknown-content",
    title: "An agent answers a prompt with content of a kind that it does not know",
    rules: ["CONT-01"],
    mend: "Refuse the prompt with -32602, or leave the block out. Do not let it end the agent or the session.",
    run: (context) =>
      expectAnswersPrompt(
        context,
        [{ type: "hologram", depth: 3 }, { text: "no type" }, { type: "text" }],
        "unknown content",
      ),
  }),
  hostile({
    id: "content-of-another-kind",
    title: "An agent answers prompts whose content is no list of blocks",
    rules: ["RPC-08"],
    mend: "Check that prompt is a list of objects, and answer -32602 if it is not.",
    async run(context) {
      const { client, sessionId } = await context.open();
      for (const prompt of ["Hi", null, 7, {}, [null], ["Hi"], [[]], [5]]) {
        const answer = client.peer.call("session/prompt", { sessionId, prompt });
        await expectComes(answer, `It did not answer a prompt that is ${JSON.stringify(prompt)}`);
      }
      await expectGoesOn(context, client, "prompts that are no lists of blocks");
    },
  }),
  hostile({
    id: "many-blocks",
    title: "An agent answers a prompt of a thousand blocks",
    mend: "Join what belongs together, and refuse what the model cannot take.",
    run: (context) =>
      expectAnswersPrompt(
        context,
        Array.from({ length: 1000 }, (_, at) => ({ type: "text", text: `${at} ` })),
        "1000 blocks",
      ),
  }),
  hostile({
    id: "unknown-slash-command",
    title: "An agent answers a prompt with a slash command that it does not have",
    rules: ["CMD-01"],
    mend: "Take it for text, or say that there is no such command, and end the turn.",
    run: (context) =>
      expectAnswersPrompt(context, [{ type: "text", text: "/no-such-command with input" }], "an unknown slash command"),
  }),
];
