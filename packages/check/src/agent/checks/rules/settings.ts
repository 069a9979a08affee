import { at, textAt } from "@acp/testing";

import { expectThat, NotApplicable } from "../../../engine/check.ts";
import { quote } from "../../../engine/quote.ts";
import { answerOf, expectRefused, listAt, must, resultOf } from "../../agent-check.ts";
import type { AgentCheck, AgentContext, OpenedAgent } from "../../agent-context.ts";

function modesOf({ opened }: OpenedAgent): readonly (string | undefined)[] {
  if ((at(opened, "modes") ?? null) === null) throw new NotApplicable("The session has no modes");
  return listAt(opened, "modes", "availableModes").map((mode) => textAt(mode, "id"));
}

function optionsOf(holder: unknown): readonly unknown[] {
  return listAt(holder, "configOptions");
}

/** The id of an option, which version 2 calls otherwise. */
function idOf(option: unknown): string | undefined {
  return textAt(option, "configId") ?? textAt(option, "id");
}

/** The values that a selection offers, in groups or not. */
function valuesOf(option: unknown): readonly unknown[] {
  return listAt(option, "options")
    .flatMap((item) => (Array.isArray(at(item, "options")) ? listAt(item, "options") : [item]))
    .map((item) => at(item, "value"));
}

/** The selections of a session, of which there must be one. */
function selectionsOf({ opened }: OpenedAgent): readonly unknown[] {
  const selections = optionsOf(opened).filter((option) => at(option, "type") === "select");
  if (selections.length === 0) throw new NotApplicable("The session has no options to select from");
  return selections;
}

/** How version 2 says that a value is one of a selection. */
function typed({ settings: { protocol } }: AgentContext): object {
  return protocol === 2 ? { type: "id" } : {};
}

/** Modes and options of sessions. */
export const settings: readonly AgentCheck[] = [
  must({
    id: "current-mode-is-offered",
    title: "The current mode of a session is one of those that it offers",
    rules: ["MODE-01"],
    protocols: [1],
    mend: "Put the mode that currentModeId names into availableModes.",
    async run(context) {
      const opened = await context.open();
      const modes = modesOf(opened);
      const current = textAt(opened.opened, "modes", "currentModeId");
      expectThat(modes.includes(current), `currentModeId is ${quote(current)}; offered are ${quote(modes)}`);
    },
  }),
  must({
    id: "sets-modes",
    title: "A client can set each mode that a session offers",
    rules: ["MODE-03"],
    protocols: [1],
    mend: "Answer session/set_mode with {} for each mode in availableModes.",
    async run(context) {
      const opened = await context.open();
      const { client, sessionId } = opened;
      for (const modeId of modesOf(opened)) {
        const answer = await answerOf(client, "session/set_mode", { sessionId, modeId });
        const result = resultOf(answer, `session/set_mode to ${quote(modeId)}`);
        expectThat(typeof result === "object", `session/set_mode resulted in ${quote(result)}`);
      }
    },
  }),
  must({
    id: "refuses-an-unknown-mode",
    title: "An agent refuses a mode that the session does not have",
    rules: ["MODE-02"],
    protocols: [1],
    mend: "Answer session/set_mode with error -32602 if the session has no such mode.",
    async run(context) {
      const opened = await context.open();
      modesOf(opened);
      const params = { sessionId: opened.sessionId, modeId: "no-such-mode" };
      expectRefused(await answerOf(opened.client, "session/set_mode", params), "session/set_mode to an unknown mode");
    },
  }),
  must({
    id: "current-value-is-offered",
    title: "The current value of an option is one of those that it offers",
    rules: ["CONF-11"],
    mend: "Put the currentValue of each selection among its options.",
    async run(context) {
      for (const option of selectionsOf(await context.open())) {
        const value = at(option, "currentValue");
        expectThat(valuesOf(option).includes(value), `The option ${idOf(option)} has the value ${quote(value)}`);
      }
    },
  }),
  must({
    id: "sets-options",
    title: "Setting an option is answered with all options, the new value among them",
    rules: ["CONF-14"],
    mend: "Answer session/set_config_option with configOptions: all options of the session, as they are now.",
    async run(context) {
      const opened = await context.open();
      const { client, sessionId } = opened;
      const count = optionsOf(opened.opened).length;
      const option = selectionsOf(opened)[0];
      const id = idOf(option);
      for (const value of valuesOf(option)) {
        const params = { ...typed(context), sessionId, configId: id, value };
        const result = resultOf(await answerOf(client, "session/set_config_option", params), `${id} = ${quote(value)}`);
        const options = optionsOf(result);
        const now = at(
          options.find((one) => idOf(one) === id),
          "currentValue",
        );
        expectThat(now === value, `After setting ${id} to ${quote(value)} it answered with ${quote(now)}`);
        expectThat(options.length >= Math.min(count, 1), `It answered with ${options.length} options of ${count}`);
      }
    },
  }),
  must({
    id: "refuses-an-unknown-option",
    title: "An agent refuses an option that the session does not have, and a value that the option does not have",
    rules: ["CONF-13"],
    mend: "Answer session/set_config_option with error -32602 for options and values that you do not offer.",
    async run(context) {
      const opened = await context.open();
      const { client, sessionId } = opened;
      const [option] = selectionsOf(opened);
      const wrong = [
        { ...typed(context), sessionId, configId: "no-such-option", value: "x" },
        { ...typed(context), sessionId, configId: idOf(option), value: "no-such-value" },
      ];
      for (const params of wrong)
        expectRefused(
          await answerOf(client, "session/set_config_option", params),
          `session/set_config_option ${quote(params)}`,
        );
    },
  }),
  must({
    id: "no-boolean-options-unasked",
    title: "An agent sends boolean options only to clients that advertised them",
    rules: ["CONF-05"],
    protocols: [1],
    mend: "Leave out options of type boolean unless the client advertised session.configOptions.boolean.",
    async run(context) {
      const { opened } = await context.open();
      const options = optionsOf(opened);
      if (options.length === 0) throw new NotApplicable("The session has no options");
      const boolean = options.find((option) => at(option, "type") === "boolean");
      expectThat(boolean === undefined, `It sent a boolean option: ${quote(boolean)}`);
    },
  }),
];
