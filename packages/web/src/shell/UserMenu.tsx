/** The signed-in user, the theme, and sign-out. */
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../service/client.ts';
import { endSession } from '../service/session.ts';
import { viewedAs } from '../service/viewAs.ts';
import { cleanText, shortText } from '../text/cleanText.ts';
import {
  chooseDensity,
  chooseTheme,
  chosenDensity,
  chosenTheme,
  type Density,
  type ThemeChoice,
} from './theme.ts';

export function UserMenu({ name, onKeys }: { readonly name: string; readonly onKeys: () => void }) {
  const [, navigate] = useLocation();
  const [theme, setTheme] = useState(chosenTheme());
  const [density, setDensity] = useState(chosenDensity());
  const menu = useRef<HTMLDetailsElement>(null);
  const shown = shortText(cleanText(name), 80);
  const isView = viewedAs() !== undefined;
  const title = `${isView ? 'You see Clew as' : 'Signed in as'} ${shown}`;
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
      <summary title={title}>
        <span className="avatar" aria-hidden="true">
          {initials(shown)}
        </span>
        <span className="unseen">{title}</span>
      </summary>
      <div className="menu-items">
        <p className="menu-name">
          <bdi>{shown}</bdi>
        </p>
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
          Theme
          <select
            value={theme}
            onChange={({ target }) => {
              const choice = target.value as ThemeChoice;
              chooseTheme(choice);
              setTheme(choice);
            }}
          >
            <option value="system">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <label>
          Density
          <select
            value={density}
            onChange={({ target }) => {
              const choice = target.value as Density;
              chooseDensity(choice);
              setDensity(choice);
            }}
          >
            <option value="comfortable">Comfortable</option>
            <option value="compact">Compact</option>
          </select>
        </label>
        <button
          type="button"
          onClick={() => {
            close();
            onKeys();
          }}
        >
          Keyboard shortcuts
        </button>
        <a className="button" href="./api/v2/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
        {!isView && (
          <button type="button" onClick={() => void signOut()}>
            Sign out
          </button>
        )}
      </div>
    </details>
  );
}

/** Initials of the first and the last word. */
function initials(name: string): string {
  const words = name.split(/[\s._@-]+/).filter((word) => word !== '');
  const letters = [words[0], words.length > 1 ? words[1] : undefined].map(
    (word) => [...(word ?? '')][0] ?? '',
  );
  return letters.join('').toUpperCase() || '?';
}
