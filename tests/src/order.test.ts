import { scenarios } from "./scenarios/order.ts";
import { describeScenarios } from "./scenarios/run-suite.ts";

describeScenarios("order", scenarios, ["node24"]);
