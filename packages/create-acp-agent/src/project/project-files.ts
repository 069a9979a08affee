import { absoluteCommand, quote, translateCommands } from "./commands.ts";
import { denoText, manifestText } from "./manifest.ts";
import type { Files, Plan } from "./plan.ts";
import { readTemplate } from "./template-files.ts";
import { workflowText } from "./workflow.ts";

/** The files of a project: those of its template, with the names, versions and commands of the plan. */
export function projectFiles(plan: Plan): Files {
  const files = new Map<string, string>();
  for (const [path, text] of readTemplate(plan.template, plan.language)) {
    if (path === ".oxlintrc.json" && plan.runtime === "deno") continue;
    files.set(named(path, plan), contentOf(path, text, plan));
  }
  const manifest = files.get("package.json") ?? "{}";
  if (plan.runtime === "deno") files.set("deno.json", denoText(manifest, plan));
  files.set("package.json", manifestText(manifest, plan));
  if (plan.packageManager === "yarn") files.set(".yarnrc.yml", "nodeLinker: node-modules\n");
  if (plan.packageManager === "pnpm" && plan.tarballs !== undefined) {
    const overrides = Object.fromEntries([...plan.tarballs].map(([name, file]) => [name, `file:${file}`]));
    files.set("pnpm-workspace.yaml", `${JSON.stringify({ overrides }, undefined, 2)}\n`);
  }
  return files;
}

function contentOf(path: string, text: string, plan: Plan): string {
  const translated = named(withPaths(translateCommands(text, plan), plan), plan);
  if (path.startsWith(".github/")) return workflowText(translated, plan);
  // The registry installs by the name of the package.
  return path.endsWith("/agent.json") ? translated.replace(`"${plan.id}@`, `"${plan.packageName}@`) : translated;
}

/** The real name in place of that of the template. */
function named(text: string, { id, title }: Plan): string {
  return text
    .replaceAll(/\bmy-(?:agent|client|page)\b/gu, () => id)
    .replaceAll(/\bMy (?:agent|client|page)\b/gu, () => title);
}

/** The real command in place of that of the template, in JSON and for shells. */
function withPaths(text: string, plan: Plan): string {
  const [command, ...args] = absoluteCommand(plan);
  const all = [command, ...args];
  return text
    .replaceAll(
      /"command": "node", "args": \["\/path\/to\/my-\w+\/src\/main\.\w+"\]/gu,
      () => `"command": ${JSON.stringify(command)}, "args": ${JSON.stringify(args)}`,
    )
    .replaceAll(/\bnode \/path\/to\/my-\w+\/src\/main\.\w+/gu, () => all.map(quote).join(" "));
}
