/** A fault of the interface itself ends one page, not all: it says so, and how to go on. */
import { Component, type ReactNode } from 'react';

interface FaultState {
  readonly error?: unknown;
}

export class Fault extends Component<{ readonly children: ReactNode }, FaultState> {
  override state: FaultState = {};

  static getDerivedStateFromError(error: unknown): FaultState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <div className="page">
        <div className="failure" role="alert">
          <strong>This page stopped working</strong>
          <p>The fault is one of the interface; nothing was changed. Load the page again.</p>
          <p className="quiet">{error instanceof Error ? error.message : String(error)}</p>
          <button type="button" onClick={() => location.reload()}>
            Load again
          </button>
        </div>
      </div>
    );
  }
}
