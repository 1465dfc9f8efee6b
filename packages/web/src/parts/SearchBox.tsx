/** Searches objects while the user types a name, a part of a name, or an object id; `group:admins` searches one kind. */
import type { SearchResult } from '@clew/api';
import { useCombobox } from 'downshift';
import { useEffect, useState } from 'react';
import { kindLook } from '../graph/kinds.ts';
import { describeError, useAnswer } from '../service/queries.ts';
import { KindMark } from './KindMark.tsx';
import { Name } from './Name.tsx';

interface SearchBoxProps {
  readonly label: string;
  readonly onPick: (found: SearchResult) => void;
  /** Initial text. */
  readonly text?: string;
}

const PAUSE_MS = 80;

export function SearchBox({ label, onPick, text = '' }: SearchBoxProps) {
  const [typed, setTyped] = useState(text);
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed === text ? '' : typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  const [, kind, words] = /^([A-Za-z]{2,40}):(.+)$/.exec(asked) ?? [undefined, undefined, asked];
  const query = useAnswer(
    'Search',
    { query: { q: words, type: kind === undefined ? undefined : kindName(kind), limit: 12 } },
    { enabled: asked !== '', keep: true },
  );
  const found = asked === '' ? [] : (query.data?.data ?? []);
  const combobox = useCombobox<SearchResult>({
    items: [...found],
    initialInputValue: text,
    // Enter selects the first result.
    defaultHighlightedIndex: 0,
    selectedItem: null,
    itemToString: (item) => item?.name ?? '',
    onInputValueChange: ({ inputValue }) => setTyped(inputValue ?? ''),
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem === null || selectedItem === undefined) return;
      onPick(selectedItem);
    },
  });
  const { setInputValue } = combobox;
  useEffect(() => {
    setTyped(text);
    setInputValue(text);
  }, [text, setInputValue]);
  const isOpen = combobox.isOpen && asked !== '';
  return (
    <div className="search-box">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the properties name the input */}
      <label {...combobox.getLabelProps()}>{label}</label>
      <input
        {...combobox.getInputProps({
          type: 'text',
          placeholder: 'Name or object ID',
          maxLength: 500,
          spellCheck: false,
        })}
      />
      <ul {...combobox.getMenuProps({ className: isOpen ? 'suggestions open' : 'suggestions' })}>
        {isOpen &&
          found.map((item, index) => (
            <li
              key={item.objectid}
              {...combobox.getItemProps({ item, index })}
              className={combobox.highlightedIndex === index ? 'active' : ''}
            >
              <KindMark kind={item.type} />
              <span>
                <Name text={item.name} id={item.objectid} />
                <small className="quiet"> {kindLook(item.type).label}</small>
                {item.system_tags.includes('admin_tier_0') && <span className="badge">Tier Zero</span>}
              </span>
            </li>
          ))}
      </ul>
      {isOpen && !query.isFetching && found.length === 0 && (
        <p role="status" className="suggestions open none">
          {query.isError
            ? `Could not search. ${describeError(query.error).text}`
            : 'No object has this name or id'}
        </p>
      )}
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  user: 'User',
  group: 'Group',
  computer: 'Computer',
  domain: 'Domain',
  ou: 'OU',
  gpo: 'GPO',
  template: 'CertTemplate',
  ca: 'EnterpriseCA',
};

const kindName = (typed: string): string => KINDS[typed.toLowerCase()] ?? typed;
