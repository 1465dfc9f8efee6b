/** The search box for everything: objects by name or id, and pages by name. */
import type { SearchResult } from '@clew/api';
import { useCombobox } from 'downshift';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { objectPath } from '../address.ts';
import { kindLook } from '../graph/kinds.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { KindMark } from '../parts/KindMark.tsx';
import { Name } from '../parts/Name.tsx';
import { describeError, useAnswer } from '../service/queries.ts';
import { PAGES } from './pages.ts';

const PLACES: readonly { readonly title: string; readonly path: string }[] = [
  ...PAGES,
  { title: 'Run a query', path: '/explore?mode=query' },
  { title: 'Find a path', path: '/explore?mode=path' },
  { title: 'Upload collections', path: '/data?view=uploads' },
  { title: 'Data coverage', path: '/data' },
  { title: 'Zones and labels', path: '/admin?view=zones' },
  { title: 'Certification', path: '/admin?view=certification' },
  { title: 'Single sign-on', path: '/admin?view=sso' },
  { title: 'Audit log', path: '/admin?view=audit' },
  { title: 'Profile, API tokens and MFA', path: '/profile' },
];

type Item = { readonly place: (typeof PLACES)[number] } | { readonly object: SearchResult };

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), 80);
    return () => clearTimeout(timer);
  }, [typed]);
  const query = useAnswer('Search', { query: { q: asked, limit: 8 } }, { enabled: asked !== '', keep: true });
  const words = typed.trim().toLowerCase();
  const isSearching = typed.trim() !== asked || query.isFetching;
  const items: Item[] = [
    ...PLACES.filter(({ title }) => title.toLowerCase().includes(words)).map((place) => ({ place })),
    ...(asked === '' ? [] : (query.data?.data ?? [])).map((object) => ({ object })),
  ];
  const combobox = useCombobox<Item>({
    items,
    isOpen: true,
    defaultHighlightedIndex: 0,
    itemToString: (item) => (item === null ? '' : 'place' in item ? item.place.title : item.object.name),
    onInputValueChange: ({ inputValue, type }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) setTyped(inputValue ?? '');
    },
    onSelectedItemChange: ({ selectedItem }) => {
      if (selectedItem === null || selectedItem === undefined) return;
      onClose();
      navigate('place' in selectedItem ? selectedItem.place.path : objectPath(selectedItem.object.objectid));
    },
  });
  return (
    <Dialog title="Go to" onClose={onClose}>
      <div className="palette">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the properties name the input */}
        <label {...combobox.getLabelProps()} className="unseen">
          Object or page
        </label>
        <input
          {...combobox.getInputProps({
            placeholder: 'Object or page',
            spellCheck: false,
            maxLength: 500,
            onKeyDown: (event) => {
              if (event.key === 'Escape') onClose();
            },
          })}
        />
        <ul {...combobox.getMenuProps({ className: 'suggestions open still' })}>
          {items.map((item, index) => (
            <li
              key={'place' in item ? `page ${item.place.title}` : item.object.objectid}
              {...combobox.getItemProps({ item, index })}
              className={combobox.highlightedIndex === index ? 'active' : ''}
            >
              {'place' in item ? (
                <span>{item.place.title}</span>
              ) : (
                <>
                  <KindMark kind={item.object.type} />
                  <Name text={item.object.name} id={item.object.objectid} />
                  <small className="quiet">{kindLook(item.object.type).label}</small>
                </>
              )}
            </li>
          ))}
        </ul>
        {items.length === 0 && !isSearching && (
          <p role="status" className="quiet">
            {query.isError
              ? `Could not search. ${describeError(query.error).text}`
              : 'No page or object has this name or id'}
          </p>
        )}
      </div>
    </Dialog>
  );
}
