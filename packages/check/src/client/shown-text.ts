/** Collects what a client writes to its stdout. */
export interface ShownText {
  push(chunk: Uint8Array): void;
  /** What was shown so far. */
  text(): string;
}

/** What a client shows as text: without escape sequences. */
export function plainOutput(): ShownText {
  const decoder = new TextDecoder();
  let output = "";
  let plain = "";
  let seen = 0;
  return {
    push: (chunk) => {
      output += decoder.decode(chunk, { stream: true });
    },
    text: () => {
      if (seen !== output.length) plain = withoutEscapes(output);
      seen = output.length;
      return plain;
    },
  };
}

/** What a driver tells that its client has shown: `{"shown": "<text>"}` in each line. */
export function toldOutput(): ShownText {
  const decoder = new TextDecoder();
  let rest = "";
  let told = "";
  return {
    push: (chunk) => {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) told += shownIn(line);
    },
    text: () => told,
  };
}

function shownIn(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    const isTold = typeof value === "object" && value !== null && "shown" in value && typeof value.shown === "string";
    return isTold ? String(value.shown) : "";
  } catch {
    return "";
  }
}

function withoutEscapes(text: string): string {
  // oxlint-disable-next-line no-control-regex -- escape sequences are what it takes out
  return text.replaceAll(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_])/gu, "");
}
