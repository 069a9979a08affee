import { scenarios } from "./scenarios/main-job.ts";
import { describeScenarios } from "./scenarios/run-suite.ts";

describeScenarios("main-job", scenarios, ["node24"]);
