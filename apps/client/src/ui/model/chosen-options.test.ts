import { expect, test } from "vitest";

import type { Session } from "../../protocol/agent.ts";
import type { SessionOption } from "../chat-state.ts";
import { ChosenOptions } from "./chosen-options.ts";

const option = (id: string | undefined, name: string, values: readonly string[]): SessionOption => ({
  id,
  name,
  category: undefined,
  value: values[0] ?? false,
  choices: values.map((value) => ({ value, name: value })),
});
const mode = option(undefined, "Mode", ["ask", "code"]);
const model = option("model", "Model", ["small", "large"]);
const web = option("web", "Web", []);

/** A session with these options. It refuses to set the model to "large". */
function openSession(options: readonly SessionOption[]): { session: Session; set: unknown[] } {
  const set: unknown[] = [];
  const setOption = async ({ id }: SessionOption, value: string | boolean): Promise<void> => {
    if (value === "large") throw new Error("Too large");
    set.push([id, value]);
    await Promise.resolve();
  };
  return { session: { shown: { options }, setOption } as unknown as Session, set };
}

const describe = (error: unknown): Promise<string> => Promise.resolve(String(error));

test("a new session gets the user's latest choices, where they differ", async () => {
  const chosen = new ChosenOptions();
  chosen.remember(web, true);
  chosen.remember(mode, "ask");
  chosen.remember(mode, "code");
  chosen.remember(model, "small");
  const { session, set } = openSession([mode, model, web]);
  expect(await chosen.apply(session, describe)).toEqual([]);
  expect(set).toEqual([
    ["web", true],
    [undefined, "code"],
  ]);
});

test("reports choices that a new session does not offer, or rejects", async () => {
  const chosen = new ChosenOptions();
  chosen.remember(mode, "code");
  chosen.remember(web, true);
  chosen.remember(model, "large");
  const { session, set } = openSession([option(undefined, "Mode", ["ask"]), model]);
  expect(await chosen.apply(session, describe)).toEqual([
    "Mode: the new session does not offer code, which you have chosen before",
    "Web: the new session does not offer true, which you have chosen before",
    "Model: the new session has not taken large. Error: Too large",
  ]);
  expect(set).toEqual([]);
});
