import { type Area, rule, unchecked } from "../requirement.ts";

export const extensions: Area = {
  prefix: "EXT",
  title: "Extensions",
  requirements: [
    rule("EXT-01", "both must", "Every type may carry custom data in _meta, and null there means none."),
    rule("EXT-02", "both MUST NOT", "Custom data is nowhere else in the protocol's types."),
    unchecked(
      "EXT-03",
      "both must not",
      "Nobody builds on what others put into _meta.",
      "Conduct: to ignore a value leaves no trace.",
    ),
    rule("EXT-04", "both SHOULD", "The three names of W3C trace context are kept for it in _meta."),
    unchecked(
      "EXT-05",
      "client may",
      "A client may pass on fields that correlate messages, in _meta of params.",
      "Choice of the client: to pass nothing on is as valid.",
    ),
    rule("EXT-06", "both must", "Methods of one's own begin with an underscore.", { check: "static" }),
    rule("EXT-07", "both MAY", "Either side may offer and call methods of its own."),
    rule("EXT-08", "both MUST", "A custom request is answered under its id, an unknown one with -32601."),
    rule("EXT-09", "both SHOULD", "Notifications nobody knows are ignored."),
    rule("EXT-10", "both SHOULD", "Extensions are advertised in _meta of the capabilities."),
  ],
};
