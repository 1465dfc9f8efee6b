/** What stands around every page: where one can go, how old the data is, who is signed in. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Dialog } from '../parts/Dialog.tsx';
import { Name } from '../parts/Name.tsx';
import { call } from '../service/client.ts';
import { useAnswer } from '../service/queries.ts';
import { useSelf } from '../service/self.ts';
import { endSession } from '../service/session.ts';
import { formatAge, formatMoment, isTime } from '../text/formats.ts';
import { Palette } from './Palette.tsx';
import { PAGES } from './pages.ts';
import { chooseTheme, chosenTheme, type ThemeChoice } from './theme.ts';

const LOOK_EVERY_MS = 5000;
const STALE_DAYS = 7;

export function Shell({ children }: { readonly children: ReactNode }) {
  const [path, navigate] = useLocation();
  const [open, setOpen] = useState<'palette' | 'keys'>();
  const self = useSelf();
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setOpen('palette');
        return;
      }
      const page = event.altKey ? PAGES[Number(event.key) - 1] : undefined;
      if (page !== undefined) {
        event.preventDefault();
        navigate(page.path);
        return;
      }
      const typing =
        event.target instanceof Element &&
        event.target.closest('input, textarea, select, [contenteditable], .editor');
      if (typing !== null && typing !== false) return;
      if (event.key === '?') setOpen('keys');
      if (event.key === '/') {
        event.preventDefault();
        setOpen('palette');
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [navigate]);
  // Who reads aloud begins a new page at its beginning.
  const page = path.split('/')[1];
  const shown = useRef(page);
  useEffect(() => {
    if (shown.current !== page) main.current?.focus();
    shown.current = page;
    const found = PAGES.find((one) => one.path === `/${page}`);
    document.title = found === undefined ? 'Clew' : `${found.title} – Clew`;
  }, [page]);

  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <header className="shell">
        <Link href="/fix" className="brand">
          <img src="./icon.svg" alt="" width="26" height="26" /> Clew
        </Link>
        <nav aria-label="Pages">
          {PAGES.map(({ path: to, title }) => (
            <Link key={to} href={to} aria-current={`/${page}` === to ? 'page' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
        <button type="button" className="search-button" onClick={() => setOpen('palette')}>
          Search <kbd>Ctrl K</kbd>
        </button>
        {self !== undefined && <UserMenu name={self.user.principal_name} onKeys={() => setOpen('keys')} />}
      </header>
      <StateBar />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <div id="announcements" className="unseen" aria-live="polite" />
      {open === 'palette' && <Palette onClose={() => setOpen(undefined)} />}
      {open === 'keys' && <Keys onClose={() => setOpen(undefined)} />}
    </>
  );
}

function UserMenu({ name, onKeys }: { readonly name: string; readonly onKeys: () => void }) {
  const [, navigate] = useLocation();
  const [theme, setTheme] = useState(chosenTheme());
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  const signOut = async () => {
    await call('Logout').catch(() => undefined);
    endSession('signedOut');
  };
  return (
    <details
      className="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <summary>
        <Name text={name} />
      </summary>
      <div className="menu-items">
        <button
          type="button"
          onClick={() => {
            close();
            navigate('/profile');
          }}
        >
          Profile
        </button>
        <label>
          Colours
          <select
            value={theme}
            onChange={({ target }) => {
              const choice = target.value as ThemeChoice;
              chooseTheme(choice);
              setTheme(choice);
            }}
          >
            <option value="system">as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <button
          type="button"
          onClick={() => {
            close();
            onKeys();
          }}
        >
          Keys
        </button>
        <a href="./api/v2/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </details>
  );
}

/** How old the results are, what is being done, and whether the service is there. */
function StateBar() {
  const status = useAnswer('GetDatapipeStatus', {}, { every: LOOK_EVERY_MS });
  const queries = useQueryClient();
  const seen = useRef<string>(undefined);
  const [isNewer, setIsNewer] = useState(false);
  const data = status.data?.data;
  const analysed = data?.last_complete_analysis_at;
  useEffect(() => {
    if (analysed === undefined) return;
    if (seen.current !== undefined && seen.current !== analysed) {
      // First results replace an empty page by themselves; later ones do not move what is being read.
      if (isTime(seen.current)) setIsNewer(true);
      else void queries.invalidateQueries();
    }
    seen.current = analysed;
  }, [analysed, queries]);
  const show = () => {
    setIsNewer(false);
    void queries.invalidateQueries();
  };
  const days = isTime(analysed) ? (Date.now() - Date.parse(analysed)) / 86_400_000 : 0;
  return (
    <div className="state-bar">
      {status.error !== null && (
        <p className="warning" role="alert">
          The service does not answer. It is asked again every few seconds; what is shown may be old.
        </p>
      )}
      {data !== undefined && (
        <p>
          {data.status === 'ingesting' && <span className="busy">Reading uploads … </span>}
          {data.status === 'analyzing' && <span className="busy">Analysing … </span>}
          {isTime(analysed) ? (
            <span title={formatMoment(analysed)} className={days > STALE_DAYS ? 'warning' : ''}>
              Results of {formatAge(analysed)}
              {days > STALE_DAYS && ': old. Collect again to see what is true today.'}
            </span>
          ) : (
            'No analysis has run yet'
          )}
        </p>
      )}
      {isNewer && (
        <p role="status">
          Newer results are ready.{' '}
          <button type="button" onClick={show}>
            Show them
          </button>
        </p>
      )}
    </div>
  );
}

const KEYS = [
  ['Ctrl K or /', 'Search objects and pages'],
  ['Alt 1 … Alt 6', 'Pages, in their order'],
  ['?', 'These keys'],
  ['Arrows, +, −, 0', 'In a drawing: move, zoom, show all of it'],
  ['Ctrl Z', 'In Explore: undo the last change of the drawing'],
  ['Shift Enter', 'In a query: run it'],
  ['Escape', 'Close a panel or a dialog'],
] as const;

function Keys({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {KEYS.map(([keys, effect]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{effect}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
