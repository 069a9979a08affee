/** What `acp-codegen --help` prints. */
export const help = `Generates TypeScript bindings from a schema of the Agent Client Protocol.

acp-codegen generate <schema.json> --out <dir> [options]
  Writes types.ts, received.ts, decoders.ts, methods.ts, agent.ts, client.ts and index.ts into <dir>,
  and misfits.ts if the rules say what values have to be, such as absolute paths.
  The files import each other with the ending .ts: set allowImportingTsExtensions, or
  rewriteRelativeImportExtensions where tsc emits.

  --out <dir>         The folder of the generated files. It is created if need be.
  --rules <file>      What the schema does not say: gates, what opens a session, what ends a turn (rules.json).
                      The tables of a whole protocol need it; the README of @acp/codegen says what is in it.
  --prose <file>      Descriptions, as Markdown. What has none is listed.
  --prose-base <name>=<file>
                      Another file of descriptions, for those that begin with "As in <name>.".
  --also <file>       Another schema of the version, of whose definitions rules and prose may speak, too
                      (the unstable beside the stable one). Can be given more than once.
  --runtime <module>  The module that has the decoding runtime. Default: @acp/schema
  --check             Writes nothing; fails and lists the files that are not as they would be generated.

acp-codegen import <upstream.json> <ours.json>
  Drops the prose of an upstream schema file, writes the rest to <ours.json>, and prints what changed
  against the file it replaces: added, removed, changed, and what of it is breaking.

acp-codegen infer <recording>... --out <dir> [options]
  Writes extensions.ts and schema.json into <dir>: types and a schema for the extension methods (_...)
  and the _meta that were recorded, both directions, for extend(v1, extensions) of @acp/core.
  A recording has one JSON message a line, or Content-Length frames; by themselves, or in entries as
  @acp/record writes them: { "time", "direction": "sent" or "received", "message" }.

  --out <dir>          The folder of the generated files. It is created if need be.
  --recorded-by <side> Which side made the recording, agent or client. Default: found out from its messages.
  --handled-by <side>  Who handles extension methods where no direction is recorded. Default: agent
  --skip-unreadable    Leaves lines out that are no JSON or nested too deeply, and lists them, instead of failing.

acp-codegen --help
  Prints this.

Errors go to stderr with exit code 1; then nothing was written, unless the error is about writing a file.
`;
