/**
 * An attack path in cards, in findings, and on phones: objects and relationships in alternating rows, or in a column if the space
 * is narrow. Shortened names keep both ends, domains have a separate line, and the layout is plain HTML, so nothing overlaps.
 */

import { stepEffortWords } from '@clew/model';
import { Lock, Scissors } from 'lucide';
import type { CSSProperties } from 'react';
import { Link } from 'wouter';
import { objectPath } from '../address.ts';
import { useKindTexts } from '../edges/useKindTexts.ts';
import { kindLook } from '../graph/kinds.ts';
import { cleanText } from '../text/cleanText.ts';
import { fontOf, measureIn, useFonts } from '../text/measure.ts';
import { elidedFront, elidedMiddle, splitName } from '../text/names.ts';
import { Breakable } from './Breakable.tsx';
import { Icon } from './Icon.tsx';
import { KindMark } from './KindMark.tsx';
import { MIN_ROW_WIDTH, nodeWidth, pathRows } from './pathRows.ts';
import { useWidth } from './useWidth.ts';

export interface PathObject {
  readonly object_id: string;
  readonly name: string;
  readonly kind: string;
}

export interface PathStep {
  readonly kind: string;
  /** Attack effort of the step, and its reason. */
  readonly effort?: number;
  readonly reason?: string;
  /** A second line with its evidence, or a note that it is cut. */
  readonly note?: string;
  readonly isCut?: boolean;
  /** Whether no one can remove it. */
  readonly isLocked?: boolean;
}

interface PathStripProps {
  readonly label: string;
  readonly nodes: readonly PathObject[];
  /** Has one entry fewer than `nodes`. */
  readonly steps: readonly PathStep[];
  /** Mark of the zone at the end of the path; absent if it ends outside a zone. */
  readonly endMark?: string;
  /** The selected step; the others are dimmed. */
  readonly current?: number;
}

const TILE = 40;
const TILE_NARROW = 36;
const NAME_FONT = fontOf(650, 12);
const DOMAIN_FONT = fontOf(400, 11.5);
/** Minimum distance between two names. */
const NAME_MARGIN = 8;
/** Names have at most two lines: the characters that fit in both, minus the space lost at the break. */
const TWO_LINES = 1.7;

