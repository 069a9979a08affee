import { type Area, rule } from "../requirement.ts";

export const files: Area = {
  prefix: "FS",
  title: "Files",
  requirements: [
    rule("FS-01", "agent MUST", "An agent looks at the client's fs capabilities before it uses them.", {
      follows: "they stand in the request of initialize",
    }),
    rule("FS-02", "agent MUST NOT", "An agent never calls a file method that was not advertised."),
    rule("FS-03", "client must", "Reading gives the text as the editor has it, saved or not.", { check: "behaviour" }),
    rule("FS-04", "client must", "line is the first line, from 1, and limit the most lines that come.", {
      follows: "0 is refused as a line",
    }),
    rule("FS-05", "client MUST", "Writing creates a file that does not exist.", { follows: "its directories as well" }),
    rule("FS-06", "client must", "Writing succeeds with an empty object, and null is read as one.", {
      also: "agent",
      follows: "the schema; older pages show null",
    }),
    rule("FS-07", "both must", "Paths of file methods are absolute."),
    rule("FS-08", "client should", "The session decides which paths may be read and written.", {
      check: "behaviour",
      follows: "draft prose, as a boundary",
    }),
  ],
};
