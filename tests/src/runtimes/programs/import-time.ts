/** Prints what it takes to import the modules on its command line: milliseconds that pass, and of the processor. */
import process from "node:process";

const before = process.cpuUsage();
const started = performance.now();
// One after another, as a program's imports would be found.
for (const module of process.argv.slice(2)) await import(module);
const wall = performance.now() - started;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ wall, cpu: (user + system) / 1000 }));
