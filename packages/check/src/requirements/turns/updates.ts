import { type Area, rule } from "../requirement.ts";

export const updates: Area = {
  prefix: "UPD",
  title: "Session updates",
  requirements: [
    rule("UPD-01", "agent must", "An update names its session, and sessionUpdate says of what kind it is."),
    rule("UPD-02", "agent must", "There are fourteen kinds of updates, and each arrives whole.", {
      follows: "the newest schema",
    }),
    rule("UPD-03", "agent must", "A chunk carries one content block."),
    rule("UPD-04", "agent MAY", "Chunks with the same message id are one message, another id begins another.", {
      also: "client",
    }),
    rule("UPD-05", "client must", "A client does not look into message ids.", { check: "unit" }),
    rule("UPD-06", "agent MAY", "usage_update tells used and total size, and may tell the cost so far.", {
      follows: "any unit of currency",
    }),
    rule("UPD-07", "client should", "An update of an unknown kind does no harm.", {
      follows: "told, kept and passed on, never fatal",
    }),
    rule("UPD-08", "client should", "Updates are handled in the order in which they came."),
  ],
};
