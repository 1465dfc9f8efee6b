/** An editor for Cypher. It is in a shadow root, where its styles comply with the page's content security policy. */
import type { CypherNames } from '@clew/api';
import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { EditorState, Prec, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useLayoutEffect, useRef } from 'react';

interface QueryEditorProps {
  readonly text: string;
  readonly label: string;
  /** Available names; absent until known. */
  readonly names: CypherNames | undefined;
  /** Position of an error reported by the service, marked until the text changes. */
  readonly faultAt?: number | undefined;
  readonly onChange: (text: string) => void;
  /** @param text current text of the editor, because the page may not have rendered the last letter */
  readonly onRun: (text: string) => void;
}

const KEYWORDS =
  'MATCH OPTIONAL WHERE RETURN WITH UNWIND AS ORDER BY SKIP LIMIT DISTINCT AND OR XOR NOT IN IS NULL STARTS ENDS CONTAINS CASE WHEN THEN ELSE END EXISTS UNION ALL ASC DESC TRUE FALSE CALL YIELD'.split(
    ' ',
  );
const isKeyword = new Set(KEYWORDS);
const isPlain = (name: string): boolean => /^[A-Za-z_][\w.]*$/.test(name);

const cypher = StreamLanguage.define<unknown>({
  name: 'cypher',
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match('//')) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^'(?:[^'\\]|\\.)*'?/) || stream.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (stream.match(/^\d+(?:\.\d+)?/)) return 'number';
    if (stream.match(/^:\s*!?`?[A-Za-z_][\w|]*`?/)) return 'typeName';
    if (stream.match(/^\$\w+/)) return 'variableName';
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word !== null && typeof word === 'object')
      return isKeyword.has(word[0].toUpperCase()) ? 'keyword' : null;
    stream.next();
    return null;
  },
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--line-0)', fontWeight: '600' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--line-1)' },
  { tag: tags.typeName, color: 'var(--line-3)' },
  { tag: tags.variableName, color: 'var(--line-4)' },
  { tag: tags.comment, color: 'var(--quiet)' },
]);

const looks = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--card)', fontSize: '14px', borderRadius: '6px' },
  '.cm-content': {
    minHeight: '8rem',
    caretColor: 'var(--ink)',
    fontFamily: 'ui-monospace, Menlo, monospace',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused': { outline: '3px solid var(--link)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', border: '1px solid var(--rule)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--main)',
    color: 'var(--main-ink)',
  },
  '.cm-placeholder': { color: 'var(--quiet)' },
  '.cm-fault': { textDecoration: 'underline wavy var(--critical)', textUnderlineOffset: '3px' },
});

const showFault = StateEffect.define<number | undefined>();

const faultMark = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, state }) {
    const shown = effects.find((effect) => effect.is(showFault));
    if (shown === undefined) return docChanged ? Decoration.none : marks;
    return shown.value === undefined ? Decoration.none : markAt(state, shown.value as number);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Marks the word at the offset; at the end of the text, the word before. */
function markAt(state: EditorState, offset: number): DecorationSet {
  const at = Math.min(offset, state.doc.length);
  const word = state.wordAt(at);
  const from = word?.from ?? (at === state.doc.length ? Math.max(0, at - 1) : at);
  const to = word?.to ?? Math.min(from + 1, state.doc.length);
  return from === to
    ? Decoration.none
    : Decoration.set(Decoration.mark({ class: 'cm-fault' }).range(from, to));
}

export default function QueryEditor({ text, label, names, faultAt, onChange, onRun }: QueryEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  // The editor calls the page's latest callbacks.
  const calls = useRef({ onChange, onRun, names });
  calls.current = { onChange, onRun, names };
  const first = useRef({ text, label });

  useEffect(() => {
    const host = box.current!;
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
    const complete = (context: CompletionContext) => {
      const { names: known } = calls.current;
      const options = (type: string, texts: readonly string[] = []) =>
        texts.map((name) => ({ label: name, type, ...(isPlain(name) ? {} : { apply: `\`${name}\`` }) }));
      const kind = context.matchBefore(/[:|&!(]\s*\w*$/);
      const before = context.state.sliceDoc(0, context.pos);
      if (kind !== null && /[:|&!]/.test(kind.text)) {
        const from = kind.from + /^[:|&!(]\s*/.exec(kind.text)![0].length;
        const isType = before.lastIndexOf('[') > Math.max(before.lastIndexOf(']'), before.lastIndexOf('('));
        return { from, options: options('type', isType ? known?.relationship_types : known?.labels) };
      }
      const property = context.matchBefore(/\w\.\w*$/);
      if (property !== null)
        return {
          from: property.from + 2,
          options: options(
            'property',
            [...new Set([...(known?.properties ?? []), ...(known?.relationship_properties ?? [])])].sort(),
          ),
        };
      const word = context.matchBefore(/\w+$/);
      if (word === null && !context.explicit) return null;
      return {
        from: word?.from ?? context.pos,
        options: [...options('keyword', KEYWORDS), ...options('function', known?.functions)],
      };
    };
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: first.current.text,
        extensions: [
          Prec.highest(
            keymap.of([
              {
                key: 'Shift-Enter',
                run: ({ state }) => {
                  calls.current.onRun(state.doc.toString());
                  return true;
                },
              },
            ]),
          ),
          history(),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          cypher,
          syntaxHighlighting(colors),
          autocompletion({ override: [complete] }),
          placeholder('MATCH (u:User) RETURN u LIMIT 25'),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': first.current.label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
          faultMark,
          looks,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  // Runs before the browser handles another key, because a later effect would undo text typed in the meantime.
  useLayoutEffect(() => {
    const editor = view.current;
    if (editor !== undefined && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    view.current?.dispatch({ effects: showFault.of(faultAt) });
  }, [faultAt]);

  return <div ref={box} className="editor-box editor" />;
}
