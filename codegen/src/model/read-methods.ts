import { keywordsOf, titleOf } from "./keywords.ts";
import { Place } from "./place.ts";
import type { Problems } from "./problems.ts";
import type { Method, Side } from "./protocol-model.ts";
import type { JsonSchema } from "./schema-document.ts";

const sides: readonly string[] = ["agent", "client", "protocol", "proxy"] satisfies Side[];
const suffix = /^(.+)(Request|Response|Notification)$/;

/** Reads the methods off the definitions marked `x-method` and `x-side`. */
export function readMethods(definitions: Readonly<Record<string, JsonSchema>>, problems: Problems): readonly Method[] {
  const methods: Method[] = [];
  const results = new Map<string, { name: string; method: string; side: string }>();
  for (const [name, schema] of Object.entries(definitions)) problems.collect(() => readMethod(name, schema));
  // Half of the methods would not find the other half.
  problems.throwAll();
  return pair(methods, results, problems);

  function readMethod(name: string, schema: JsonSchema): void {
    const method = schema["x-method"];
    // Upstream releases before 1.4 wrote `both`.
    const side = schema["x-side"] === "both" ? "protocol" : schema["x-side"];
    if (method === undefined && side === undefined) return;
    const place = new Place(name);
    if (typeof method !== "string") throw place.unsupported("`x-side` without `x-method`; add its name on the wire");
    if (!isSide(side)) throw place.unsupported(`\`x-side\` is ${JSON.stringify(side)}, not one of ${sides.join(", ")}`);
    const [, stem, role] = suffix.exec(name) ?? [];
    if (stem === undefined) {
      throw place.unsupported(
        "a definition with `x-method` has to end in Request, Response or Notification; rename it",
      );
    }
    if (role === "Response") {
      results.set(stem, { name, method, side });
      return;
    }
    const kind = role === "Request" ? "request" : "notification";
    if (methods.some((other) => other.name === method && other.side === side && other.kind === kind)) {
      throw place.unsupported(`a second ${kind} ${method} for the side ${side}; delete one of the two`);
    }
    const { title: _, ...documented } = titleOf(keywordsOf(schema, place));
    methods.push({ name: method, side, kind, params: name, gates: [], ...documented });
  }
}

function pair(
  methods: readonly Method[],
  results: ReadonlyMap<string, { name: string; method: string; side: string }>,
  problems: Problems,
): readonly Method[] {
  const used = new Set<string>();
  const withResult = (method: Method): Method => {
    if (method.kind === "notification") return method;
    const stem = method.params.slice(0, -"Request".length);
    const result = results.get(stem);
    if (result === undefined)
      throw new Place(method.params).unsupported(`no definition ${stem}Response; add the result of the request`);
    used.add(stem);
    if (result.method !== method.name || result.side !== method.side) {
      throw new Place(result.name).unsupported(
        `\`x-method\` and \`x-side\` differ from those of ${method.params}; make them equal`,
      );
    }
    return { ...method, result: result.name };
  };
  const paired = methods.flatMap((method) => problems.collect(() => [withResult(method)]) ?? []);
  for (const [stem, { name }] of results) {
    problems.collect(() => {
      if (!used.has(stem))
        throw new Place(name).unsupported(`no definition ${stem}Request; add the params of the request`);
    });
  }
  return paired;
}

function isSide(side: unknown): side is Side {
  return typeof side === "string" && sides.includes(side);
}
