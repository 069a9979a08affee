/** The message of whatever a tool has thrown. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  if (typeof error === "string") return error;
  return JSON.stringify(error) ?? "The tool failed.";
}
