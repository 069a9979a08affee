// A repository whose schemas have two methods: all that the generator does, in a moment.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const boolean = { type: "boolean", default: false };
const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more });
const ref = (name: string): object => ({ allOf: [{ $ref: `#/$defs/${name}` }] });

const initialize = { "x-side": "agent", "x-method": "initialize" };
const readTextFile = { "x-side": "client", "x-method": "fs/read_text_file" };

const schema = {
  $defs: {
    InitializeRequest: object(
      { protocolVersion: { type: "integer" }, clientCapabilities: ref("ClientCapabilities") },
      { required: ["protocolVersion"], ...initialize },
    ),
    InitializeResponse: object(
      { protocolVersion: { type: "integer" }, agentCapabilities: ref("AgentCapabilities") },
      { required: ["protocolVersion"], ...initialize },
    ),
    AgentCapabilities: object({ plans: boolean }),
    ClientCapabilities: object({ fs: ref("FileSystemCapabilities") }),
    FileSystemCapabilities: object({ readTextFile: boolean, writeTextFile: boolean }),
    ReadTextFileRequest: object(
      { path: { type: "string" }, line: { type: ["integer", "null"], minimum: 0 } },
      { required: ["path"], ...readTextFile },
    ),
    ReadTextFileResponse: object({ content: { type: "string" } }, { required: ["content"], ...readTextFile }),
    Plan: object({ planId: { type: "string" } }),
  },
};

const rules = (protocolVersion: number): object => ({
  protocolVersion,
  capabilities: { agent: "AgentCapabilities", client: "ClientCapabilities" },
  openUnions: [],
  hot: ["ReadTextFileRequest", "ReadTextFileResponse"],
  tolerated: [],
  opensSession: {},
  endsSession: [],
  endsTurn: [],
  unqueued: [],
  gates: { "fs/read_text_file": [{ capability: "fs.readTextFile" }] },
  setup: {},
  variants: {},
  values: { path: ["ReadTextFileRequest.path"], line: ["ReadTextFileRequest.line"] },
});

const prose = `# Protocol

# Everywhere

## *

- \`protocolVersion\`: The version of the protocol.

## InitializeRequest

Opens a connection.

- \`clientCapabilities\`: What the client can do.

## InitializeResponse

The agent's side of it.

- \`agentCapabilities\`: What the agent can do.

## AgentCapabilities

What an agent can do.

- \`plans\`: It makes plans.

## ClientCapabilities

What a client can do.

- \`fs\`: What it does with files.

## FileSystemCapabilities

What a client does with files.

- \`readTextFile\`: It reads them.
- \`writeTextFile\`: It writes them.

## ReadTextFileRequest

Asks for the text of a file.

- \`path\`: The file, as an absolute path.
- \`line\`: The first line, from 1.

## ReadTextFileResponse

The text of a file.

- \`content\`: The text, or the lines that were asked for.

## Plan

What an agent is going to do.

- \`planId\`: Names the plan.
`;

const examples = (protocolVersion: number): Readonly<Record<string, object>> => ({
  "client-tools.json": [
    { method: "fs/read_text_file", params: { path: "/home/ada/cart.ts", line: 12 }, result: { content: "const" } },
  ],
  "connection.json": [
    {
      method: "initialize",
      params: { protocolVersion, clientCapabilities: { fs: { readTextFile: true } } },
      result: { protocolVersion, agentCapabilities: { plans: true } },
    },
  ],
});

/** Writes what the generator reads. */
export function writeSmallRepository(root: string): void {
  const write = (file: string, content: string | object): void => {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  };
  for (const version of [1, 2]) {
    const folder = `schema/v${version}`;
    write(`${folder}/schema.json`, schema);
    write(`${folder}/schema.unstable.json`, schema);
    write(`${folder}/rules.json`, rules(version));
    write(`${folder}/prose.md`, prose);
    write(`${folder}/introduction.md`, "A small protocol.\n");
    for (const [name, content] of Object.entries(examples(version))) write(`${folder}/examples/${name}`, content);
  }
}
