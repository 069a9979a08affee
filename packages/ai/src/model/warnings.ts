import { type CallerTools, toolsOf } from "../tools/caller-tools.ts";
import type { CallOptions, StreamPart } from "./model-types.ts";

type Warnings = Extract<StreamPart, { type: "stream-start" }>["warnings"];

const unsupported = [
  "temperature",
  "topP",
  "topK",
  "presencePenalty",
  "frequencyPenalty",
  "maxOutputTokens",
  "stopSequences",
  "seed",
] as const;

/** What an agent does not take: it has a model and parameters of its own. */
export function warningsOf(options: CallOptions, callerTools: CallerTools | undefined): Warnings {
  const settings = unsupported
    .filter((name) => options[name] !== undefined && !(Array.isArray(options[name]) && options[name].length === 0))
    .map((feature) => unsupportedFeature(feature, "The agent decides this itself."));
  const { toolChoice, tools = [] } = options;
  const isForced = toolChoice?.type === "required" || toolChoice?.type === "tool";
  const wish = toolChoice?.type === "tool" ? toolChoice.toolName : "a tool";
  const problem =
    toolsOf(options).length === 0 ? undefined : callerTools === undefined ? ofSession : callerTools.problem;
  const missing = tools.flatMap(({ type, name }) => {
    if (type === "provider") return [[name, "It is a tool of another provider."] as const];
    return problem === undefined ? [] : [[name, problem] as const];
  });
  return [
    ...settings,
    ...(isForced
      ? [
          unsupportedFeature(
            "toolChoice",
            `The agent chooses its tools itself: it is asked to call ${wish}, not made to.`,
          ),
        ]
      : []),
    ...missing.map(([name, why]) => unsupportedFeature(`tool ${name}`, why)),
  ];
}

const ofSession = "A session that the app has opened gets no more tools. Use acpProvider.";

function unsupportedFeature(feature: string, details: string): Warnings[number] {
  return { type: "unsupported", feature, details };
}
