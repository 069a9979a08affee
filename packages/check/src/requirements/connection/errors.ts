import { type Area, rule } from "../requirement.ts";

export const errors: Area = {
  prefix: "ERR",
  title: "Errors",
  requirements: [
    rule(
      "ERR-01",
      "both must",
      "The codes are those of JSON-RPC, -32000 to log in, -32002 for what is not there, -32800 for what was taken back.",
      { check: "static", follows: "the schema; -32002 stays taken" },
    ),
    rule("ERR-02", "both should", "Errors of one's own have codes from -32099 to -32001 that are still free.", {
      check: "static",
    }),
    rule(
      "ERR-03",
      "both should",
      "Errors of one's own say their reason in data, and how long to wait or for what they hold.",
    ),
    rule("ERR-04", "both should", "-32603 tells nothing of the inside, but may have an id to look it up by."),
    rule("ERR-05", "both should", "-32602 has a short message to act on, and the details in data."),
    rule(
      "ERR-06",
      "both should",
      "The same mistake has the same code, is found early, is told, and gives nothing away.",
      { check: "static" },
    ),
    rule("ERR-07", "client should", "Codes that nobody knows are coped with."),
    rule("ERR-08", "both should", "The message of an error is one short sentence.", { check: "static" }),
    rule("ERR-09", "agent SHOULD NOT", "Versions that do not fit are not an error.", { follows: "v1; v2 has a code" }),
    rule("ERR-10", "both must", "To cancel is not an error: turns and questions end as cancelled.", {
      follows: "by mechanism; $/cancel_request may answer -32800",
    }),
  ],
};
