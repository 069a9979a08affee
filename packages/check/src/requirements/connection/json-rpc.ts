import { type Area, rule } from "../requirement.ts";

export const jsonRpc: Area = {
  prefix: "RPC",
  title: "The JSON-RPC envelope",
  requirements: [
    rule(
      "RPC-01",
      "both must",
      'Every message is a request, a notification or a response of JSON-RPC 2.0, and says so in "jsonrpc".',
    ),
    rule(
      "RPC-02",
      "both must",
      "A response has either a result or an error with an integer code and a message, never both and never neither.",
      { follows: "JSON-RPC; the schema would let both pass" },
    ),
    rule("RPC-03", "both must not", "Nobody answers a notification, whatever is wrong with it."),
    rule("RPC-04", "both MUST", "A response has the id of its request, digit by digit and of the same type."),
    rule(
      "RPC-05",
      "both SHOULD NOT",
      "Own requests have ids that are strings or whole numbers; a request whose id is null is read and answered all the same.",
      { follows: "v1; v2 forbids null" },
    ),
    rule("RPC-06", "both must", "Each side numbers its own requests: the same id may be under way in both directions."),
    rule("RPC-07", "both must", "A request for a method that the receiver does not have is answered with -32601."),
    rule("RPC-08", "both must", "Params that do not fit the method are answered with -32602.", {
      follows: "what the schema tolerates is not an error (COMPAT)",
    }),
    rule(
      "RPC-09",
      "both must",
      "What is no JSON is answered with -32700, JSON that is no message with -32600, and the connection goes on.",
      { follows: "a client does not answer noise from an agent's stdout" },
    ),
    rule("RPC-10", "both must", "A handler that fails is answered with -32603."),
    rule(
      "RPC-11",
      "both must",
      "Requests overlap, in both directions: a peer answers while its own requests are open.",
      { follows: "the protocol's flows, not one request at a time" },
    ),
  ],
};
