import { useAgent, useCommands } from "@acp/react";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactElement,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";

import { type CompletedWord, completeCommand, completeFile, type Completion, mention, wordAt } from "./completion.ts";
import { findFiles } from "./find-files.ts";
import { type Picture, readPictures } from "./pictures.ts";
import type { UserPrompt } from "./prompt-queue.ts";

/** What the user has begun to write in each session. */
const drafts = new Map<string, string>();

interface ComposerProps {
  readonly session: string;
  readonly isBusy: boolean;
  readonly onSend: (prompt: UserPrompt) => void;
  readonly onCancel: () => void;
}

/** Where the user writes: `/` completes commands, `@` files, and pictures come by paste and drop. */
export function Composer({ session, isBusy, onSend, onCancel }: ComposerProps): ReactElement {
  const takesPictures = useAgent().agent?.capabilities.promptCapabilities?.image === true;
  const commands = useCommands(session);
  const field = useRef<HTMLTextAreaElement>(null);
  const list = useId();
  const [pictures, setPictures] = useState<readonly Picture[]>([]);
  const [note, setNote] = useState("");
  const [word, setWord] = useState<CompletedWord>();
  const [files, setFiles] = useState<readonly Completion[]>([]);
  const [selected, select] = useState(0);
  /** The files that were mentioned, by how they are written. */
  const mentioned = useRef(new Map<string, Completion["file"]>());
  useEffect(() => {
    if (word?.kind !== "file") return undefined;
    const abort = new AbortController();
    void findFiles(word.query, abort.signal).then((found) => {
      if (!abort.signal.aborted) setFiles(completeFile(found));
    });
    return () => abort.abort();
  }, [word?.kind, word?.query]);
  const items = word === undefined ? [] : word.kind === "file" ? files : completeCommand(commands, word.query);
  const current = items[Math.min(selected, items.length - 1)];

  const look = (): void => {
    const { value = "", selectionStart = 0 } = field.current ?? {};
    drafts.set(session, value);
    setWord(wordAt(value, selectionStart));
    select(0);
  };
  const accept = ({ insert, file }: Completion): void => {
    const { current: area } = field;
    if (area === null || word === undefined) return;
    area.setRangeText(insert, word.start, area.selectionStart, "end");
    if (file !== undefined) mentioned.current.set(mention(file.path), file);
    area.focus();
    look();
  };
  const send = (): void => {
    const text = field.current?.value.trim() ?? "";
    if (field.current === null || (text === "" && pictures.length === 0)) return;
    const links = [...mentioned.current].flatMap(([written, file]) =>
      file !== undefined && text.includes(written)
        ? [{ type: "resource_link" as const, uri: file.uri, name: file.path.slice(file.path.lastIndexOf("/") + 1) }]
        : [],
    );
    const images = pictures.map(({ mimeType, data }) => ({ type: "image" as const, mimeType, data }));
    onSend({ text, blocks: [...links, ...images] });
    field.current.value = "";
    mentioned.current.clear();
    setPictures([]);
    setNote("");
    look();
  };
  const take = async (given: Iterable<File>): Promise<void> => {
    const chosen = [...given];
    if (chosen.length === 0) return;
    if (!takesPictures) return setNote("The agent takes no pictures");
    const { pictures: read, problem } = await readPictures(chosen, pictures);
    setPictures(read);
    setNote(problem);
  };
  const onKey = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // An input method composes with these keys, too.
    if (event.nativeEvent.isComposing) return;
    const { key } = event;
    if (current !== undefined) {
      const step = key === "ArrowDown" ? 1 : key === "ArrowUp" ? -1 : 0;
      if (step !== 0) select((Math.min(selected, items.length - 1) + step + items.length) % items.length);
      else if (key === "Escape") setWord(undefined);
      else if ((key === "Enter" && !event.shiftKey) || key === "Tab") {
        // A command that is written out is sent.
        if (key === "Enter" && field.current?.value.trim() === current.insert.trim()) send();
        else accept(current);
      } else return;
      event.preventDefault();
    } else if (key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event: DragEvent) => event.preventDefault()}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        void take(event.dataTransfer.files);
      }}
    >
      {note === "" ? null : <p role="alert">{note}</p>}
      {current === undefined ? null : (
        <ul className="completions" role="listbox" id={list} aria-label="Completions">
          {items.map((item, index) => (
            <li
              key={item.label}
              id={`${list}-${index}`}
              role="option"
              aria-selected={item === current}
              onMouseDown={(event) => {
                event.preventDefault();
                accept(item);
              }}
            >
              {item.label} <span className="dim">{item.detail}</span>
            </li>
          ))}
        </ul>
      )}
      {pictures.length === 0 ? null : (
        <ul className="pictures" aria-label="Pictures">
          {pictures.map((picture, index) => (
            <li key={index}>
              <img src={`data:${picture.mimeType};base64,${picture.data}`} alt={picture.name} />
              <button
                type="button"
                aria-label={`Remove ${picture.name}`}
                onClick={() => setPictures(pictures.filter((one) => one !== picture))}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <textarea
          ref={field}
          aria-label="Prompt"
          placeholder={isBusy ? "Ask next…" : "Ask… / for commands, @ for files"}
          rows={2}
          defaultValue={drafts.get(session) ?? ""}
          aria-autocomplete="list"
          aria-controls={current === undefined ? undefined : list}
          aria-activedescendant={current === undefined ? undefined : `${list}-${items.indexOf(current)}`}
          onInput={look}
          onClick={look}
          onKeyDown={onKey}
          onPaste={(event: ClipboardEvent) => {
            if (event.clipboardData.files.length === 0) return;
            event.preventDefault();
            void take(event.clipboardData.files);
          }}
        />
        <button>{isBusy ? "Queue" : "Send"}</button>
        {isBusy ? (
          <button type="button" className="stop" onClick={onCancel}>
            Stop
          </button>
        ) : null}
      </div>
    </form>
  );
}
