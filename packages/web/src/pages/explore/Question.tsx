/** The left side: the search for an object, a path or a query, and the answer as text. */
import type { ReactNode } from 'react';
import type { Address } from '../../address.ts';
import { SearchBox } from '../../parts/SearchBox.tsx';
import { Segments } from '../../parts/Segments.tsx';
import { type ExploreState, type Mode, modeChange } from './exploreState.ts';
import { LeftOutKinds, PathForm } from './PathForm.tsx';
import { QueryForm } from './QueryForm.tsx';

const MODES: readonly (readonly [Mode, string])[] = [
  ['object', 'Object'],
  ['path', 'Path'],
  ['query', 'Query'],
];

interface QuestionProps {
  readonly state: ExploreState;
  readonly address: Address;
  readonly isRunning: boolean;
  /** Why there is no answer; null if there is one. */
  readonly error: unknown;
  readonly onCancel: () => void;
  /** The card of a saved drawing, which replaces the question. */
  readonly card?: ReactNode;
  readonly children?: ReactNode;
}

export function Question({ state, address, isRunning, error, onCancel, card, children }: QuestionProps) {
  return (
    <div className="side">
      <h1 className="unseen">Explore</h1>
      <Segments
        label="Search for"
        choices={MODES}
        chosen={state.mode}
        onChoose={(mode) => address.set(modeChange(state, mode))}
      />
      {card}
      {state.mode === 'object' && (
        <SearchBox
          label="Object"
          onPick={({ objectid }) =>
            address.set({
              object: objectid,
              selected: objectid,
              only: undefined,
              with: undefined,
              hide: undefined,
              unfold: undefined,
            })
          }
        />
      )}
      {state.mode !== 'query' && state.drawing === undefined && (
        <LeftOutKinds state={state} address={address} />
      )}
      {state.mode === 'path' && <PathForm state={state} address={address} />}
      {state.mode === 'query' && (
        <QueryForm state={state} address={address} isRunning={isRunning} error={error} onCancel={onCancel} />
      )}

      {children}
    </div>
  );
}
