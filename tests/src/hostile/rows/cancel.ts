import { answered, failed, notification, request } from "../message.ts";
import { both, type Row, type Theme } from "../row.ts";

const wait = request("1", "_do", '{"what":"until cancelled"}');
const cancel = notification("$/cancel_request", '{"requestId":1}');

/** A cancel that cancels nothing: the request that waits goes on until it is cancelled properly. */
function idle(name: string, params: string | undefined, diagnostics: readonly string[]): Row {
  return {
    name,
    rules: ["RCAN-01", "RPC-03"],
    sends: [wait, notification("$/cancel_request", params), cancel],
    ...both({ answers: [failed("1", -32800)], diagnostics }),
  };
}

const invalid = ["invalid-message $/cancel_request /params/requestId"];

export const cancelling: Theme = {
  title: "Cancelling",
  text: "A cancel names a request by its id, of the same type, and is never answered itself. The cancelled request is answered once.",
  rows: [
    idle("no params", undefined, invalid),
    idle("params null", "null", invalid),
    idle("params that are an array", "[1]", invalid),
    idle("params that are a string", '"1"', invalid),
    idle("params that are a number", "1", invalid),
    idle("no id", "{}", invalid),
    idle("an id that is an object", '{"requestId":{"id":1}}', invalid),
    idle("an id that is an array", '{"requestId":[1]}', invalid),
    idle("an id that is true", '{"requestId":true}', invalid),
    idle("an id that no request has", '{"requestId":4242}', []),
    idle("the id as a string", '{"requestId":"1"}', []),
    idle("id null", '{"requestId":null}', []),
    idle("a fraction", '{"requestId":1.5}', []),
    {
      name: "a cancel twice",
      rules: ["RCAN-04"],
      sends: [wait, cancel, cancel],
      ...both({ answers: [failed("1", -32800)] }),
    },
    {
      name: "a cancel of a request that was answered already",
      rules: ["RCAN-04"],
      sends: [request("1", "_do", '{"what":"null"}'), cancel],
      ...both({ answers: [answered("1", "null")] }),
    },
    {
      name: "a handler that answers all the same",
      rules: ["RCAN-04"],
      sends: [request("1", "_do", '{"what":"cancelled, then answer"}'), cancel],
      ...both({ answers: [answered("1", '"partial"')] }),
    },
    {
      name: "a handler that fails over the cancel",
      rules: ["RCAN-04"],
      sends: [request("1", "_do", '{"what":"cancelled, then throw"}'), cancel],
      ...both({ answers: [failed("1", -32800)], diagnostics: ["handler-failed _do"] }),
    },
    {
      name: "session/cancel for a session that there is not",
      rules: ["CANC-10"],
      sends: [notification("session/cancel", '{"sessionId":"hunter2"}')],
      agent: {},
    },
    {
      name: "session/cancel where no turn runs",
      rules: ["CANC-10"],
      sends: [notification("session/cancel", '{"sessionId":"<session>"}')],
      agent: {},
    },
  ],
};
