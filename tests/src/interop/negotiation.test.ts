import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import type { OpenOptions } from "./client-port.ts";
import { wholeAgent, wholeClient } from "./profile.ts";
import { openOfficialClient } from "./programs/official-client.ts";
import { openToolkitClient } from "./programs/toolkit-client.ts";

/** How an agent's program is started. */
function optionsFor(
  agent: "official" | "toolkit",
  more: { readonly answer?: number; readonly ask?: number },
): OpenOptions {
  const program = fileURLToPath(new URL(`programs/${agent}-agent.ts`, import.meta.url));
  const profile = { ...wholeAgent, ...(more.answer === undefined ? {} : { protocolVersion: more.answer }) };
  return {
    command: process.execPath,
    args: [program, "--profile", JSON.stringify(profile)],
    client: wholeClient,
    agent: profile,
    entry: "stable",
    ...(more.ask === undefined ? {} : { protocolVersion: more.ask }),
  };
}

test.each([0, 1, 2, 65_535])(
  "INIT-08, INIT-09: the toolkit's agent answers version 1 to a client that asks for %i",
  async (ask) => {
    const client = await openOfficialClient(optionsFor("toolkit", { ask }));
    expect(client.details.protocolVersion).toBe(1);
    expect(await client.call("session/new", { cwd: "/project", mcpServers: [] })).toHaveProperty("sessionId");
    expect(await client.close()).toEqual({ exitCode: 0, signal: null });
  },
);

test.each([0, 2, 65_535])("INIT-10: the toolkit's client leaves an agent that answers version %i", async (answer) => {
  const opening = openToolkitClient(optionsFor("official", { answer }));
  await expect(opening).rejects.toMatchObject({ code: "protocol_violation", path: ["result", "protocolVersion"] });
});
