import { describeScenarios } from "./scenarios/run-suite.ts";
import { scenarios } from "./scenarios/process.ts";

describeScenarios("process", scenarios, ["node24"]);
