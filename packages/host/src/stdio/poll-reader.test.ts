import { expect, test } from "vitest";

import { pollReader } from "./poll-reader.ts";

test("pollReader() looks on until nobody reads any more, or it is stopped", () => {
  for (const stops of [false, true]) {
    const due: (() => void)[] = [];
    const told: string[] = [];
    let isUnread = false;
    const stop = pollReader(
      (task) => due.push(task),
      () => isUnread,
      () => told.push("unread"),
    );
    due.shift()?.();
    due.shift()?.();
    expect([due.length, told]).toEqual([1, []]);
    isUnread = true;
    if (stops) stop();
    due.shift()?.();
    expect([due.length, told]).toEqual([0, stops ? [] : ["unread"]]);
  }
});
