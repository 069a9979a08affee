import { matchExamples, readExamples } from "../examples/index.ts";
import { normalFile, readFileModel } from "../model/schema-file.ts";
import { generate } from "../pipeline/generate.ts";
import { findExamplesLeft, findProseLeft, formatLeft } from "../status/left-to-write.ts";
import { findRulesLeft } from "../status/rules-left.ts";
import { readBinding, readExampleFiles, readInputs } from "./binding.ts";
import type { BindingValues, Output } from "./command-line.ts";
import { orHint } from "./generate-command.ts";

/** `acp-codegen status`: what is left to write about a schema, with a skeleton for each. */
export async function statusCommand(
  values: BindingValues,
  schemaPath: string | undefined,
  output: Output,
): Promise<number> {
  const binding = await readBinding(values, schemaPath);
  const inputs = await readInputs(binding);
  const { model, undocumented } = await orHint(generate(inputs), binding);
  const alsoIn = (inputs.alsoIn ?? []).map((file) => readFileModel(normalFile(file)));
  const examples = matchExamples(readExamples(await readExampleFiles(binding)), { ...inputs.schema, model, alsoIn });
  const { rules, prose, examples: folder } = binding;
  const missing = examples.missing.map((place) => ({ place, model }));
  const left = formatLeft([
    ...(inputs.rules === undefined ? [] : [[rules ?? "", findRulesLeft(inputs.rules, [model])] as const]),
    ...(prose === undefined ? [] : [[prose, findProseLeft(undocumented)] as const]),
    ...(folder === undefined ? [] : [[folder, findExamplesLeft(missing)] as const]),
  ]);
  output.out(left || "Nothing is left to write.\n");
  return 0;
}
