/** Shows every state of an answer: loading, refused, failed, empty, loaded, and being refreshed. */
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { describeError, isForbidden } from '../service/queries.ts';
import { useSelf, yourRole } from '../service/self.ts';

interface AnswerProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (answer: T) => ReactNode;
  readonly lines?: number;
  /** A skeleton of the loading content. */
  readonly shape?: ReactNode;
  /** Name of the loading data, for users who do not see the skeleton. */
  readonly what?: string;
}

export function Answer<T>({ query, children, lines = 3, shape, what = 'the answer' }: AnswerProps<T>) {
  if (query.data !== undefined)
    return (
      <div
        className={query.isPlaceholderData ? 'answer renewing' : 'answer'}
        aria-busy={query.isPlaceholderData}
      >
        {query.error !== null && (
          <Failure error={query.error} what={what} retry={() => void query.refetch()} />
        )}
        {children(query.data)}
      </div>
    );
  if (query.error !== null)
    return <Failure error={query.error} what={what} retry={() => void query.refetch()} />;
  return <Waiting lines={lines} shape={shape} what={what} />;
}

const SKELETON_AFTER_MS = 200;
const TIME_AFTER_SECONDS = 2;
const SKELETON = Array.from({ length: 20 }, (_, line) => `line ${line}`);

interface WaitingProps {
  /** Number of skeleton lines; 0 while an earlier answer is still shown. */
  readonly lines?: number;
  readonly shape?: ReactNode;
  readonly what: string;
  readonly onCancel?: () => void;
  /** Seconds before it can be canceled. */
  readonly cancelAfter?: number;
}

/** A short wait shows nothing; a longer one shows its duration, and a cancel button if it can be canceled. */
export function Waiting({ lines = 3, shape, what, onCancel, cancelAfter = 0 }: WaitingProps) {
  const [seconds, setSeconds] = useState(-1);
  useEffect(() => {
    const begun = Date.now();
    const first = setTimeout(() => setSeconds(0), SKELETON_AFTER_MS);
    const clock = setInterval(() => setSeconds(Math.round((Date.now() - begun) / 1000)), 1000);
    return () => {
      clearTimeout(first);
      clearInterval(clock);
    };
  }, []);
  if (seconds < 0) return <div className="waiting" />;
  const canCancel = onCancel !== undefined && seconds >= cancelAfter;
  return (
    <div className="waiting">
      <span className="unseen" role="status">
        Waiting for {what}
      </span>
      {shape ?? SKELETON.slice(0, lines).map((line) => <div key={line} className="skeleton" />)}
      {(seconds >= TIME_AFTER_SECONDS || canCancel) && (
        <p className="quiet">
          {/* Screen readers would say each second. */}
          <span aria-hidden="true">
            Waiting for {what}, {seconds} s
          </span>{' '}
          {canCancel && (
            <button type="button" onClick={onCancel}>
              Cancel
            </button>
          )}
        </p>
      )}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  readonly retry?: () => void;
  /** Name of the data that could not be loaded. */
  readonly what?: string;
}

export function Failure({ error, retry, what }: FailureProps) {
  const { text, requestId } = describeError(error);
  const forbidden = isForbidden(error);
  const role = yourRole(useSelf());
  return (
    <div className="failure" role="alert">
      <strong>
        {forbidden
          ? `${role} can't ${what === undefined ? 'do this' : `see ${what}`}`
          : `Could not load ${what ?? 'this'}`}
      </strong>
      <p>
        {forbidden
          ? 'Ask an administrator for a role with this permission.'
          : `${text}${/[.!?]$/.test(text) ? '' : '.'}`}
      </p>
      {requestId !== undefined && <p className="quiet">Request {requestId}</p>}
      {retry !== undefined && !forbidden && (
        <button type="button" onClick={retry}>
          Retry
        </button>
      )}
    </div>
  );
}

interface EmptyProps {
  /** States which data is missing. */
  readonly title: string;
  /** The reason, and how to provide the data. */
  readonly children?: ReactNode;
  /** An example of the missing data, as a sentence or as it would look. */
  readonly example?: ReactNode;
  /** The only button: a link or an action; absent if the user may do nothing. */
  readonly action?: { readonly words: string } & ({ readonly href: string } | { readonly onAct: () => void });
}

/** An empty part states which data is missing, why, and how to provide it, with an example. */
export function Empty({ title, children, example, action }: EmptyProps) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {typeof children === 'string' ? <p>{children}</p> : children}
      {example !== undefined && (
        <p className="example">
          <span className="quiet">For example:</span> {example}
        </p>
      )}
      {action !== undefined && (
        <p className="bar">
          {'href' in action ? (
            <Link className="button main" href={action.href}>
              {action.words}
            </Link>
          ) : (
            <button type="button" className="main" onClick={action.onAct}>
              {action.words}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
