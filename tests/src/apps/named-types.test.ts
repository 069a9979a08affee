// Whoever writes a hook or a wrapper as a function of its own has to name the types in its signature.
import { fileURLToPath } from "node:url";

import ts from "typescript-5.9";
import { expect, test } from "vitest";

/** The types that `@acp/host` exports and a package's exports mention, and that it does not export itself. */
function missingFrom(runtime: string): readonly string[] {
  const [own, host] = [runtime, "host"].map((name) =>
    fileURLToPath(new URL(`../../../packages/${name}/dist/index.d.ts`, import.meta.url)),
  ) as [string, string];
  const { ESNext: target } = ts.ScriptTarget;
  const program = ts.createProgram([own, host], { module: ts.ModuleKind.NodeNext, target, types: [] });
  const checker = program.getTypeChecker();
  const original = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const exportsOf = (file: string): readonly ts.Symbol[] => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    return module === undefined ? [] : checker.getExportsOfModule(module).map(original);
  };
  const exported = new Set(exportsOf(own));
  const nameable = new Set(exportsOf(host));
  const missing = new Set<string>();
  const visit = (node: ts.Node): void => {
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    const symbol = name && checker.getSymbolAtLocation(name);
    const type = symbol && original(symbol);
    if (type !== undefined && nameable.has(type) && !exported.has(type)) missing.add(type.name);
    ts.forEachChild(node, visit);
  };
  for (const { name, declarations = [] } of exported) {
    // What a runtime is made of is for those who use `@acp/host`.
    if (name !== "Runtime") declarations.forEach(visit);
  }
  return [...missing];
}

test.each(["node", "deno", "bun"])("@acp/%s exports the types that its signatures name", (runtime) => {
  expect(missingFrom(runtime)).toEqual([]);
});
