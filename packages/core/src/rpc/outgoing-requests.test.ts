import { describe, expect, it } from "vitest";
import { type OutgoingRequest, OutgoingRequests } from "./outgoing-requests.ts";

function setUp() {
  const requests = new OutgoingRequests();
  const send = (sentAt: number, sessionId?: string): OutgoingRequest => {
    const request: OutgoingRequest = {
      id: requests.nextId(),
      method: "m",
      sentAt,
      sessionId,
      entry: undefined,
      owner: undefined,
      abandoned: false,
      resolve: () => {},
      reject: () => {},
    };
    requests.add(request);
    return request;
  };
  return { requests, send };
}

describe("isWaitingSince()", () => {
  it("counts later calls: all of them, or those for this session or for none", () => {
    for (const [of, here] of [
      ["s", true],
      [undefined, true],
      ["other", false],
    ] as const) {
      const { requests, send } = setUp();
      const request = send(5, of);
      expect([requests.isWaitingSince(4), requests.isWaitingSince(4, "s")]).toEqual([true, here]);
      expect([requests.isWaitingSince(5), requests.isWaitingSince(5, "s")]).toEqual([false, false]);
      // A later one for another session changes nothing.
      send(6, "third");
      expect([requests.isWaitingSince(4, "s"), requests.isWaitingSince(5, "s")]).toEqual([here, false]);
      request.abandoned = true;
      expect(requests.isWaitingSince(4, "s")).toBe(false);
    }
  });
});

describe("strip()", () => {
  it("keeps the note of an answer, and nothing that leads to its caller", () => {
    const { requests, send } = setUp();
    const request = Object.assign(send(1, "s"), { owner: {}, call: {}, abandoned: true, cancelsQuestions: true });
    requests.strip(request);
    const kept = requests.take(request.id)!;
    expect(kept).toMatchObject({ id: 1, method: "m", sessionId: "s", abandoned: true, cancelsQuestions: true });
    for (const member of ["owner", "call", "resolve", "reject"] as const)
      expect(kept[member]).not.toBe(request[member]);
    expect(requests.wasAnswered(1)).toBe(true);
  });

  it("leaves answered calls alone", () => {
    const { requests, send } = setUp();
    const request = send(1);
    requests.take(request.id);
    requests.strip(request);
    expect(requests.get(request.id)).toBeUndefined();
  });
});

describe("wasAnswered()", () => {
  it("knows the ids that were used and wait no more", () => {
    const { requests, send } = setUp();
    const [first] = [send(1), send(2)];
    expect(requests.take(1)).toBe(first);
    expect([0, 1, 1.5, 2, 3, "1", null, undefined].map((id) => requests.wasAnswered(id))).toEqual([
      false,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
