import { type Area, rule, unchecked } from "../requirement.ts";

export const conventions: Area = {
  prefix: "CONV",
  title: "Conventions",
  requirements: [
    rule(
      "CONV-01",
      "both must",
      "Members are named in camelCase, and the values that tell variants apart are in snake_case.",
      { check: "static" },
    ),
    rule("CONV-02", "both MUST", "Every path of the file system is absolute, wherever the protocol carries one."),
    rule("CONV-03", "both must", "Lines are counted from 1.", { follows: "the prose; the schema lets 0 pass" }),
    unchecked(
      "CONV-04",
      "both must",
      "Text for people is Markdown, and a client should show it as such.",
      "User interface: how text is rendered cannot be seen on the wire.",
    ),
    rule("CONV-05", "both must", "A protocol version is a whole number from 0 to 65535."),
  ],
};
