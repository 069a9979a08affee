import { call } from "./call.ts";
import { fix } from "./fix.ts";
import { form } from "./form.ts";
import { createHelp } from "./help.ts";
import type { Instruction } from "./instruction.ts";
import { mode } from "./mode.ts";
import { plan } from "./plan.ts";
import { read } from "./read.ts";
import { run } from "./run.ts";
import { search } from "./search.ts";
import { test } from "./test.ts";
import { tools } from "./tools.ts";
import { visit } from "./visit.ts";
import { write } from "./write.ts";

const others: readonly Instruction[] = [fix, test, read, write, run, search, plan, mode, form, visit, tools, call];

/** All instructions that the agent understands. */
export const instructions: readonly Instruction[] = [...others, createHelp(others)];
