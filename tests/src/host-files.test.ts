import { describeScenarios } from "./scenarios/run-suite.ts";
import { scenarios } from "./scenarios/files.ts";

describeScenarios("files", scenarios, ["node24"]);
