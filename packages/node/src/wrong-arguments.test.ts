import { createMessagePortTransport, createStreamTransport, createWebStreamPipe, UsageError } from "@acp/core";
import { expect, test } from "vitest";

import { permissionPolicy, spawnAgent, spawnTransport, terminalLogin } from "./index.ts";

const functions: readonly ((...given: never[]) => unknown)[] = [
  createMessagePortTransport,
  createStreamTransport,
  createWebStreamPipe,
  permissionPolicy,
  spawnAgent,
  spawnTransport,
  terminalLogin,
];

test.each(functions.map((called) => [called.name, called] as const))(
  "a wrong call without types throws a UsageError (%s)",
  async (_name, called) => {
    for (const given of [[], [null], ["x"], [7], [{}], [{}, {}], [undefined, null]]) {
      const failed = await Promise.resolve()
        .then(() => called(...(given as never[])))
        .catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(UsageError);
    }
  },
);
