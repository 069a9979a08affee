// Made-up secrets, and texts that look like some. No scanner of repositories may take one for real: a broken bar, which is
// removed here, stands in each that has the form of a token or of a key.
import { readFileSync } from "node:fs";

/** A text or a message with secrets. */
export interface PlantedSecret {
  readonly text?: string;
  readonly value?: unknown;
  /** No part of what is written may contain one of these. */
  readonly secrets: readonly string[];
  /** Only what follows tells that it is a secret, so that it is not recognised in pieces. */
  readonly whole?: true;
}

/** A text or a message that has to stay as it is. */
export interface LookAlike {
  readonly text?: string;
  readonly value?: unknown;
}

export const plantedSecrets: readonly PlantedSecret[] = read("secrets.json") as readonly PlantedSecret[];
export const lookAlikes: readonly LookAlike[] = read("look-alikes.json") as readonly LookAlike[];

function read(name: string): unknown {
  const json = readFileSync(new URL(name, import.meta.url), "utf8");
  return JSON.parse(json.replaceAll("¦", ""));
}

/** The planted secrets that are in a text. */
export function secretsIn(written: string, planted: Iterable<PlantedSecret> = plantedSecrets): readonly string[] {
  const found: string[] = [];
  for (const { secrets, text, value } of planted) {
    for (const secret of secrets) {
      // In JSON, a secret has backslashes before its quotes.
      if (written.includes(secret)) found.push(`${secret} of ${text ?? JSON.stringify(value)}`);
    }
  }
  return found;
}
