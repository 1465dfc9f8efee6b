/** The global search box: objects by name or id, and pages by name. */
import type { SearchResult } from '@clew/api';
import { useCombobox } from 'downshift';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { objectPath } from '../address.ts';
import { kindLook } from '../graph/kinds.ts';
import type { PageEntry } from '../pageRows.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { KindMark } from '../parts/KindMark.tsx';
import { Name } from '../parts/Name.tsx';
import { describeError, useAnswer } from '../service/queries.ts';
import { useMay, useSelf } from '../service/self.ts';
import { mayUse, usePages } from './usePages.ts';

interface Place {
  readonly title: string;
  readonly path: string;
}

/** Places within pages, with their permissions, any of which suffices. */
const PLACES: readonly (Place & Pick<PageEntry, 'needs'>)[] = [
  { title: 'Run a query', path: '/explore?mode=query', needs: ['graphdb/Read'] },
  { title: 'Find a path', path: '/explore?mode=path', needs: ['graphdb/Read'] },
  { title: 'Upload collections', path: '/data?view=uploads', needs: ['graphdb/IngestManage'] },
  { title: 'Data coverage', path: '/data', needs: ['graphdb/Read'] },
  { title: 'Zones and labels', path: '/admin?view=zones', needs: ['graphdb/Read'] },
  { title: 'Certification', path: '/admin?view=certification', needs: ['graphdb/Read'] },
  {
    ...{ title: 'Single sign-on', path: '/admin?view=sso' },
    needs: ['auth/ReadProviders', 'auth/ManageProviders'],
  },
  { title: 'Audit log', path: '/admin?view=audit', needs: ['audit_log/Read'] },
];
const PROFILE: Place = { title: 'Profile, API tokens and MFA', path: '/profile' };

type Item = { readonly place: Place } | { readonly object: SearchResult };

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation();
  const self = useSelf();
  const places: readonly Place[] = [
    ...usePages(),
    ...PLACES.filter((place) => self === undefined || mayUse(self, place)),
    PROFILE,
  ];
  const mayRead = useMay('graphdb/Read');
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), 80);
    return () => clearTimeout(timer);
  }, [typed]);
  const query = useAnswer(
    'Search',
    { query: { q: asked, limit: 8 } },
    { enabled: mayRead && asked !== '', keep: true },
  );
  const words = typed.trim().toLowerCase();
  const isSearching = typed.trim() !== asked || query.isFetching;
  const items: Item[] = [
    ...places.filter(({ title }) => title.toLowerCase().includes(words)).map((place) => ({ place })),
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
