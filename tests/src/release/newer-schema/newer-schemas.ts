// Schemas such as upstream may publish next: those of this repository, with new forms and all kinds of changes.

/** A schema, as much as is changed here. */
interface Schema {
  [keyword: string]: unknown;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Document {
  readonly $defs: Record<string, Schema>;
  [keyword: string]: unknown;
}

/** A schema of this repository, and the one that shares its version. */
export interface PinnedSchema {
  readonly version: "v1" | "v2";
  readonly isStable: boolean;
  readonly text: string;
  readonly unstable: string;
}

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const held = (name: string): Schema => ({ allOf: [ref(name)] });
const orNull = (name: string): Schema => ({ anyOf: [ref(name), { type: "null" }] });
const object = (properties: Record<string, Schema>, required: readonly string[] = [], more: Schema = {}): Schema => ({
  type: "object",
  properties: { ...properties, _meta: { type: ["object", "null"], additionalProperties: true } },
  required,
  ...more,
});
const variant = (tag: string, value: string, payload: string): Schema => ({
  type: "object",
  properties: { [tag]: { type: "string", const: value } },
  required: [tag],
  allOf: [ref(payload)],
});

/** The text of the schema that follows a pinned one. */
export function newerSchema({ version, isStable, text, unstable }: PinnedSchema): string {
  const document: Document = JSON.parse(text);
  const { $defs } = document;
  if (isStable) promote($defs, JSON.parse(unstable));
  else {
    drop($defs);
    addMarks($defs, version);
    addForecast($defs, version);
  }
  addToBoth($defs, version);
  return JSON.stringify(describeAll(document), undefined, 2);
}

/** What was unstable becomes stable: two updates, and all that they consist of. */
function promote($defs: Document["$defs"], unstable: Document): void {
  const from = unstable.$defs;
  const known = JSON.stringify($defs["SessionUpdate"]);
  for (const branch of branches(from, "SessionUpdate")) {
    const tag = branch.properties?.["sessionUpdate"]?.["const"];
    if (tag !== "plan_removed" && tag !== "subagent_update") continue;
    if (!known.includes(`"const":"${tag}"`)) addVariant($defs, "SessionUpdate", branch);
  }
  const copy = (name: string): void => {
    if ($defs[name] !== undefined || from[name] === undefined) return;
    $defs[name] = from[name];
    for (const [, inner] of JSON.stringify(from[name]).matchAll(/#\/\$defs\/(\w+)/g)) copy(inner!);
  };
  for (const branch of branches($defs, "SessionUpdate")) {
    for (const [, name] of JSON.stringify(branch).matchAll(/#\/\$defs\/(\w+)/g)) copy(name!);
  }
  // The capability that the updates need.
  for (const root of ["ClientCapabilities", "ClientSessionCapabilities"]) {
    for (const [name, member] of Object.entries(from[root]?.properties ?? {})) {
      if (!["plan", "subagents"].includes(name) || $defs[root] === undefined) continue;
      $defs[root].properties = { ...$defs[root].properties, [name]: member };
      for (const [, inner] of JSON.stringify(member).matchAll(/#\/\$defs\/(\w+)/g)) copy(inner!);
    }
  }
}

/** The text of the schema after that: an update has another name, and a member is gone. */
export function laterSchema(newer: string): string {
  const document: Document = JSON.parse(newer.replaceAll('"compaction_summary_chunk"', '"compaction_summary_part"'));
  delete document.$defs["UsageUpdate"]!.properties!["cost"];
  return JSON.stringify(document, undefined, 2);
}

/** A kind of plan goes, with its definition. */
function drop($defs: Document["$defs"]): void {
  delete $defs["PlanFile"];
  const plans = branches($defs, "PlanUpdateContent");
  const index = plans.findIndex((branch) => JSON.stringify(branch).includes("#/$defs/PlanFile"));
  if (index >= 0) plans.splice(index, 1);
  // The branch for unknown plans names those that are known.
  const other = plans.find((branch) => branch["not"] !== undefined);
  const known = (other?.["not"] as Schema | undefined)?.anyOf;
  const named = known?.findIndex((branch) => JSON.stringify(branch).includes('"file"')) ?? -1;
  if (named >= 0) known?.splice(named, 1);
}

/** A method with a capability, and an update with one: nobody wrote rules for them. */
function addForecast($defs: Document["$defs"], version: string): void {
  const forecast = { "x-side": "agent", "x-method": "session/forecast" };
  Object.assign($defs, {
    ForecastSessionRequest: object(
      { cwd: { type: "string" }, steps: { type: "array", items: held("ForecastStep"), minItems: 1, maxItems: 9 } },
      ["cwd", "steps"],
      forecast,
    ),
    ForecastSessionResponse: object({ cost: { type: "number", exclusiveMinimum: 0 } }, ["cost"], forecast),
    ForecastStep: { type: "string", minLength: 1, maxLength: 255, pattern: "^[a-z_]+$" },
    ForecastCapabilities: object({}),
    MoodUpdate: object({ mood: held("Mood"), mark: orNull("MoodMark") }, ["mood"]),
    Mood: {
      anyOf: [
        { type: "string", const: "calm" },
        { type: "string", const: "busy" },
        { title: "other", type: "string" },
      ],
    },
    MoodMark: {
      anyOf: [variant("at", "before", "ForecastCapabilities"), variant("at", "after", "ForecastCapabilities")],
    },
    MoodsCapabilities: object({}),
  });
  const ofAgent = version === "v1" ? "SessionCapabilities" : "AgentCapabilities";
  $defs[ofAgent]!.properties!["forecast"] = orNull("ForecastCapabilities");
  $defs["ClientCapabilities"]!.properties!["moods"] = orNull("MoodsCapabilities");
  addVariant($defs, "SessionUpdate", variant("sessionUpdate", "mood_update", "MoodUpdate"));
}

/** Annotations of others, and limits on names. */
function addMarks($defs: Document["$defs"], version: string): void {
  const request = $defs["RequestPermissionRequest"]!;
  request["x-scope"] = { session: ["sessionId"], toolCall: ["toolCall.toolCallId"] };
  request["x-state"] = { session: [{ action: "upsert", target: "toolCall", id: "toolCall.toolCallId" }] };
  $defs["Error"]!["propertyNames"] = { not: { enum: ["codes", "messages"] } };
  if (version === "v2") request.properties!["title"]!["x-label"] = true;
}

/** A kind of content, a member with a definition of its own, and a value of an enum. */
function addToBoth($defs: Document["$defs"], version: string): void {
  Object.assign($defs, {
    SessionLink: object({ sessionId: held("SessionId") }, ["sessionId"]),
    AttemptKey: { type: "string", minLength: 1, maxLength: 255 },
  });
  addVariant($defs, "ToolCallContent", variant("type", "session", "SessionLink"));
  $defs["PromptRequest"]!.properties!["attemptKey"] = {
    ...orNull("AttemptKey"),
    ...(version === "v1" && { "x-deserialize-default-on-error": true }),
  };
  branches($defs, "ToolKind").unshift({ type: "string", const: "translate" });
}

function branches($defs: Document["$defs"], name: string): Schema[] {
  const { anyOf, oneOf } = $defs[name]!;
  return anyOf ?? oneOf ?? [];
}

/** Adds a variant; the branch for unknown ones, which comes last, names it as well. */
function addVariant($defs: Document["$defs"], union: string, added: Schema): void {
  const all = branches($defs, union);
  const other = all.findIndex((branch) => branch["not"] !== undefined);
  all.splice(other < 0 ? all.length : other, 0, added);
  const { properties, required } = added;
  const not = all.find((branch) => branch["not"] !== undefined)?.["not"] as Schema | undefined;
  not?.anyOf?.push({ ...(properties !== undefined && { properties }), required });
}

/** Upstream describes everything; an import drops that. */
function describeAll(document: Document): Document {
  for (const [name, schema] of Object.entries(document.$defs)) {
    schema["description"] = `Says what ${name} is.`;
    for (const [member, inner] of Object.entries(schema.properties ?? {}))
      inner["description"] = `Says what ${member} is.`;
  }
  return document;
}
