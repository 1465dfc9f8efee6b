/** The frame of every page: navigation, scope, the age of the data, and the signed-in user. */
import { EyeOff, Menu, Search } from 'lucide';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { pageOf } from '../pageRows.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { Icon } from '../parts/Icon.tsx';
import { hasSingleKeys } from '../parts/keys.ts';
import { Notices } from '../parts/Notices.tsx';
import { ViewAsBar } from '../parts/ViewAsBar.tsx';
import { keepFor } from '../service/kept.ts';
import { queryClient } from '../service/queries.ts';
import { useSelf } from '../service/self.ts';
import { viewedAs } from '../service/viewAs.ts';
import { isMasked, setMasked, useMasked } from '../text/masking.ts';
import { Keys } from './Keys.tsx';
import { KnownDomains } from './KnownDomains.tsx';
import { Palette } from './Palette.tsx';
import { Scope } from './Scope.tsx';
import { SideBar } from './SideBar.tsx';
import { NewResults, ServiceAway, Status } from './Status.tsx';
import { UserMenu } from './UserMenu.tsx';
import { usePages } from './usePages.ts';

/** Time to press the letter of a page after `g`. */
const GO_MS = 1500;

export function Shell({ children }: { readonly children: ReactNode }) {
  const [path, navigate] = useLocation();
  const [open, setOpen] = useState<'palette' | 'keys' | 'more'>();
  const self = useSelf();
  const pages = usePages();
  const isHidden = useMasked();
  const main = useRef<HTMLElement>(null);
  const user = viewedAs() === undefined ? self?.user.id : undefined;
  const going = useRef(0);
  useEffect(() => {
    if (user !== undefined) keepFor(user);
  }, [user]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setOpen('palette');
        return;
      }
      const page = event.altKey ? pages[Number(event.key) - 1] : undefined;
      if (page !== undefined) {
        event.preventDefault();
        navigate(page.path);
        return;
      }
      const typing =
        event.target instanceof Element &&
        event.target.closest('input, textarea, select, [contenteditable], .editor');
      if (typing !== null && typing !== false) return;
      if (event.ctrlKey || event.metaKey || event.altKey || !hasSingleKeys()) return;
      const isGoing = Date.now() - going.current < GO_MS;
      const place = isGoing ? pages.find(({ letter }) => letter === event.key) : undefined;
      going.current = event.key === 'g' ? Date.now() : 0;
      if (place !== undefined) navigate(place.path);
      if (event.key === '?') setOpen('keys');
      if (event.key === 'm') mask(!isMasked());
      if (event.key === '/') {
        event.preventDefault();
        setOpen('palette');
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [navigate, pages]);
  // Makes screen readers start a new page at its beginning.
  const page = pageOf(path);
  const place = path.split('/')[1];
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current !== place) main.current?.focus();
    shown.current = place;
    document.title = page === undefined ? 'Clew' : `${page.title} – Clew`;
  }, [place, page]);
  useEffect(() => setOpen((before) => (before === 'more' && path !== '' ? undefined : before)), [path]);

  return (
    <div className={place === 'explore' ? 'frame slim' : 'frame'}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        Skip to the page
      </button>
      <SideBar current={page?.path} />
      <header className="top">
        <Scope page={page} />
        <button type="button" className="find" onClick={() => setOpen('palette')}>
          <Icon of={Search} />
          <span className="find-text">
            Search <span className="find-more">objects, pages</span>
          </span>
          <kbd>Ctrl K</kbd>
        </button>
        <button
          type="button"
          className="ghost"
          aria-label="Mask names"
          aria-pressed={isHidden}
          title="Mask names (m)"
          onClick={() => mask(!isHidden)}
        >
          <Icon of={EyeOff} />
        </button>
        {self !== undefined && <UserMenu name={self.user.principal_name} onKeys={() => setOpen('keys')} />}
      </header>
      <div className="notices">
        <ViewAsBar />
        <ServiceAway />
        <NewResults />
        {isHidden && (
          <p className="notice-bar">
            Names are masked.{' '}
            <button type="button" onClick={() => mask(false)}>
              Show names
            </button>
          </p>
        )}
      </div>
      <main id="main" ref={main} tabIndex={-1}>
        <KnownDomains key={isHidden ? 'masked' : 'shown'}>{children}</KnownDomains>
      </main>
      <nav className="tab-bar" aria-label="Pages, narrow">
        {pages
          .filter(({ isInBar }) => isInBar)
          .map(({ path: to, title, icon }) => (
            <Link key={to} href={to} aria-current={page?.path === to ? 'page' : undefined}>
              <Icon of={icon} size={20} />
              {title}
            </Link>
          ))}
        <button type="button" onClick={() => setOpen('more')}>
          <Icon of={Menu} size={20} />
          More
        </button>
      </nav>
      <Notices />
      <div id="announcements" className="unseen" aria-live="polite" />
      {open === 'palette' && <Palette onClose={() => setOpen(undefined)} />}
      {open === 'keys' && <Keys onClose={() => setOpen(undefined)} />}
      {open === 'more' && <More current={page?.path} onClose={() => setOpen(undefined)} />}
    </div>
  );
}

/** All answers are requested again, because names are registered or unmasked when answers arrive. */
function mask(on: boolean): void {
  setMasked(on);
  void queryClient.resetQueries();
}

/** The pages that do not fit into the bar of a narrow window. */
function More({ current, onClose }: { readonly current: string | undefined; readonly onClose: () => void }) {
  return (
    <Dialog title="More" onClose={onClose}>
      <nav className="more-pages" aria-label="More pages">
        {usePages()
          .filter(({ isInBar }) => !isInBar)
          .map(({ path, title, question, icon }) => (
            <Link
              key={path}
              href={path}
              aria-current={current === path ? 'page' : undefined}
              onClick={onClose}
            >
              <Icon of={icon} size={20} />
              <span>
                {title}
                <small>{question}</small>
              </span>
            </Link>
          ))}
      </nav>
      <Status />
    </Dialog>
  );
}
