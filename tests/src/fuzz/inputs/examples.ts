import { readdirSync, readFileSync } from "node:fs";

import type { Version } from "../../faults/steps.ts";

/** A message of the protocol as it should be. */
export interface Example {
  readonly method: string;
  readonly params: unknown;
  /** Of a request. */
  readonly result?: unknown;
}

const schema = new URL("../../../../schema/", import.meta.url);

/** The examples of the reference. */
export const examples: Readonly<Record<Version, readonly Example[]>> = { 1: read("v1"), 2: read("v2") };

function read(version: string): readonly Example[] {
  const directory = new URL(`${version}/examples/`, schema);
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, directory), "utf8")) as readonly Example[]);
}
