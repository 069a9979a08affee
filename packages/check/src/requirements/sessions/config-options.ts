import { type Area, rule, unchecked } from "../requirement.ts";

export const configOptions: Area = {
  prefix: "CONF",
  title: "Options of a session",
  requirements: [
    rule("CONF-01", "agent MAY", "The answers that open a session may carry its options."),
    unchecked(
      "CONF-02",
      "client SHOULD",
      "A client that is given both uses the options and leaves the modes.",
      "User interface: which of two controls is shown.",
    ),
    rule(
      "CONF-03",
      "client SHOULD",
      "Options keep the agent's order, which also decides between options of one category.",
      { check: "unit" },
    ),
    unchecked(
      "CONF-04",
      "agent SHOULD",
      "An agent lists first what matters most.",
      "Judgement of the agent: importance is not on the wire.",
    ),
    rule("CONF-05", "agent MUST NOT", "Boolean options are sent only to clients that advertised them."),
    rule("CONF-06", "agent MAY", "Clients that advertised them may be sent boolean options."),
    unchecked(
      "CONF-07",
      "both MUST NOT",
      "Nothing depends on an option's category.",
      "Policy: dependence on a hint has no form on the wire.",
    ),
    rule("CONF-08", "client MUST", "A missing or unknown category does no harm."),
    rule(
      "CONF-09",
      "both must",
      "Categories of one's own begin with an underscore; the others belong to the protocol.",
      { check: "static" },
    ),
    unchecked(
      "CONF-10",
      "client SHOULD",
      "Options of the model's settings are shown beside the choice of the model.",
      "User interface: where a control is placed.",
    ),
    rule("CONF-11", "agent MUST", "Every option has a current value, which a selection offers."),
    rule("CONF-12", "client SHOULD", "An option of an unknown type is left out, and the others stay."),
    rule(
      "CONF-13",
      "client must",
      "session/set_config_option names an option and one of its values; a boolean is marked as one.",
      { also: "agent", follows: "-32602 otherwise" },
    ),
    rule("CONF-14", "agent MUST", "The answer has all options with their values."),
    rule("CONF-15", "agent must", "config_option_update has all options with their values as well."),
    rule("CONF-16", "both must", "Options may change at any time, also during a turn."),
    rule("CONF-17", "agent SHOULD", "For a while, modes and an option of that category are both sent, and agree."),
    unchecked(
      "CONF-18",
      "client SHOULD",
      "A client without options uses the modes.",
      "User interface: which control is shown.",
    ),
  ],
};
