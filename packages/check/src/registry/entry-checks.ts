import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

import type { AgentCheck } from "../agent/agent-context.ts";
import { CheckFailure, expectThat, NotApplicable, NotReached } from "../engine/check.ts";
import { distributionProblems, entryProblems } from "./entry.ts";
import { iconProblems } from "./icon.ts";

/** What the registry demands of the folder of an agent. */
export function entryChecks(folder: string): readonly AgentCheck[] {
  const about = { side: "agent", level: "must", protocols: [1] } as const;
  return [
    {
      ...about,
      id: "registry-entry",
      title: "agent.json has what the registry needs, and the id that its folder is named after",
      mend: "Give agent.json an id (small letters, digits and hyphens) that is the name of its folder, a name, a version such as 1.0.0, a description, and nothing but text in its other members.",
      run: () => expectNone(entryProblems(readEntry(folder), basename(resolve(folder)))),
    },
    {
      ...about,
      id: "registry-distribution",
      title: "agent.json names packages or archives of exactly its version, for each system",
      mend: "Name the version of agent.json in each package and address, and never latest. With binary, offer archives for darwin, linux and windows.",
      run: () => expectNone(distributionProblems(readEntry(folder))),
    },
    {
      ...about,
      id: "registry-icon",
      title: "icon.svg is a square of 16 by 16, drawn in currentColor",
      mend: 'Draw the icon with width="16" height="16", and with fill and stroke of nothing but currentColor or none.',
      run: () => {
        const icon = readText(join(folder, "icon.svg"));
        if (icon === undefined) throw new NotApplicable("There is no icon.svg, which is optional");
        return expectNone(iconProblems(icon));
      },
    },
  ];
}

async function expectNone(problems: readonly string[]): Promise<void> {
  expectThat(problems.length === 0, problems.join("\n"));
}

function readEntry(folder: string): unknown {
  const file = join(folder, "agent.json");
  const text = readText(file);
  if (text === undefined) throw new NotReached(`There is no ${file}`);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new CheckFailure(`agent.json is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
