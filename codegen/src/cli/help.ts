/** What `acp-codegen --help` prints. */
export const help = `Generates TypeScript bindings from a schema of the Agent Client Protocol.

acp-codegen init [--schema <file>] [--out <dir>]
  Starts a project with methods of its own. Writes acp-codegen.json and a schema to start from, and adds
  the scripts bindings and bindings:check to package.json. Changes nothing that exists.

  --schema <file>     A schema that you have. Default: writes an example to acme.schema.json
  --out <dir>         The folder of the generated files. Default: src/acme

acp-codegen generate [<schema.json>] [options]
  Writes types.ts, received.ts, decoders.ts, methods.ts, agent.ts, client.ts and index.ts into a folder,
  and checks.ts if the rules say what values have to be, such as absolute paths.
  The files import each other with the ending .ts: set allowImportingTsExtensions, or
  rewriteRelativeImportExtensions where tsc emits.

  --out <dir>         The folder of the generated files. It is created if need be.
  --runtime <module>  The module that has the decoding runtime. Default: @acp/schema
  --check             Writes nothing; fails and lists the files that are not as they would be generated.

acp-codegen import [<upstream.json> <ours.json>] [options]
  Drops the prose of an upstream schema file, writes the rest to <ours.json>, and prints what changed
  against the file it replaces: added, removed, changed, and what of it is breaking.
  Replaces nothing unless bindings can be generated with your rules, prose and examples. Otherwise it
  lists all problems at once.

  --prune             Removes from the rules, prose and examples what the new schema does not have,
                      and lists it.
  --examples <dir>    A folder of examples, which have to be valid.

acp-codegen status [<schema.json>] [options]
  Lists what is left to write: rules, prose and examples, with a skeleton to fill in for each.

  --examples <dir>    A folder of examples.

Options of generate, import and status:
  --config <file>     Has the schema and these options as JSON: schema, out, rules, prose, proseBases,
                      also, examples, runtime, upstream, strict. Paths start at its folder. Read when no schema
                      is named. Default: acp-codegen.json
  --strict            Refuses what JSON Schema permits, but hardly means: unknown keywords, references to
                      anything but definitions, defaults that do not fit. Without it, these are warnings.
  --rules <file>      What the schema does not say: gates, what opens a session, what ends a turn.
                      The tables of a whole protocol need it; the README of @acp/codegen explains it.
  --prose <file>      Descriptions, as Markdown. What has none is listed.
  --prose-base <name>=<file>
                      Another file of descriptions, for those that begin with "As in <name>.".
  --also <file>       Another schema of the version, which rules and prose are about as well (the unstable
                      beside the stable one). Can be given more than once.

acp-codegen diff <old.json> <new.json> [options]
  Prints what changed between two schema files, down to members, variants and values, with the methods that
  carry each type. Says of every change whom it breaks:
    readers  peers that read by the old schema: they may refuse what peers write by the new one
    writers  peers that write by the old schema: the new one may refuse what they write
    sources  TypeScript that uses the types of the old schema: it may not compile with those of the new one
  A new variant of an open union, for example, breaks switches that name every variant, but nothing on the wire.

  --format <format>   text, markdown or json. Default: text
  --fail-on <class>   Exits with code 2 if a change breaks the wire (readers or writers), or sources:
                      wire or source. Give it twice for both.
  --rules <file>      The unions that rules.json lists as openUnions count as open.

acp-codegen infer <recording>... --out <dir> [options]
  Writes extensions.ts and schema.json into <dir>: types and a schema for the extension methods (_...)
  and the _meta that were recorded, both directions, for extend(v1, extensions) of @acp/core.
  A recording has one JSON message a line, or Content-Length frames; by themselves, or in entries as
  @acp/record writes them: { "time", "direction": "sent" or "received", "message" }.
  Needs the package quicktype-core: npm install --save-dev quicktype-core@26

  --out <dir>          The folder of the generated files. It is created if need be.
  --recorded-by <side> The side that made the recording, agent or client. Default: found from its messages.
  --handled-by <side>  The side that handles extension methods where no direction is recorded. Default: agent
  --skip-unreadable    Skips lines that are no JSON or nested too deeply, and lists them, instead of failing.

acp-codegen --help
  Prints this.

Errors go to stderr with exit code 1; then nothing was written, unless the error is about writing a file.
`;
