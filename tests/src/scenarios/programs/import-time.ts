/** Prints how many milliseconds it takes to import the modules on its command line. */
import process from "node:process";

const started = performance.now();
// One after another, as a program's imports would be found.
for (const module of process.argv.slice(2)) await import(module);
process.stdout.write(`${performance.now() - started}\n`);