export function PathStrip({ label, nodes, steps, endMark, current }: PathStripProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  useFonts();
  const isNarrow = width > 0 && width < MIN_ROW_WIDTH;
  const rows = isNarrow ? [[0, nodes.length] as const] : pathRows(nodes.length, width);
  const each = rows[0]![1];
  const node = isNarrow ? width : nodeWidth(each, width, Math.max(...nodes.map(neededWidth)) + NAME_MARGIN);
  return (
    <div
      ref={box}
      className={isNarrow ? 'path-strip narrow' : 'path-strip'}
      style={{ '--node': `${node}px` } as CSSProperties}
    >
      {width > 0 && (
        <ol aria-label={label}>
          {rows.map(([from, to], row) => (
            <li key={from} className={row % 2 === 1 ? 'path-row back' : 'path-row'}>
              <ol style={isNarrow ? undefined : { gridTemplateColumns: columnsOf(each) }}>
                {nodes.slice(from, to).map((one, offset) => {
                  const at = from + offset;
                  const step = steps[at - 1];
                  return [
                    step === undefined ? null : (
                      <StepItem
                        key={`step ${at}`}
                        step={step}
                        isTurn={offset === 0}
                        isFaded={current !== undefined && current !== at - 1}
                      />
                    ),
                    <NodeItem
                      key={`node ${at}`}
                      node={one}
                      room={isNarrow ? width - TILE_NARROW - 16 : node - NAME_MARGIN}
                      isNarrow={isNarrow}
                      mark={at === nodes.length - 1 ? endMark : undefined}
                      isFaded={current !== undefined && current !== at - 1 && current !== at}
                    />,
                  ];
                })}
              </ol>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** All rows have the same columns, so the end of a row is above the beginning of the next one. */
const columnsOf = (each: number): string =>
  Array.from({ length: each }, () => 'var(--node)').join(' minmax(40px, 1fr) ');

const wholeName = ({ name, object_id }: PathObject): string => cleanText(name === '' ? object_id : name);

/** @returns pixels needed to show both lines of an object in full */
function neededWidth(node: PathObject): number {
  const { name, domain = '' } = splitName(wholeName(node), node.kind);
  return Math.max(measureIn(NAME_FONT)(name), measureIn(DOMAIN_FONT)(domain));
}

function NodeItem({
  node,
  room,
  isNarrow,
  mark,
  isFaded,
}: {
  readonly node: PathObject;
  readonly room: number;
  readonly isNarrow: boolean;
  readonly mark: string | undefined;
  readonly isFaded: boolean;
}) {
  const whole = wholeName(node);
  const { name, domain } = splitName(whole, node.kind);
  const { label } = kindLook(node.kind);
  const second = domain ?? label;
  return (
    <li className={isFaded ? 'path-node faded' : 'path-node'}>
      <span className="tile">
        <KindMark kind={node.kind} size={isNarrow ? TILE_NARROW : TILE} />
        {mark !== undefined && <span className="zone-mark">{mark}</span>}
      </span>
      <div className="path-text">
        <Link
          className="path-name"
          href={objectPath(node.object_id)}
          title={domain === undefined ? `${whole} (${label})` : `${name} in ${domain} (${label})`}
        >
          <bdi aria-hidden="true">
            <Breakable
              longest={0}
              text={elidedMiddle(name, room * (isNarrow ? 1 : TWO_LINES), measureIn(NAME_FONT))}
            />
          </bdi>
          <span className="unseen">{whole}</span>
        </Link>
        <span className="path-domain" aria-hidden={domain === undefined ? undefined : true}>
          <bdi>
            <Breakable
              longest={0}
              text={elidedFront(second, room * (isNarrow ? 1 : TWO_LINES), measureIn(DOMAIN_FONT))}
            />
          </bdi>
        </span>
      </div>
    </li>
  );
}

interface StepItemProps {
  readonly step: PathStep;
  /** Whether it leads from the end of a row down to the next one. */
  readonly isTurn: boolean;
  readonly isFaded: boolean;
}

function StepItem({ step, isTurn, isFaded }: StepItemProps) {
  const { phrase } = useKindTexts([step.kind])(step.kind);
  const words = ['path-step', step.isCut && 'cut', isTurn && 'turn', isFaded && 'faded'].filter(Boolean);
  const line = (
    <span className="line" aria-hidden="true">
      {step.isCut && (
        <span className="snip">
          <Icon of={Scissors} size={14} />
        </span>
      )}
    </span>
  );
  const said = (
    <span className="phrase">
      {step.isCut && <span className="unseen">Cut here: </span>}
      {shortPhrase(phrase)}
    </span>
  );
  const note = (
    <span className="note">
      {step.isLocked && (
        <>
          <Icon of={Lock} size={12} />
          <span className="unseen">Cannot be cut: </span>
        </>
      )}
      {step.note}
    </span>
  );
  return (
    <li className={words.join(' ')} title={titleOf(step)}>
      {isTurn ? (
        <>
          {line}
          <span className="turn-text">
            {said} {note}
          </span>
        </>
      ) : (
        <>
          {said}
          {line}
          {note}
        </>
      )}
    </li>
  );
}

/** The phrase without its object, which the sentence already names. */
const shortPhrase = (phrase: string): string => phrase.replace(/^is (?:an? )?(?=\w+ (?:of|on|in|to)\b)/, '');

function titleOf({ kind, effort, reason }: PathStep): string {
  const why = reason === undefined || reason === '' ? '' : `: ${cleanText(reason)}`;
  return effort === undefined ? kind : `${kind}, ${stepEffortWords(effort)}${why}`;
}
