import { describeScenarios } from "./scenarios/run-suite.ts";
import { scenarios } from "./scenarios/terminals.ts";

describeScenarios("terminals", scenarios, ["node24"]);
