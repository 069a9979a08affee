import { at, hang, isRequest, say, textAt } from "@acp/testing";

import { type Scripted, scripted } from "./scripted.ts";

/** A request that a telling agent got. */
export interface Told {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

const choices = (...values: readonly string[]): readonly object[] =>
  values.map((value) => ({ value, name: value.toUpperCase() }));

/**
 * An agent that answers each prompt with all requests that its process got, as one line of JSON. It has a model, a mode and a
 * switch, and opens sessions again. `slow` as the prompt gets no answer until it is cancelled.
 */
export async function tellingAgent(capabilities: object = {}): Promise<Scripted> {
  const options = [
    { id: "m", name: "Model", category: "model", type: "select", options: choices("small", "large") },
    { id: "d", name: "Mode", category: "mode", type: "select", options: choices("ask", "code") },
    { id: "web", name: "Web search", type: "boolean" },
  ];
  const initial: Readonly<Record<string, unknown>> = { m: "small", d: "ask", web: false };
  let values = initial;
  const configOptions = (): object[] => options.map((option) => ({ ...option, currentValue: values[option.id] }));
  const opened = (params: unknown): Readonly<Record<string, unknown>> => {
    values = initial;
    return { sessionId: textAt(params, "sessionId") ?? "id-of-it", configOptions: configOptions() };
  };
  const requests = (): object[] =>
    telling.agent.connections.at(-1)?.received.flatMap((message) => {
      const { method, params } = message;
      return isRequest(message) ? [{ method, params }] : [];
    }) ?? [];
  const telling = await scripted(({ text }) => [text === "slow" ? hang() : say(JSON.stringify(requests()))], {
    initialize: { agentInfo: { name: "telling", version: "1" } },
    capabilities: { loadSession: true, promptCapabilities: { image: true, embeddedContext: true }, ...capabilities },
    answers: {
      "session/new": opened,
      "session/load": opened,
      "session/resume": opened,
      "session/set_config_option": (params) => {
        values = { ...values, [textAt(params, "configId") ?? ""]: at(params, "value") };
        return { configOptions: configOptions() };
      },
    },
  });
  return telling;
}

/** The requests that are told in an output. */
export function toldIn(stdout: string): Told[] {
  const [line = "[]"] = /\[\{"method".*/u.exec(stdout) ?? [];
  return JSON.parse(line) as Told[];
}

/** The params of the last request with this method. */
export function paramsOf(told: readonly Told[], method: string): Readonly<Record<string, unknown>> | undefined {
  return told.findLast((one) => one.method === method)?.params;
}
