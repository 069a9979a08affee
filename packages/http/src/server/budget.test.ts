import { expect, test } from "vitest";

import { Budget, type Share } from "./budget.ts";

/** Opens a share that gives everything back when it is asked. */
function open(budget: Budget, name: string, asked: string[]): Share {
  const share: Share = budget.open(() => {
    asked.push(name);
    share.end();
  });
  return share;
}

test("the largest share is discarded, whoever exceeds the budget", () => {
  const budget = new Budget(100);
  const asked: string[] = [];
  const [small, large, other] = ["small", "large", "other"].map((name) => open(budget, name, asked));
  small?.add(10);
  large?.add(60);
  other?.add(30);
  expect([budget.held, asked]).toEqual([100, []]);
  small?.add(1);
  expect([budget.held, asked, large?.held]).toEqual([41, ["large"], 0]);
  other?.add(70);
  expect([budget.held, asked]).toEqual([11, ["large", "other"]]);
});

test("a share larger than the whole budget is discarded at once", () => {
  const budget = new Budget(100);
  const asked: string[] = [];
  open(budget, "small", asked).add(100);
  open(budget, "large", asked).add(101);
  expect([budget.held, asked]).toEqual([100, ["large"]]);
});

test("discards as many shares as needed, and asks one that cannot give back only once", () => {
  const budget = new Budget(100);
  const asked: string[] = [];
  const held = budget.open(() => asked.push("held"));
  held.add(90);
  const small = open(budget, "small", asked);
  small.add(8);
  const last = open(budget, "last", asked);
  last.add(5);
  expect(asked).toEqual(["held", "small"]);
  last.add(30);
  expect([asked, budget.held]).toEqual([["held", "small", "last"], 90]);
});

test("a share that shrank without notice is measured before anybody is asked", () => {
  const budget = new Budget(100);
  const asked: string[] = [];
  let waiting = 80;
  const socket = budget.open(
    () => asked.push("socket"),
    () => waiting,
  );
  socket.add(80);
  waiting = 10;
  const other = open(budget, "other", asked);
  other.add(50);
  expect([asked, budget.held]).toEqual([[], 60]);
  other.add(60);
  expect([asked, budget.held]).toEqual([["other"], 10]);
});

test("a share that has ended counts no more, however often it ends", () => {
  const budget = new Budget(100);
  const share = budget.open(() => {});
  share.add(50);
  share.end();
  share.end();
  share.add(10);
  share.add(-10);
  expect([budget.held, share.held]).toEqual([0, 0]);
});
