import { describeScenarios } from "./scenarios/run-suite.ts";
import { scenarios } from "./scenarios/stdio.ts";

describeScenarios("stdio", scenarios, ["node24"]);
