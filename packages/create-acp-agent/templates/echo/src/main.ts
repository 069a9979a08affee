#!/usr/bin/env node
// Comes first: what any module prints goes to stderr, because stdout belongs to the protocol.
import "@acp/node/guard";
import { serveStdio } from "@acp/node";
import { agent } from "./agent.ts";

await serveStdio(agent);
