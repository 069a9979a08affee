import { type Area, rule, unchecked } from "../requirement.ts";

export const mcpServers: Area = {
  prefix: "MCP",
  title: "MCP servers",
  requirements: [
    rule("MCP-01", "client MAY", "Calls that open a session may name MCP servers."),
    rule("MCP-02", "agent MUST", "An agent connects to MCP servers over stdio."),
    rule("MCP-03", "agent SHOULD", "An agent connects to MCP servers over HTTP."),
    rule("MCP-04", "client MUST", "MCP servers over http or sse are named only if the agent advertised that kind."),
    rule("MCP-05", "agent SHOULD", "An agent connects to all MCP servers it is given."),
    unchecked(
      "MCP-06",
      "client MAY",
      "A client may offer tools of its own as an MCP server.",
      "Choice of the client: which servers it names is its own affair.",
    ),
    rule(
      "MCP-07",
      "client must",
      "An MCP server over stdio has a name, an absolute command, arguments and variables, and needs no type.",
      { follows: "the schema; prose has the variables optional" },
    ),
    rule("MCP-08", "client must", "An MCP server over http has its type, a name, an address and headers."),
    rule(
      "MCP-09",
      "client must",
      "An MCP server over sse has its type, a name, an address and headers; the kind is on its way out.",
    ),
  ],
};
