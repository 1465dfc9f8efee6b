/**
 * A defect of the interface affects only one page, which explains how to continue. A part of a page that could not be loaded is
 * not a defect: the service is unreachable, or a newer version has other files. The page waits for it and loads it automatically.
 */
import { Component, type ReactNode, useEffect, useState } from 'react';
import { describeError } from '../service/queries.ts';

interface FaultState {
  readonly error?: unknown;
}

/** Messages of Chromium, Firefox and Safari for modules that failed to load. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload/i;

export class Fault extends Component<{ readonly children: ReactNode }, FaultState> {
  override state: FaultState = {};

  static getDerivedStateFromError(error: unknown): FaultState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (error instanceof Error && NOT_LOADED.test(error.message)) return <NotLoaded />;
    return (
      <div className="page">
        <div className="failure" role="alert">
          <strong>Something went wrong on this page</strong>
          <p>Nothing was changed. Reload the page.</p>
          <p className="quiet">{describeError(error).text}</p>
          <button type="button" onClick={() => location.reload()}>
            Reload
          </button>
        </div>
      </div>
    );
  }
}

const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 30_000;
const RELOADED = 'clew.reloaded';
/** A second reload within this time would also fail. */
const RELOAD_AGAIN_MS = 20_000;

/** Waits until the service answers, then loads the page once. */
function NotLoaded() {
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const end = new AbortController();
    const look = async (pause: number) => {
      const isThere = await fetch(document.baseURI, {
        method: 'HEAD',
        cache: 'no-store',
        signal: end.signal,
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (end.signal.aborted) return;
      if (!isThere) timer = setTimeout(() => void look(Math.min(MAX_PAUSE_MS, pause * 2)), pause);
      else if (Date.now() - reloadedAt() < RELOAD_AGAIN_MS) setFailed(true);
      else {
        sessionStorage.setItem(RELOADED, String(Date.now()));
        location.reload();
      }
    };
    void look(FIRST_PAUSE_MS);
    return () => {
      end.abort();
      clearTimeout(timer);
    };
  }, []);
  return (
    <div className="page">
      <div className="failure" role="alert">
        <strong>{failed ? 'Could not load this page' : 'Waiting for the service'}</strong>
        <p>
          {failed
            ? 'The service responds, but a part of the page is missing. Reload the page, or check the proxies in between.'
            : 'This page could not be loaded. It will load automatically when the service responds.'}
        </p>
        <button type="button" onClick={() => location.reload()}>
          Reload
        </button>
      </div>
    </div>
  );
}

const reloadedAt = (): number => Number(sessionStorage.getItem(RELOADED) ?? 0);
