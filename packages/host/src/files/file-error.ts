import { AcpError, RequestError } from "@acp/core";

import { errorCode, isForbidden } from "../runtime/error-code.ts";

/** Why a file request failed: the `data.reason` of the error. */
export type FileErrorReason =
  /** `-32002`: there is no such file. */
  | "not_found"
  /** `-32602`: the path is not absolute, or is not valid for a file. */
  | "invalid_path"
  /** `-32602`: after links are followed, the path is outside the session's directories, or has just changed. */
  | "outside_roots"
  /** `-32603`: the path is a directory. */
  | "is_directory"
  /** `-32603`: the path is a device, a pipe or a socket. */
  | "not_a_file"
  /** `-32603`: the client's permission policy or its user rejected it. */
  | "rejected"
  /** `-32603`: this process lacks the permission. */
  | "permission_denied"
  /** `-32603`: the requested lines end after the first `maxFileBytes` of the file. Read fewer lines with `limit`. */
  | "too_large"
  /** `-32603`: the file is not UTF-8 text. */
  | "invalid_utf8"
  /** `-32603`: the file is in one of the `readOnlyRoots`, or the file system is read-only. */
  | "read_only"
  /** `-32603`: the disk is full. */
  | "no_space"
  /** `-32603`: any other error of the operating system. Its code is in the message. */
  | "io_error";

/** Creates an error answer about a file. `path` is the requested one. */
export function fileError(reason: FileErrorReason, path: string, message: string, cause?: unknown): RequestError {
  const data = { path, reason };
  if (reason === "not_found") return RequestError.resourceNotFound(message, data);
  if (reason === "invalid_path" || reason === "outside_roots") return RequestError.invalidParams(message, data);
  return new RequestError({ code: -32603, message, data }, { cause });
}

/** Creates the error answer for a path that a session may not touch. */
export function outsideRoots(path: string, isUnknown = false): RequestError {
  const why = isUnknown
    ? "The session is not open yet, so its directories are not known"
    : "Outside of the session's directories";
  return fileError("outside_roots", path, `${why}: ${path}`);
}

/** Converts an error of the file system to an error answer. Returns anything else unchanged. */
export function toFileError(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof AcpError || code === undefined || isForbidden(error)) return error;
  if (code === "EILSEQ")
    return fileError("invalid_path", path, `Leads through a name that is not UTF-8: ${path}`, error);
  const reason = reasons[code] ?? "io_error";
  if (reason === "io_error") return fileError(reason, path, `Input/output error (${code}): ${path}`, error);
  return fileError(reason, path, `${sentences[reason]}: ${path}`, error);
}

const reasons: Readonly<
  Record<string, Exclude<FileErrorReason, "io_error" | "too_large" | "invalid_utf8" | "rejected">>
> = {
  ENOENT: "not_found",
  ENOTDIR: "not_found",
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  EISDIR: "is_directory",
  EROFS: "read_only",
  ENOSPC: "no_space",
  EDQUOT: "no_space",
  EEXIST: "invalid_path",
  ELOOP: "invalid_path",
  // A pipe that nobody reads, or a socket.
  ENXIO: "not_a_file",
  ENAMETOOLONG: "invalid_path",
};

const sentences = {
  not_found: "File not found",
  permission_denied: "Permission denied",
  is_directory: "Is a directory",
  not_a_file: "Not a regular file",
  read_only: "Read-only file system",
  no_space: "No space left",
  invalid_path: "Invalid path",
  outside_roots: "Path is outside of the session's directories",
} as const;
