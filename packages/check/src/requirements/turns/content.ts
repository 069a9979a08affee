import { type Area, rule } from "../requirement.ts";

export const content: Area = {
  prefix: "CONT",
  title: "Content",
  requirements: [
    rule(
      "CONT-01",
      "both must",
      "Text, images, audio, links and embedded resources have the members of their kind, and may have annotations.",
    ),
    rule("CONT-02", "both must", "Content has the form that MCP gives it, so that a tool's output passes unchanged.", {
      check: "unit",
    }),
    rule("CONT-03", "both must", "Binary content is base64."),
    rule("CONT-04", "both must", "An embedded resource has text or binary contents."),
  ],
};
