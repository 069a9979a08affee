import type { Method, ProtocolModel, Side } from "../../model/protocol-model.ts";
import { block, docComment, type Lines, propertyKey } from "../code.ts";

/** Emits who handles the methods of some schemas, for readers of messages of which the version is not known. */
export function emitHandlers(models: readonly ProtocolModel[], options: { readonly header: Lines }): string {
  const methods = models.flatMap((model) => model.methods);
  const text = [
    ...options.header,
    "",
    ...docComment("The side that handles each method, by kind and name; `protocol` means either side."),
    ...block(
      'export const handlers: Readonly<Record<"notification" | "request", Readonly<Record<string, string>>>> =',
      [
        ...block("request:", entries(methods, "request")).map(withComma),
        ...block("notification:", entries(methods, "notification")).map(withComma),
      ],
    ),
  ];
  return `${text.join("\n")};\n`;
}

function entries(methods: readonly Method[], kind: Method["kind"]): Lines {
  const own = methods.filter((method) => method.kind === kind);
  const names = [...new Set(own.map(({ name }) => name))].toSorted();
  return names.map((name) => {
    const sides = new Set<Side>(own.filter((method) => method.name === name).map(({ side }) => side));
    const side: Side = sides.size === 1 ? [...sides][0]! : "protocol";
    return `${propertyKey(name)}: ${JSON.stringify(side)},`;
  });
}

function withComma(line: string): string {
  return line === "}" ? "}," : line;
}
