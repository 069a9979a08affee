import { type Area, rule } from "../requirement.ts";

export const tolerance: Area = {
  prefix: "COMPAT",
  title: "Tolerant reading",
  requirements: [
    rule(
      "COMPAT-01",
      "both must",
      "Where the schema says so, a member that cannot be read counts as absent or takes its default.",
    ),
    rule(
      "COMPAT-02",
      "both must",
      "Where the schema says so, items that cannot be read are left out, and the others stay.",
    ),
    rule(
      "COMPAT-03",
      "both must",
      "Where the schema says so, null reads as empty, while absence of what is required stays an error.",
    ),
    rule("COMPAT-04", "both should", "Members that are absent take the schema's default.", { check: "unit" }),
  ],
};
