import { UsageError } from "@acp/core";
import { expect, test } from "vitest";

import { fileError, toFileError } from "./file-error.ts";

test.each([
  ["ENOENT", -32002, "not_found"],
  ["ENOTDIR", -32002, "not_found"],
  ["EACCES", -32603, "permission_denied"],
  ["EISDIR", -32603, "is_directory"],
  ["ENOSPC", -32603, "no_space"],
  ["EROFS", -32603, "read_only"],
  ["ELOOP", -32602, "invalid_path"],
  ["EIO", -32603, "io_error"],
])("toFileError() answers %s with %i %s", (code, wireCode, reason) => {
  const cause = Object.assign(new Error(`${code}: something, open '/elsewhere'`), { code });
  const error = toFileError(cause, "/a");
  expect(error).toMatchObject({ wire: { code: wireCode, data: { path: "/a", reason } } });
  expect(JSON.stringify(error)).not.toContain("/elsewhere");
});

test("toFileError() leaves errors from elsewhere alone", () => {
  const answer = fileError("too_large", "/a", "Too large");
  for (const error of [answer, new UsageError("wrong"), new TypeError("no code"), "text"]) {
    expect(toFileError(error, "/a")).toBe(error);
  }
});
