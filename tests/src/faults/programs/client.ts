/** The toolkit as the client of raw agents: runs the cells that it reads from stdin, a few at a time. */
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

import { type Cell, nameOf } from "../cell.ts";
import { type Outcome, outcomeOf, tell, watchUnhandled } from "../outcome.ts";
import type { Operation } from "../steps.ts";
import { connect1 } from "./client-1.ts";
import { connect2 } from "./client-2.ts";
import type { Connected, Started } from "./connected.ts";

/** What the client gets to run. */
export interface ClientJob {
  readonly cells: readonly Cell[];
  /** Starts the raw agent, with the cell as JSON behind it. */
  readonly command: string;
  readonly args: readonly string[];
  readonly atATime: number;
}

/** A line of its stdout: what became of a cell, or what must not be. */
export interface ClientReport {
  readonly cell?: Cell;
  readonly outcomes?: Partial<Record<Operation, Outcome>>;
  /** Processes of its agent that are still there. */
  readonly left?: readonly number[];
  readonly problem?: string;
}

const running = new Set<string>();
watchUnhandled((problem) =>
  tell(1, { problem: `${problem}, during ${[...running].join(" or ")}` } satisfies ClientReport),
);

async function runCell(cell: Cell, { command, args }: ClientJob): Promise<Partial<Record<Operation, Outcome>>> {
  const outcomes: Partial<Record<Operation, Outcome>> = {};
  const attempt = async <T>(operation: Operation, promise: Promise<T>): Promise<T | undefined> => {
    const outcome = (outcomes[operation] = await outcomeOf(promise));
    return outcome.state === "resolved" ? promise : undefined;
  };
  const program = { command, args: [...args, JSON.stringify(cell)] };
  const agent = await attempt("initialize", cell.version === 1 ? connect1(cell, program) : connect2(cell, program));
  if (agent === undefined) return outcomes;
  await attempt("authenticate", agent.authenticate());
  const opened = await attempt("new", agent.open());
  const loaded = await attempt("load", agent.load());
  const session = loaded ?? opened;
  if (session !== undefined) {
    await attempt("prompt", session.prompt("work").ended);
    await attempt("cancel", cancelled(session.prompt("wait")));
    await attempt("close", session.close());
  }
  await attempt("probe", probe(agent));
  await agent.close();
  return outcomes;
}

/** Cancels as soon as something has arrived. */
async function cancelled({ first, cancel, ended }: Started): Promise<string> {
  await Promise.race([first, ended]);
  cancel();
  return ended;
}

/** Another session on the same connection. */
async function probe(agent: Connected): Promise<string> {
  const session = await agent.open();
  return session.prompt("probe").ended;
}

/** The processes that have this argument; Linux only. */
function processesWith(wanted: string): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name))
    .filter((name) => argumentsOf(name).includes(wanted))
    .map(Number);
}

function argumentsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

async function work(cells: Cell[], job: ClientJob): Promise<void> {
  for (let cell = cells.shift(); cell !== undefined; cell = cells.shift()) {
    const name = nameOf(cell);
    running.add(name);
    // As many at a time as there are workers.
    const outcomes = await runCell(cell, job);
    tell(1, { cell, outcomes, left: processesWith(JSON.stringify(cell)) } satisfies ClientReport);
    running.delete(name);
  }
}

let input = "";
for await (const chunk of process.stdin.setEncoding("utf8")) input += chunk;
const job = JSON.parse(input) as ClientJob;
const left = [...job.cells];
await Promise.all(Array.from({ length: job.atATime }, () => work(left, job)));
// Nothing ends this program now: it has to end by itself.
