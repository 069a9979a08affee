import type { Received } from "@acp/schema/v2/types";
import { describe, expect, it } from "vitest";
import { echo, endsOf as ends, idle, output, running } from "../../../test/support/prompt-script.ts";
import { PromptProgress, type SentPrompt } from "./prompt-progress.ts";

describe("PromptProgress ends a prompt", () => {
  it.each<[string, ...(string | Received.SessionUpdate)[]]>([
    ["that is answered before the work", "+1", "=1", echo("1"), running, output, idle("end_turn")],
    ["that is answered while the agent works", "+1", running, "=1", output, idle("end_turn")],
    ["that is answered after all of it, by the id of its message", "+1", echo("1"), running, idle("end_turn"), "=1"],
    [
      "whose message comes in pieces before the answer",
      "+1",
      running,
      { ...output, sessionUpdate: "user_message_chunk", messageId: "1" },
      idle("end_turn"),
      "=1",
    ],
    ["though the agent never says that it is running, if it says anything else", "+1", "=1", output, idle("end_turn")],
    ["by the first idle state, and not by a repeated one", "+1", "=1", running, idle("end_turn"), idle("refusal")],
    [
      "that needs the user in between",
      "+1",
      "=1",
      running,
      { sessionUpdate: "state_update", state: "requires_action" },
      idle("end_turn"),
    ],
    ["that is cancelled, but ends by itself before", "+1", "=1", running, "!", idle("end_turn")],
  ])("%s", (_how, ...script) => {
    expect(ends(...script)).toEqual({ 1: "end_turn" });
  });

  it.each<[string, ...(string | Received.SessionUpdate)[]]>([
    ["an idle state before it is answered", "+1", running, idle("end_turn"), "=1"],
    ["a repeated idle state, with what it said last", "+1", "=1", idle("end_turn")],
    [
      "the end of what the agent did by itself before it was accepted",
      running,
      "+1",
      idle("end_turn"),
      "=1",
      idle("end_turn"),
    ],
    ["the echo of another message", "+1", echo("2"), running, idle("end_turn"), "=1"],
  ])("not by %s", (_how, ...script) => {
    expect(ends(...script)).toEqual({ 1: undefined });
  });
});

describe("PromptProgress tells prompts apart:", () => {
  it("one state ends all that the agent took in while it worked", () => {
    expect(ends("+1", "=1", running, "+2", "=2", idle("end_turn"))).toEqual({ 1: "end_turn", 2: "end_turn" });
  });

  it("one whose message came before its answer ends even while another one waits", () => {
    expect(ends("+1", "+2", echo("1"), "=1", running, idle("end_turn"))).toEqual({ 1: "end_turn", 2: undefined });
  });

  it("a prompt that is held back continues, and has an end of its own", () => {
    const first = ["+1", "=1", running, "+2", idle("end_turn"), "=2"] as const;
    expect(ends(...first)).toEqual({ 1: "end_turn", 2: undefined });
    expect(ends(...first, running, idle("refusal"))).toEqual({ 1: "end_turn", 2: "refusal" });
  });
});

describe("PromptProgress after a cancel", () => {
  it("ends a prompt that had not started, too", () => {
    expect(ends("+1", "=1", "!", idle("cancelled"))).toEqual({ 1: "cancelled" });
  });

  it("ends a prompt whose answer comes only after that", () => {
    expect(ends("+1", running, "!", idle("cancelled"), "=1")).toEqual({ 1: "cancelled" });
  });

  it("ends a prompt with the first end, however late its answer is", () => {
    const script = ["+1", echo("1"), running, "!", idle("cancelled"), running, idle("end_turn"), "=1"] as const;
    expect(ends(...script)).toEqual({ 1: "cancelled" });
    const after = ["+1", echo("1"), running, idle("end_turn"), "!", idle("cancelled"), "=1"] as const;
    expect(ends(...after)).toEqual({ 1: "end_turn" });
  });

  it("does not end a later prompt, even if it has its place already", () => {
    const script = ["+1", "=1", running, "!", "+2", "=2", idle("cancelled")] as const;
    expect(ends(...script)).toEqual({ 1: "cancelled", 2: undefined });
    expect(ends(...script, running, idle("end_turn"))).toEqual({ 1: "cancelled", 2: "end_turn" });
  });

  it("does so neither if its message came before its answer", () => {
    const script = ["+1", "=1", running, "!", "+2", echo("2"), idle("cancelled"), "=2"] as const;
    expect(ends(...script)).toEqual({ 1: "cancelled", 2: undefined });
    expect(ends(...script, running, idle("end_turn"))).toEqual({ 1: "cancelled", 2: "end_turn" });
  });

  it("the agent's own work does not end a prompt sent later, either", () => {
    const script = [running, "!", "+1", "=1", idle("cancelled")] as const;
    expect(ends(...script)).toEqual({ 1: undefined });
    expect(ends(...script, running, idle("end_turn"))).toEqual({ 1: "end_turn" });
    // It was over before the agent received the cancel.
    expect(ends(running, "!", idle("end_turn"), "+1", "=1", running, idle("cancelled"))).toEqual({ 1: "cancelled" });
  });

  it("that another one has sent ends all", () => {
    expect(ends("+1", "=1", running, idle("cancelled"))).toEqual({ 1: "cancelled" });
  });
});

describe("PromptProgress remembers", () => {
  it("no more than so many messages while a prompt waits", () => {
    const echoes = Array.from({ length: 2000 }, (_, at) => echo(`m${at}`));
    const late = (id: string): unknown => {
      const progress = new PromptProgress();
      let end: unknown;
      const prompt: SentPrompt = { isCancelled: false, ends: ({ stopReason }) => void (end = stopReason) };
      progress.sent(prompt);
      for (const update of [running, ...echoes, idle("end_turn")]) progress.onArrived(update);
      progress.accepted(prompt, id);
      return end;
    };
    expect([late("m0"), late("m1999")]).toEqual([undefined, "end_turn"]);
  });
});
