import { namesSession } from "../../model/names-session.ts";
import type { ProtocolModel } from "../../model/protocol-model.ts";
import { docComment, type Lines } from "../code.ts";

/** Emits the names of all methods of agents that name a session, for servers that do not know the version of a message. */
export function emitSessionMethods(models: readonly ProtocolModel[], options: { readonly header: Lines }): string {
  const methods = models.flatMap((model) =>
    model.methods.filter((method) => method.side === "agent" && namesSession(model, method)),
  );
  const names = [...new Set(methods.map(({ name }) => name))].toSorted();
  const text = [
    ...options.header,
    "",
    ...docComment("The methods of an agent whose params name a session, in any version."),
    "export const sessionMethods: ReadonlySet<string> = /* @__PURE__ */ new Set([",
    ...names.map((name) => `  ${JSON.stringify(name)},`),
    "]);",
  ];
  return `${text.join("\n")}\n`;
}
