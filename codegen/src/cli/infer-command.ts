import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { inferExtensions } from "../infer/infer-extensions.ts";
import { readRecording, type Recording, type Side } from "../infer/recording.ts";
import { collectSamples } from "../infer/samples.ts";
import { writeOutput } from "../pipeline/output.ts";
import { type InferValues, type Output, UsageError } from "./command-line.ts";
import { reasonOf } from "../reason-of.ts";

/** How many of the lines that cannot be read are named. */
const toldLines = 20;

/** `acp-codegen infer`: types of what extension methods were seen to carry. */
export async function inferCommand(values: InferValues, paths: readonly string[], output: Output): Promise<number> {
  if (paths.length === 0) throw new UsageError("`infer` takes recordings: see acp-codegen --help");
  if (values.out === undefined) throw new UsageError("`infer` needs --out: the folder of the generated files");
  const options = {
    recordedBy: readSide("recorded-by", values["recorded-by"]),
    handledBy: readSide("handled-by", values["handled-by"]),
  };
  const recordings: Recording[] = [];
  for (const path of paths) recordings.push(readRecording(await readBytes(path), basename(path)));
  const unreadable = recordings.flatMap((recording) => recording.unreadable);
  if (unreadable.length > 0) {
    const told = listed(unreadable);
    if (!values["skip-unreadable"]) {
      throw new UsageError(`cannot read everything; --skip-unreadable leaves it out\n${told}`);
    }
    output.error(`Left out:\n${told}\n`);
  }
  const messages = recordings.map((recording) => recording.messages);
  const samples = collectSamples(messages, options);
  if (samples.methods.length === 0 && samples.metas.length === 0) {
    const count = messages.flat().length;
    throw new UsageError(`there is no extension method and no _meta in the ${count} messages that were read`);
  }
  const { files } = await inferExtensions(samples);
  const directory = resolve(values.out);
  const written = new Map(Object.entries(files).map(([name, content]) => [join(directory, name), content]));
  // No folder to clean up: nothing else in it is of this command's making.
  await writeOutput(written, { directories: [] });
  for (const note of samples.notes) output.error(`${note}\n`);
  const noise = recordings.reduce((sum, recording) => sum + recording.noise, 0);
  if (noise > 0) output.error(`Left out as no messages: ${noise}\n`);
  output.out(`Extension methods: ${samples.methods.length}. Places with _meta: ${samples.metas.length}.\n`);
  return 0;
}

function readSide(option: string, value: string | undefined): Side | undefined {
  if (value === undefined || value === "agent" || value === "client") return value;
  throw new UsageError(`--${option} is agent or client, not ${value}`);
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new UsageError(`cannot read ${path}: ${reasonOf(cause)}`, { cause });
  }
}

function listed(lines: readonly string[]): string {
  const more = lines.length > toldLines ? [`  and ${lines.length - toldLines} more`] : [];
  return [...lines.slice(0, toldLines).map((line) => `  ${line}`), ...more].join("\n");
}
