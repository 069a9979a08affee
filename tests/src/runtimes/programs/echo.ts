/** Prints as JSON how it was started: what stands behind `--` on its command line, where, and which variables of ours it has. */
import { process } from "../platform.ts";

const args = process.argv.slice(process.argv.indexOf("--") + 1);
const env = Object.entries(process.env).filter(([name]) => /^acp_case$/iu.test(name));
process.stdout.write(JSON.stringify({ args, cwd: process.cwd(), env }));
