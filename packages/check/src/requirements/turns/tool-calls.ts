import { type Area, rule, unchecked } from "../requirement.ts";

export const toolCalls: Area = {
  prefix: "TOOL",
  title: "Tool calls",
  requirements: [
    rule("TOOL-01", "agent SHOULD", "A tool that the model asks for is reported as tool_call."),
    rule("TOOL-02", "agent must", "A tool call has a title and an id that no other call of the session has."),
    rule("TOOL-03", "agent must", "A tool call is of one of ten kinds, other by default.", {
      follows: "the schema, with switch_mode",
    }),
    rule("TOOL-04", "agent must", "A tool call is pending, in_progress, completed or failed, pending by default."),
    rule(
      "TOOL-05",
      "agent must",
      "tool_call_update names the call and what changed; content and locations are replaced whole.",
      { also: "client", follows: "null means no change in v1" },
    ),
    rule("TOOL-06", "agent SHOULD", "Once allowed, a tool that runs is reported in_progress."),
    rule("TOOL-07", "agent must", "A tool that is done is reported completed or failed, with what it brought."),
    rule("TOOL-08", "agent should", "A tool that fails is a failed tool call with details, not a failed prompt."),
    rule("TOOL-09", "both must", "Content of a tool call is a content block, a diff or a terminal.", {
      follows: "the schema; wrapped, never a bare block",
    }),
    rule("TOOL-10", "agent must", "A diff names an absolute path, and has no old text for a new file."),
    rule("TOOL-11", "agent must", "A terminal is shown in a tool call before it is released."),
    unchecked(
      "TOOL-12",
      "client must",
      "A terminal in a tool call is shown live, and stays on show after its release.",
      "User interface: what a client keeps on the screen.",
    ),
    rule("TOOL-13", "agent must", "Locations are absolute paths, with a line from 1 where there is one."),
    rule("TOOL-14", "both may", "What goes into a tool and comes out of it is any JSON.", {
      follows: "the schema; prose says an object",
    }),
    rule("TOOL-15", "agent may", "A tool call may tell the tool's own name."),
  ],
};
