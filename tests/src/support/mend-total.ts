/** A call of a tool by the model. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly args: string;
}

function call(id: string, name: string, input: object): Call {
  return { id, name, args: JSON.stringify(input) };
}

/**
 * What a model says that mends the sample project: it looks at the source and at the failing test, corrects the loop, runs the
 * tests again, and reports.
 */
export const mendTotal: readonly { reasoning?: string; text?: string; calls?: readonly Call[] }[] = [
  {
    reasoning: "I need the source, and what the test says.",
    text: "I look at the source and run the tests.",
    calls: [call("call_1", "read", { path: "src/total.js" }), call("call_2", "run", { command: "node test.js" })],
  },
  {
    text: "The loop leaves the first item out.",
    calls: [
      call("call_3", "edit", {
        path: "src/total.js",
        edits: [{ oldText: "let index = 1", newText: "let index = 0" }],
      }),
    ],
  },
  { calls: [call("call_4", "run", { command: "node test.js" })] },
  { text: "The sum began with the second item. It is mended, and all tests pass." },
];

/** The last thing that it says. */
export const mended = "The sum began with the second item. It is mended, and all tests pass.";
