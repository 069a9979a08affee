import { expect, test } from "vitest";

import { agentChecks } from "../agent/checks/index.ts";
import { selectChecks, unknownWords } from "../engine/select-checks.ts";
import { areas } from "../requirements/index.ts";
import { acpTck, kitIdsOf } from "./acp-tck.ts";

const rules = new Set(areas.flatMap(({ requirements }) => requirements.map(({ id }) => id)));

test("each requirement of the kit is mapped to rules that there are", () => {
  const broken = Object.entries(acpTck).filter(([, ids]) => ids.length === 0 || ids.some((id) => !rules.has(id)));
  expect(broken).toEqual([]);
  expect(Object.keys(acpTck).filter((id) => !/^ACP-[A-Z-]+-\d{3}$/u.test(id))).toEqual([]);
});

test("checks are selected by the kit's ids", () => {
  const found = selectChecks(agentChecks, { only: ["ACP-INIT-003"], protocol: 1 });
  expect(found.length).toBeGreaterThan(0);
  expect(found.every(({ rules: own = [] }) => own.includes("INIT-09"))).toBe(true);
  expect(unknownWords(agentChecks, ["ACP-INIT-003", "ACP-NOTHING-001"])).toEqual(["ACP-NOTHING-001"]);
});

test("a rule has the kit's ids of the version", () => {
  expect(kitIdsOf(["CANC-05"], 1)).toEqual(["ACP-CANCEL-001"]);
  expect(kitIdsOf(["CANC-05"], 2)).toEqual(["ACP-CANCEL-201"]);
  expect(kitIdsOf(["RPC-04"], 2)).toEqual(["ACP-JSONRPC-001"]);
  expect(kitIdsOf(["CANC-09"], 1)).toEqual([]);
});
