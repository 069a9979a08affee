import type { Instruction } from "./instruction.ts";

/** A form with a field of every type. */
const schema = {
  title: "A new project",
  properties: {
    name: { type: "string", title: "Name", minLength: 2, maxLength: 20, pattern: "^[a-z][a-z0-9-]*$" },
    contact: { type: "string", title: "Contact", format: "email", description: "Where to send reports" },
    language: {
      type: "string",
      title: "Language",
      oneOf: [
        { const: "js", title: "JavaScript" },
        { const: "ts", title: "TypeScript" },
      ],
      default: "ts",
    },
    packages: { type: "integer", title: "Packages", minimum: 1, maximum: 10, default: 1 },
    targets: {
      type: "array",
      title: "Targets",
      items: { type: "string", enum: ["node", "deno", "bun"] },
      minItems: 1,
      default: ["node"],
    },
    private: { type: "boolean", title: "Private", default: true },
  },
  required: ["name"],
} as const;

export const form: Instruction = {
  name: "form",
  aliases: ["survey"],
  summary: "Ask you to fill in a form",
  async run(_, task) {
    const message = "I need to know a few things about the project.";
    const answer = await task.askForm(message, schema);
    // Users may decline or close a form (ELIC-16).
    switch (answer.action) {
      case "accept":
        return task.say(`You have filled in: ${JSON.stringify(answer.content)}`);
      case "decline":
        return task.say("You would rather not say. That is fine.");
      case "cancel":
        return task.say("You have closed the form.");
      default:
        return task.say(`I could not show the form: ${answer.error.message}`);
    }
  },
};
