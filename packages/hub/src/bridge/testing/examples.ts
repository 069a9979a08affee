import { readdirSync, readFileSync } from "node:fs";

/** An example of the schema: of a definition, or of a method. */
export interface Example {
  readonly definition?: string;
  readonly value?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** All examples of a version. */
export function examplesOf(version: 1 | 2): readonly Example[] {
  const folder = new URL(`../../../../../schema/v${version}/examples/`, import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .flatMap((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Example[]);
}

/** The examples of updates of a version. */
export function updatesOf(version: 1 | 2): readonly Update[] {
  return examplesOf(version)
    .filter(({ definition }) => definition === "SessionUpdate")
    .map(({ value }) => value as Update);
}

/** An update of either version. */
export interface Update {
  readonly sessionUpdate: string;
  readonly [member: string]: unknown;
}

/** A value as it is after it was sent. */
export function sent<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
