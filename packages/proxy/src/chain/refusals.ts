import { ErrorCode } from "@acp/core";
import { Refusal } from "@acp/core/internal";
import { initializeProxyMethod } from "./successor-envelope.ts";

/** `-32600`, with a message for whoever has started the wrong program. */
function refusal(message: string): Refusal {
  return new Refusal({ code: ErrorCode.invalidRequest, message }, [], message);
}

/** For a proxy that is asked for something before it was initialized as one. */
export function refuseUninitialized(method: string): Refusal {
  return refusal(
    method === "initialize"
      ? `This program is a proxy, which a conductor starts with ${initializeProxyMethod}; it cannot be used as an agent`
      : `A conductor begins with ${initializeProxyMethod}, not with ${method}`,
  );
}

/** For a conductor that is asked for something before it was initialized. */
export function refuseUnstarted(): Refusal {
  return refusal("A client begins with initialize");
}

/** For a proxy that is initialized again. */
export function refuseSecondInitialize(): Refusal {
  return refusal("This proxy was initialized already");
}
