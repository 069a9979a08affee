import { AcpError } from "@acp/core";

import type { ProcessExit } from "../runtime/runtime.ts";

/** A login in a terminal failed: its program ended with a status other than 0 (AUTH-13). */
export class LoginError extends AcpError {
  protected static override readonly errorName: string = "LoginError";
  readonly code = "login_failed";
  /** The id of the login method. */
  readonly methodId: string;
  /** How the program ended; both members are `null` if that is unknown. */
  readonly exit: ProcessExit;

  constructor(message: string, methodId: string, exit: ProcessExit) {
    super(message);
    this.methodId = methodId;
    this.exit = exit;
  }
}
