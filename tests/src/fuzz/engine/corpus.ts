import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Target } from "../target.ts";

const root = new URL("../../../../", import.meta.url);

/** The inputs of a target that are kept, in the repository: one a line, in base 64. Each takes a way that no other takes. */
function corpusFile({ name }: Target): URL {
  return new URL(`tests/data/fuzz/${name}.txt`, root);
}

/** The kept inputs of a target, and its seeds. */
export function corpusOf(target: Target): readonly Uint8Array[] {
  const file = corpusFile(target);
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const kept = lines.filter((line) => line !== "").map((line) => new Uint8Array(Buffer.from(line, "base64")));
  return [...target.seeds.map((seed) => new Uint8Array(Buffer.from(seed, "latin1"))), ...kept];
}

export function writeCorpus(target: Target, inputs: readonly Uint8Array[]): void {
  mkdirSync(new URL(".", corpusFile(target)), { recursive: true });
  writeFileSync(corpusFile(target), inputs.map((input) => `${Buffer.from(input).toString("base64")}\n`).join(""));
}

/** Writes an input that fails; returns the path of the file. */
export function keepFailure(target: Target, input: Uint8Array): string {
  const directory = fileURLToPath(new URL(`node_modules/.cache/fuzz/${target.name}/`, root));
  mkdirSync(directory, { recursive: true });
  const file = `${directory}fails-${createHash("sha1").update(input).digest("hex").slice(0, 12)}`;
  writeFileSync(file, input);
  return file;
}
