import { formDefaults, validateForm } from "@acp/core/elicitation";
import { visibleText } from "@acp/core/state";
import type { Elicitation } from "@acp/react";
import { canShow, choicesOf, type FormField, hintOf, labelOf, reasonOf } from "@acp/render/question";
import { type ReactElement, useId, useState } from "react";

type FormRequest = Extract<Elicitation["request"], { readonly mode: "form" }>;
type Content = ReturnType<typeof formDefaults>;
type Value = Content[string];

/** A form of the agent. It is sent only if it fits, and only when the user says so. */
export function Form(props: {
  readonly question: Elicitation;
  readonly request: FormRequest;
  readonly place: string;
}): ReactElement {
  const { message, requestedSchema: schema } = props.request;
  const { answer } = props.question;
  const [content, setContent] = useState(() => formDefaults(schema));
  const [isTried, setTried] = useState(false);
  const problems = isTried ? validateForm(schema, content) : [];
  const required = new Set(schema.required);
  const set = (name: string, value: Value | undefined): void => {
    const { [name]: _, ...others } = content;
    setContent(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <form
      className="question form"
      noValidate
      aria-label={`Question ${props.place}`}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (validateForm(schema, content).length === 0) answer({ action: "accept", content });
      }}
    >
      <p className="place">{props.place}</p>
      <div className="facts">
        <div className="title">? The agent asks you to fill in a form</div>
        {[message, schema.title, schema.description].map((text, index) =>
          text == null ? null : (
            <div key={index} className="dim">
              {index === 0 ? "the agent says: " : ""}
              {visibleText(text)}
            </div>
          ),
        )}
      </div>
      <div className="fields">
        {Object.entries(schema.properties ?? {}).map(([name, field]) =>
          canShow(field) ? (
            <Field
              key={name}
              name={name}
              field={field}
              isRequired={required.has(name)}
              value={content[name]}
              problem={problems.find(({ path }) => path[0] === name)?.reason}
              onChange={(value) => set(name, value)}
            />
          ) : (
            <p key={name} className="warning">{`${visibleText(name)}: this page cannot show a field of this kind`}</p>
          ),
        )}
      </div>
      <div className="answers">
        <button>Send</button>
        <button type="button" onClick={() => answer({ action: "decline" })}>
          Decline
        </button>
        <button type="button" onClick={() => answer({ action: "cancel" })}>
          No answer
        </button>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly name: string;
  readonly field: FormField;
  readonly isRequired: boolean;
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

function Field(props: FieldProps): ReactElement {
  const { name, field, isRequired, value, problem, onChange } = props;
  const id = useId();
  const choices = choicesOf(field);
  const label = `${visibleText(labelOf(name, field))} (${isRequired ? "required, " : ""}${choices === undefined ? hintOf(field) : field.type === "array" ? "any of a list" : "one of a list"})`;
  const about = {
    "aria-describedby": `${id}-about`,
    "aria-invalid": problem !== undefined,
    "aria-required": isRequired,
  };
  const described = (
    <p id={`${id}-about`} className="dim">
      {field.description == null ? "" : visibleText(field.description)}
      {problem === undefined ? null : <strong className="warning">{` It ${reasonOf(field, problem, value)}`}</strong>}
    </p>
  );
  if (field.type === "array") {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset aria-describedby={`${id}-about`}>
        <legend>{label}</legend>
        {choices?.map((choice) => (
          <label key={choice.value}>
            <input
              type="checkbox"
              checked={chosen.includes(choice.value)}
              onChange={(event) => {
                const others = chosen.filter((one) => one !== choice.value);
                const next = event.currentTarget.checked ? [...others, choice.value] : others;
                onChange(next.length === 0 && !isRequired ? undefined : next);
              }}
            />
            {visibleText(choice.title)}
          </label>
        ))}
        {described}
      </fieldset>
    );
  }
  if (field.type === "boolean" || choices !== undefined) {
    const options =
      field.type === "boolean"
        ? [
            { value: "true", title: "yes" },
            { value: "false", title: "no" },
          ]
        : (choices ?? []);
    return (
      <div className="field">
        <label htmlFor={id}>{label}</label>
        <select
          id={id}
          {...about}
          value={value === undefined ? "-1" : String(options.findIndex((one) => one.value === String(value)))}
          onChange={(event) => {
            const chosen = options[Number(event.currentTarget.value)]?.value;
            onChange(chosen === undefined || field.type !== "boolean" ? chosen : chosen === "true");
          }}
        >
          <option value="-1">(no answer)</option>
          {options.map((choice, index) => (
            <option key={index} value={index}>
              {visibleText(choice.title)}
            </option>
          ))}
        </select>
        {described}
      </div>
    );
  }
  const isNumber = field.type === "number" || field.type === "integer";
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        {...about}
        inputMode={isNumber ? "decimal" : "text"}
        autoComplete="off"
        defaultValue={value === undefined ? "" : String(value)}
        onInput={(event) => {
          const text = event.currentTarget.value;
          const number = Number(text.trim());
          if (text.trim() === "") onChange(undefined);
          else onChange(isNumber && Number.isFinite(number) ? number : text);
        }}
      />
      {described}
    </div>
  );
}
