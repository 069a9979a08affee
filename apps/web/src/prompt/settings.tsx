import { useConfig, useSession } from "@acp/react";
import { describeUsage } from "@acp/render";
import { type ReactElement, useState } from "react";

import { errorText } from "../error-text.ts";

type Option = ReturnType<typeof useConfig>["options"][number];
type Choices = Extract<Option, { readonly type: "select" }>["options"];

/** The mode, the options and the usage of a session. */
export function Settings({ session }: { readonly session: string }): ReactElement | null {
  const { mode, options, setMode, setOption } = useConfig(session);
  const usage = useSession(session, { select: (state) => state.usage });
  const [problem, setProblem] = useState("");
  const change = (done: Promise<unknown>): void => {
    setProblem("");
    done.catch((error: unknown) => setProblem(errorText(error)));
  };
  if (mode === undefined && options.length === 0 && usage === undefined) return null;
  return (
    <div className="settings">
      {mode?.via === "modes" ? (
        <Select
          label="Mode"
          value={mode.modes.currentModeId}
          choices={mode.modes.availableModes.map(({ id, name }) => ({ value: id, name }))}
          onChange={(id) => change(setMode(id))}
        />
      ) : null}
      {options.map((option) => {
        if (option.type === "select") {
          return (
            <Select
              key={option.id}
              label={option.name}
              value={option.currentValue}
              choices={option.options}
              onChange={(value) => change(setOption(option.id, value))}
            />
          );
        }
        if (option.type !== "boolean") return null;
        return (
          <label key={option.id}>
            <input
              type="checkbox"
              checked={option.currentValue}
              onChange={(event) => change(setOption(option.id, event.currentTarget.checked))}
            />
            {option.name}
          </label>
        );
      })}
      {usage === undefined ? null : <span className="dim">{describeUsage(usage)}</span>}
      {problem === "" ? null : <span role="alert">{problem}</span>}
    </div>
  );
}

function Select(props: {
  readonly label: string;
  readonly value: string;
  readonly choices: Choices;
  readonly onChange: (value: string) => void;
}): ReactElement {
  return (
    <label>
      {props.label}{" "}
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
        {props.choices.map((choice) =>
          "options" in choice ? (
            <optgroup key={choice.group} label={choice.name}>
              {choice.options.map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </optgroup>
          ) : (
            <option key={choice.value} value={choice.value}>
              {choice.name}
            </option>
          ),
        )}
      </select>
    </label>
  );
}
