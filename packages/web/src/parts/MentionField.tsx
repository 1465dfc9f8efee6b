/**
 * A text field for a note. After `@`, it suggests users: arrow keys select one, Enter or Tab inserts the name, Escape keeps the
 * text unchanged. Mentioned users get the note in their inbox.
 */
import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useAnswer } from '../service/queries.ts';
import { useSelf } from '../service/self.ts';
import { cleanText } from '../text/cleanText.ts';
import { counted } from '../text/formats.ts';
import { useMasked } from '../text/masking.ts';
import { announce } from './announce.ts';
import { type HalfMention, halfMention, suggestions } from './mentionSearch.ts';

interface MentionFieldProps extends ComponentProps<'textarea'> {
  readonly label: string;
}

export function MentionField({ label, className, onInput, ...field }: MentionFieldProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const isMasked = useMasked();
  const self = useSelf();
  const maySuggest = (self?.may('auth/ReadUsersMinimal') ?? false) && !isMasked;
  const [half, setHalf] = useState<HalfMention>();
  const [dismissed, setDismissed] = useState<number>();
  const [chosen, setChosen] = useState(0);
  const users = useAnswer('ListAssignableUsers', {}, { enabled: maySuggest && half !== undefined });
  // Users are not notified of their own notes.
  const others = (users.data?.data ?? []).filter((user) => user.id !== self?.user.id);
  const found = half === undefined || half.from === dismissed ? [] : suggestions(others, half.text);
  const isOpen = found.length > 0;
  const at = Math.min(chosen, found.length - 1);
  useEffect(() => {
    if (found.length > 0) announce(`${counted(found.length, 'user')} to mention`);
  }, [found.length]);
  const textarea = () => box.current?.querySelector('textarea') ?? undefined;
  const look = () => {
    const area = textarea();
    if (!maySuggest || area === undefined || area.selectionStart !== area.selectionEnd)
      return setHalf(undefined);
    const next = halfMention(area.value.slice(0, area.selectionStart));
    if (next?.from !== half?.from) setChosen(0);
    if (next?.from !== dismissed) setDismissed(undefined);
    setHalf(next);
  };
  const choose = (name: string) => {
    const area = textarea();
    if (area === undefined || half === undefined) return;
    const end = area.selectionStart;
    area.setRangeText(`@${name}${area.value.charAt(end) === ' ' ? '' : ' '}`, half.from, end, 'end');
    setHalf(undefined);
    // Makes the page read the field as it does after typing.
    area.dispatchEvent(new Event('input', { bubbles: true }));
    area.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.nativeEvent.isComposing) return;
    const act = ACTIONS[event.key];
    if (act === undefined || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (act === 'write') choose(found[at]?.name ?? '');
    else if (act === 'close') setDismissed(half?.from);
    else setChosen((at + act + found.length) % found.length);
  };
  return (
    <div ref={box} className={`mention-field ${className ?? ''}`}>
      <label htmlFor={id}>{label}</label>
      <textarea
        {...field}
        id={id}
        aria-describedby={maySuggest ? `${id}-hint` : undefined}
        aria-autocomplete={maySuggest ? 'list' : undefined}
        aria-haspopup={maySuggest ? 'listbox' : undefined}
        aria-controls={isOpen ? `${id}-users` : undefined}
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        onInput={(event) => {
          onInput?.(event);
          look();
        }}
        onSelect={look}
        onKeyDown={onKeyDown}
        onBlur={() => setHalf(undefined)}
      />
      {isOpen && (
        <div id={`${id}-users`} role="listbox" aria-label="Users to mention">
          {found.map(({ id: user, name }, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys of the list
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={user}
              id={`${id}-${place}`}
              role="option"
              aria-selected={place === at}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(name)}
            >
              <bdi>{cleanText(name)}</bdi>
            </div>
          ))}
        </div>
      )}
      {maySuggest && (
        <p id={`${id}-hint`} className="quiet">
          @ mentions a user, whose inbox shows the text.
        </p>
      )}
    </div>
  );
}

const ACTIONS: Readonly<Record<string, 'write' | 'close' | 1 | -1>> = {
  ...{ Enter: 'write', Tab: 'write', Escape: 'close', ArrowDown: 1, ArrowUp: -1 },
};
