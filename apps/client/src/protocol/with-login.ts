import { ErrorCode, RequestError } from "@acp/core";

import type { Login } from "./agent.ts";

/**
 * Calls the agent. If it asks for a login in a terminal and that succeeds, calls it again (AUTH-14): the protocol has no call for
 * such a login (AUTH-06). `takeLogin` returns the one that the user has chosen, once.
 */
export async function withLogin<Result>(
  call: () => Promise<Result>,
  takeLogin: () => Login | undefined,
  logIn: (loginId: string) => Promise<void>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    const isRefused = error instanceof RequestError && error.wire.code === ErrorCode.authRequired;
    const login = isRefused ? takeLogin() : undefined;
    if (login === undefined) throw error;
    await logIn(login.id);
    return call();
  }
}

export class UnknownLogin extends Error {
  constructor(loginId: string) {
    super(`The agent offers no login '${loginId}'`);
  }
}
