// `acp exec` and `acp --plain` pass all checks of clients: each in one version of the protocol, before a release in both.
import { checkClient } from "@acp/check";
import { describe, expect, test } from "vitest";

import { clientProgram, temporaryDirectory } from "../support/main-job-programs.ts";

interface Client {
  readonly command: readonly string[];
  readonly answer?: string;
  /** The checks that do not apply. */
  readonly without: readonly string[];
}

const exec: Client = {
  command: ["exec", "--policy", "yes", "{prompt}"],
  without: ["login-was-offered", "second-prompt-goes-on", "cancel-answers-questions"],
};
const plain: Client = {
  command: ["--plain", "--interactive"],
  answer: "{number}",
  without: ["login-was-offered", "elicitation-was-not-offered"],
};

const clients = { exec, plain };
const isThorough = process.env["THOROUGH"] !== undefined;
const tested = { 1: isThorough ? clients : { exec }, 2: isThorough ? clients : { plain } };

describe.each([1, 2] as const)("version %i", (protocol) => {
  test.each(Object.entries<Client>(tested[protocol]))("of %s passes all checks", async (_, client) => {
    const { command, answer, without } = client;
    using home = temporaryDirectory();
    const { results } = await checkClient({
      command: [process.execPath, clientProgram, ...command, "--protocol", String(protocol), "--", "{agent}"],
      cwd: home.path,
      env: { XDG_STATE_HOME: home.path, XDG_CONFIG_HOME: home.path },
      protocol,
      framing: "ndjson",
      cancel: "SIGINT",
      answer,
      seed: 1,
      timeout: 60_000,
      jobs: 3,
    });
    const told = results.flatMap(({ id, status, reason }) => {
      const isExpected = status === "pass" || (status === "not-applicable" && without.includes(id));
      return isExpected ? [] : [`${id} ${status}: ${reason}`];
    });
    expect(told).toEqual([]);
    expect(results.length).toBeGreaterThan(90);
  });
});
