import { answered, invalid, noSession, notClaimed, request } from "../message.ts";
import type { Role, Row, Theme } from "../row.ts";

/** A request of the right shape that breaks a rule: it is refused with the place. */
function breaking(role: Role, name: string, method: string, params: string, path: string, rule: string): Row {
  const expected = { answers: [invalid("1", path)], diagnostics: [`invalid-message ${method} ${path}`] };
  const row = { name, rules: [rule, "RPC-08"], sends: [request("1", method, params)] };
  return role === "agent" ? { ...row, agent: expected } : { ...row, client: expected };
}

function withoutSession(role: Role, method: string, params: string): Row {
  const refused = role === "agent" ? noSession : notClaimed;
  const expected = { answers: [refused], diagnostics: [`invalid-message ${method} /sessionId`] };
  const row = {
    name: `${method} for a session that is not open`,
    rules: ["SESS-26"],
    sends: [request("1", method, params)],
  };
  return role === "agent" ? { ...row, agent: expected } : { ...row, client: expected };
}

/** A question in a session that the agent has opened by itself, which the user answers. */
function ofAgent(method: string, params: string, result: string): Row {
  return {
    name: `${method} for a session that the client has not opened`,
    sends: [request("1", method, params)],
    client: { answers: [answered("1", result)], diagnostics: ["unclaimed-session"] },
  };
}

const unopened = '"sessionId":"hunter2"';
const opened = '"sessionId":"<session>"';
const form = '"message":"","requestedSchema":{"type":"object","properties":{}}';

export const argumentRules: Theme = {
  title: "Arguments that break a rule",
  text: "What the schema lets through and the protocol does not: relative paths, sessions that are not open, logins and modes that were not offered. No handler sees it. Line 0 alone is read as line 1.",
  rows: [
    ...["hunter2", "./hunter2", "../hunter2", "~/hunter2", "", "C:hunter2", "\\\\hunter2", "file:///hunter2"].map(
      (path) =>
        breaking(
          "agent",
          `the relative path "${path}" as cwd`,
          "session/new",
          `{"cwd":"${path}","mcpServers":[]}`,
          "/cwd",
          "CONV-02",
        ),
    ),
    breaking(
      "agent",
      "a relative additional directory",
      "session/new",
      '{"cwd":"/","mcpServers":[],"additionalDirectories":["/a","hunter2"]}',
      "/additionalDirectories/1",
      "CONV-02",
    ),
    breaking(
      "agent",
      "a relative cwd to load a session in",
      "session/load",
      `{${opened},"cwd":"hunter2","mcpServers":[]}`,
      "/cwd",
      "CONV-02",
    ),
    breaking(
      "agent",
      "a relative cwd to resume a session in",
      "session/resume",
      `{${opened},"cwd":"hunter2"}`,
      "/cwd",
      "CONV-02",
    ),
    breaking("agent", "a relative cwd to list the sessions of", "session/list", '{"cwd":"hunter2"}', "/cwd", "CONV-02"),
    breaking("agent", "a login that was not offered", "authenticate", '{"methodId":"hunter2"}', "/methodId", "AUTH-05"),
    withoutSession("agent", "session/prompt", `{${unopened},"prompt":[]}`),
    withoutSession("agent", "session/set_mode", `{${unopened},"modeId":"ask"}`),
    withoutSession("agent", "session/set_config_option", `{${unopened},"configId":"a","value":"b"}`),
    withoutSession("agent", "session/close", `{${unopened}}`),
    breaking(
      "client",
      "a relative path to read",
      "fs/read_text_file",
      `{${opened},"path":"hunter2"}`,
      "/path",
      "CONV-02",
    ),
    {
      name: "line 0, which is read as line 1",
      rules: ["CONV-03"],
      sends: [request("1", "fs/read_text_file", `{${opened},"path":"/a","line":0}`)],
      client: { answers: [answered("1", '{"content":""}')], diagnostics: ["rule"] },
    },
    breaking("client", "a line before 0", "fs/read_text_file", `{${opened},"path":"/a","line":-1}`, "/line", "CONV-03"),
    breaking(
      "client",
      "a relative path to write",
      "fs/write_text_file",
      `{${opened},"path":"../hunter2","content":""}`,
      "/path",
      "CONV-02",
    ),
    breaking(
      "client",
      "a relative cwd for a command",
      "terminal/create",
      `{${opened},"command":"ls","cwd":"hunter2"}`,
      "/cwd",
      "CONV-02",
    ),
    ...["hunter2", "__proto__", ""].map((mode): Row => ({
      name: `an elicitation in the mode "${mode}"`,
      rules: ["ELIC-02", "ELIC-31"],
      sends: [request("1", "elicitation/create", `{${opened},"mode":"${mode}",${form}}`)],
      client: {
        answers: [invalid("1", "/mode")],
        // The schema leaves room for other modes: one is no deviation, and cannot be asked in either.
        diagnostics: ["invalid-message elicitation/create /mode"],
      },
    })),
    withoutSession("client", "fs/write_text_file", `{${unopened},"path":"/a","content":""}`),
    withoutSession("client", "terminal/create", `{${unopened},"command":"ls"}`),
    withoutSession("client", "terminal/output", `{${unopened},"terminalId":"t"}`),
    ofAgent(
      "session/request_permission",
      '{"sessionId":"hunter2 asks","toolCall":{"toolCallId":"t"},"options":[]}',
      '{"outcome":{"outcome":"cancelled"}}',
    ),
    ofAgent(
      "elicitation/create",
      `{"sessionId":"hunter2 asks for more","mode":"form",${form}}`,
      '{"action":"decline"}',
    ),
  ],
};
