import type { Path } from "@acp/schema";
import { RequestError, type WireError } from "../base/errors.ts";
import { invalidRequest } from "./wire-errors.ts";

/** A request breaks a rule of the protocol. Thrown before its handler runs: the peer gets the error, the diagnostics the reason. */
export class Refusal extends RequestError {
  declare readonly path: Path;
  declare readonly reason: string;

  constructor(wire: WireError, path: Path, reason: string) {
    super(wire);
    this.path = path;
    this.reason = reason;
  }
}

/** `-32600`: the request comes at the wrong time. */
export function refuseNow(reason: string): Refusal {
  return new Refusal(invalidRequest(reason), [], reason);
}

/** `-32002`: the request names a session that is not open (SESS-26). */
export function refuseSession(data?: object): Refusal {
  const { wire } = RequestError.resourceNotFound("There is no such open session", data);
  return new Refusal(wire, ["sessionId"], "names no open session");
}
