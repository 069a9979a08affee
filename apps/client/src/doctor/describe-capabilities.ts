/** What capabilities mean, by their paths in both versions of the protocol. */
const meanings: Readonly<Record<string, string>> = {
  loadSession: "loads sessions with their history",
  "promptCapabilities.image": "takes images",
  "promptCapabilities.audio": "takes audio",
  "promptCapabilities.embeddedContext": "takes the text of files in prompts",
  "mcpCapabilities.http": "uses MCP servers over HTTP",
  "mcpCapabilities.sse": "uses MCP servers over SSE",
  "mcpCapabilities.acp": "uses MCP servers of the client",
  "sessionCapabilities.list": "lists sessions",
  "sessionCapabilities.delete": "deletes sessions",
  "sessionCapabilities.resume": "resumes sessions without their history",
  "sessionCapabilities.close": "closes sessions",
  "sessionCapabilities.fork": "forks sessions",
  "sessionCapabilities.additionalDirectories": "works in several directories",
  "auth.logout": "logs out",
  session: "opens, lists, resumes and closes sessions",
  "session.prompt.image": "takes images",
  "session.prompt.audio": "takes audio",
  "session.prompt.embeddedContext": "takes the text of files in prompts",
  "session.mcp.http": "uses MCP servers over HTTP",
  "session.mcp.stdio": "uses MCP servers over stdio",
  "session.mcp.acp": "uses MCP servers of the client",
  "session.delete": "deletes sessions",
  "session.fork": "forks sessions",
  "session.additionalDirectories": "works in several directories",
};

/** Capabilities in words; below them those without a meaning here, such as extensions, by their paths. */
export function describeCapabilities(capabilities: unknown): readonly string[] {
  const paths = [...advertised(capabilities, "")];
  const known = paths.flatMap((path) => (Object.hasOwn(meanings, path) ? (meanings[path] ?? []) : []));
  return [...known, ...paths.filter((path) => !Object.hasOwn(meanings, path))];
}

/** The paths of all that is true, or an object. Of an extension, only its name counts. */
function* advertised(value: unknown, path: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (member === false || member === null || member === undefined) continue;
    const inner = path === "" ? name : `${path}.${name}`;
    const isGroup = typeof member === "object" && name !== "_meta" && !path.includes("_meta");
    if (Object.hasOwn(meanings, inner) || !isGroup) {
      if (name !== "_meta") yield inner;
    }
    if (isGroup || (name === "_meta" && typeof member === "object")) yield* advertised(member, inner);
  }
}
