// Writes what the site shows and no file has: the rules and the API, into `site/generated`.
import { writeApi } from "./api.ts";
import { buildFrame } from "./playground/build.ts";
import { writeRules } from "./rules.ts";

writeRules(new URL("generated/rules/", import.meta.url));
await writeApi(new URL("generated/api/", import.meta.url));
await buildFrame(new URL("generated/frame.js", import.meta.url));
