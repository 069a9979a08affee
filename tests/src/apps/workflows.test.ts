// The workflows of a hosted CI, which nothing here can run: that they parse, name what exists, and say that they never ran.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { root } from "../support/packages.ts";
import { isRuntimeName, runtimeNames } from "../support/runtimes.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly "timeout-minutes": number;
  readonly steps: readonly Step[];
  readonly strategy?: { readonly matrix: { readonly os: readonly string[]; readonly runtime?: readonly string[] } };
}

interface Workflow {
  readonly name: string;
  readonly jobs: Readonly<Record<string, Job>>;
}

const folder = join(root, ".github/workflows");
const { scripts }: { readonly scripts: object } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const load = (file: string): Workflow => parse(readFileSync(join(folder, file), "utf8"));

describe.each(readdirSync(folder))("%s", (file) => {
  const workflow = load(file);
  const jobs = Object.values(workflow.jobs);
  const steps = jobs.flatMap((job) => job.steps);

  test("reports that it has never run", () => {
    expect(readFileSync(join(folder, file), "utf8")).toMatch(/^# This workflow has never run anywhere\./u);
  });

  test("runs scripts that exist, and actions of a fixed major version", () => {
    const lines = steps.flatMap(({ run, with: options = {} }) => [run, options["version"], options["publish"]]);
    const commands = lines.filter((line) => typeof line === "string").join("\n");
    const named = [...commands.matchAll(/\bnpm (?:run )?([a-z][a-z:]*)/gu)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^[\w/-]+@v\d+$/u);
    for (const job of jobs) expect(job["timeout-minutes"]).toBeGreaterThan(0);
  });
});

test("CI runs the tests and every runtime on Linux, macOS and Windows", () => {
  const { jobs } = load("ci.yml");
  const systems = ["ubuntu-latest", "macos-latest", "windows-latest"];
  expect(jobs["test"]?.strategy?.matrix.os).toEqual(systems);
  expect(jobs["runtimes"]?.strategy?.matrix.os).toEqual(systems);
  const runtimes = jobs["runtimes"]?.strategy?.matrix.runtime ?? [];
  expect(runtimes.every(isRuntimeName)).toBe(true);
  expect(runtimes).toEqual(runtimeNames);
});

test("publishing compares the repository with that of package.json", () => {
  const commands = load("publish.yml").jobs["publish"]?.steps.flatMap(({ run }) => run ?? []);
  expect(commands?.join("\n")).toContain("release:repository -- --check https://github.com/${{ github.repository }}");
});
