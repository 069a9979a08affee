import { Ajv2020, type Options } from "ajv/dist/2020.js";
import { numberFormats, stringFormats } from "../../model/formats.ts";
import { protocolKeywords } from "../../model/keywords.ts";
import { Place } from "../../model/place.ts";
import { Problems } from "../../model/problems.ts";
import { type JsonSchema, SchemaError } from "../../model/schema-document.ts";
import { reasonOf } from "../../reason-of.ts";

/** Unknown formats, each with the type of value it is for. */
export type UnknownFormats = ReadonlyMap<string, "string" | "number">;

/** Our own, from the rules beside the schema. */
const ruleFormats = ["absolute-path", "base64", "extension-name"] as const;

/**
 * An ajv for draft 2020-12 in full strict mode that knows the protocol's annotations and formats, for tests: it throws
 * on a keyword or format that it does not know.
 *
 * The formats accept everything here; what they check is in the run-time module of the compiled validators.
 */
export function strictAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, logger: false, ...options });
  for (const keyword of protocolKeywords) ajv.addKeyword(keyword);
  for (const format of Object.keys(numberFormats)) ajv.addFormat(format, { type: "number", validate: () => true });
  for (const format of [...stringFormats, ...ruleFormats])
    ajv.addFormat(format, { type: "string", validate: () => true });
  return ajv;
}

/**
 * The same for any definitions that `checkDefinitions` has looked through: of what ajv refuses in strict mode, only what
 * has no meaning is left out, and that is refused or reported already.
 */
export function definitionAjv(formats: UnknownFormats, options: Options = {}): Ajv2020 {
  const ajv = strictAjv({
    strictSchema: "log",
    strictTypes: false,
    strictTuples: false,
    strictRequired: false,
    ...options,
  });
  const validate = (): boolean => true;
  for (const [format, type] of formats) {
    ajv.addFormat(format, type === "string" ? { type, validate } : { type, validate });
  }
  return ajv;
}

/** What `compile` returns. @throws SchemaError naming all definitions that ajv refuses: its errors name a path at most. */
export function orNotTaken<T>(
  definitions: Readonly<Record<string, JsonSchema>>,
  formats: UnknownFormats,
  compile: () => T,
): T {
  try {
    return compile();
  } catch (cause) {
    const others = Object.fromEntries(Object.keys(definitions).map((name) => [name, {}]));
    const problems = new Problems();
    for (const [name, definition] of Object.entries(definitions)) {
      problems.collect(() => {
        const ajv = definitionAjv(formats).addSchema({ $id: "acp", $defs: { ...others, [name]: definition } });
        try {
          ajv.getSchema(`acp#/$defs/${name}`);
        } catch (error) {
          throw new Place(name).unsupported(reasonOf(error));
        }
      });
    }
    problems.throwAll();
    throw new SchemaError(reasonOf(cause), { cause });
  }
}
