import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** How an agent behaves that is written in plain JSON, without the toolkit. */
export interface Flaws {
  /** Code that runs first. */
  readonly first?: string;
  /** The capabilities that it advertises. Default: none. */
  readonly capabilities?: object;
  readonly authMethods?: readonly object[];
  /**
   * Code for each method that returns its result: an expression, in which `params` are the request's. `fail(code, message)` is
   * an error, `silence` no answer.
   */
  readonly answers?: Readonly<Record<string, string>>;
}

/** Writes such an agent, and returns how to start it. It notes each method that is called in `called.txt` beside it. */
export function flawedAgent(
  directory: string,
  { first = "", capabilities = {}, authMethods = [], answers = {} }: Flaws,
): string[] {
  const file = join(directory, "flawed-agent.mjs");
  const initialize = {
    protocolVersion: 1,
    agentInfo: { name: "flawed", version: "0.1" },
    agentCapabilities: capabilities,
    authMethods,
  };
  const all = {
    initialize: `(${JSON.stringify(initialize)})`,
    "session/new": '({ sessionId: "s" })',
    "session/list": "({ sessions: [] })",
    ...answers,
  };
  const table = Object.entries(all).map(([method, code]) => `${JSON.stringify(method)}: (params) => ${code},`);
  writeFileSync(
    file,
    `#!/usr/bin/env node
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const silence = Symbol();
const fail = (code, message, data) => ({ error: { code, message, data } });
${first}
const answers = {
${table.join("\n")}
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(new URL("called.txt", import.meta.url), method + "\\n");
  if (id === undefined) continue;
  const result = answers[method]?.(params) ?? {};
  if (result === silence) continue;
  send(result.error === undefined ? { id, result } : { id, error: result.error });
}
`,
  );
  chmodSync(file, 0o755);
  return [process.execPath, file];
}
