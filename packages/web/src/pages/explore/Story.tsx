/**
 * A path step by step next to its drawing: the right of each step, its evidence, and the effect of cutting it.
 * Story and drawing select each other.
 */
import type { PathRepairsRecord } from '@clew/api';
import { formatShare, principalsText, stepEffortWords } from '@clew/model';
import { Lock, Scissors } from 'lucide';
import { useEffect, useRef } from 'react';
import { useKindTexts } from '../../edges/useKindTexts.ts';
import { edgeKey, type Graph, plainName } from '../../graph/model.ts';
import { AddToWhatIf } from '../../parts/AddToWhatIf.tsx';
import { Cost } from '../../parts/Cost.tsx';
import { FallBar } from '../../parts/FallBar.tsx';
import { Icon } from '../../parts/Icon.tsx';
import { useKey } from '../../parts/keys.ts';
import { PlayButton, PlayerBar } from '../../parts/PathPlayer.tsx';
import { RulesButton } from '../../parts/RulesButton.tsx';
import { Stepper } from '../../parts/Stepper.tsx';
import { describeError } from '../../service/queries.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted, formatAgeShort, formatMoment, isTime } from '../../text/formats.ts';
import { shortNames } from '../../text/names.ts';
import { shareIn, simulatedFall, TIER_ZERO } from '../fix/planFigures.ts';
import { useSimulation } from '../whatIf/simulation.ts';
import type { ExploreActions } from './exploreActions.ts';
import type { ExploreState } from './exploreState.ts';
import type { StoryStep } from './storyPaths.ts';
import { isOneRepair } from './usePathRepairs.ts';
import type { StoryState } from './useStory.ts';

interface StoryProps {
  readonly graph: Graph;
  readonly story: StoryState;
  readonly state: ExploreState;
  readonly actions: ExploreActions;
  readonly nameOf: (id: string) => string;
}

export function Story(props: StoryProps) {
  const { paths, isAll, number, path, go } = props.story;
  useKey('n', number < paths.length - 1 ? () => go(number + 1) : undefined);
  useKey('p', number > 0 ? () => go(number - 1) : undefined);
  if (path === undefined) return null;
  return (
    <section className="story" aria-label="Story of the path">
      <header>
        <h2>{counted(path.length, 'step')}</h2>
        <Stepper
          at={number}
          count={paths.length}
          onStep={go}
          previous="Previous path"
          next="Next path"
          words={isAll ? ' paths' : '+ paths'}
        />
      </header>
      <Steps key={number} path={path} {...props} />
    </section>
  );
}

const isStep = ({ edges }: StoryStep, selected: string | undefined): boolean =>
  edges.some((edge) => edgeKey(edge) === selected);

type StepsProps = StoryProps & { readonly path: readonly StoryStep[] };

function Steps({ path, graph, story, state, actions, nameOf }: StepsProps) {
  const { repairs, player } = story;
  const textOf = useKindTexts(path.map(({ edges }) => edges[0]!.kind));
  const { step } = player;
  const { select } = actions;
  // The played step is the selection, here and on the drawing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step selects once
  useEffect(() => {
    const played = step === undefined ? undefined : path[step];
    if (played !== undefined) select(edgeKey(played.edges[0]!));
  }, [step]);
  const chosen = path.findIndex((one) => isStep(one, state.selected));
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (step !== undefined) list.current?.children[step]?.scrollIntoView({ block: 'nearest' });
  }, [step]);
  return (
    <>
      <ol ref={list}>
        {path.map((one, index) => (
          <li key={`${one.source} ${one.target}`} className={index === chosen ? 'chosen' : ''}>
            <button
              type="button"
              aria-pressed={index === chosen}
              onClick={() => actions.select(index === chosen ? undefined : edgeKey(one.edges[0]!))}
            >
              <span className="number" aria-hidden="true">
                {index + 1}
              </span>
              <span>
                <Sentence step={one} phrase={textOf(one.edges[0]!.kind).phrase} {...{ graph, nameOf }} />
                <small>
                  <Basis step={one} effort={textOf(one.edges[0]!.kind).effort} />
                </small>
                <CutMark repairs={repairs} at={index} />
              </span>
            </button>
          </li>
        ))}
      </ol>
      <StoryFoot {...{ path, graph, story, state, actions, nameOf, chosen }} />
    </>
  );
}

/** The effect of a cut, and the player; during playback, only the exposure bar is shown. */
function StoryFoot({
  path,
  graph,
  story: { repairs, player },
  state,
  actions: { select },
  nameOf,
  chosen,
}: StepsProps & { readonly chosen: number }) {
  const textOf = useKindTexts(path.map(({ edges }) => edges[0]!.kind));
  const isPlaying = player.step !== undefined;
  const nodes = [path[0]!.source, ...path.map(({ target }) => target)].map((id) => ({
    object_id: id,
    name: nameOf(id),
    kind: graph.nodes.get(id)?.kind ?? '',
  }));
  const steps = path.map(({ edges }) => ({
    kind: edges[0]!.kind,
    effort: textOf(edges[0]!.kind).effort,
  }));
  return (
    <footer>
      {!isPlaying && <PlayButton player={player} />}
      {!isPlaying &&
        path.every(({ edges }) => edges.every(({ isWay, isGone }) => !isWay && isGone !== true)) && (
          <RulesButton
            watched={() => ({
              steps: path.map(({ source, target, edges }) => ({
                ...{ source_id: source, target_id: target },
                kinds: edges.map(({ kind }) => kind),
              })),
              of: 'this path',
            })}
            name="path-rules"
          />
        )}
      <PlayerBar player={player} nodes={nodes} steps={steps} />
      {chosen >= 0 ? (
        <IfCut
          step={path[chosen]!}
          number={chosen + 1}
          graph={graph}
          zone={state.zone}
          repairs={repairs?.steps[chosen]}
          isShort={isPlaying}
        />
      ) : (
        <>
          <CheapestCut repairs={repairs} onSelect={(at) => select(edgeKey(path[at]!.edges[0]!))} />
          <p className="quiet">Select a step to see the effect of cutting it.</p>
        </>
      )}
    </footer>
  );
}

type Repairs = PathRepairsRecord | undefined;

/** Marks a step that no one can remove, or the cheapest cut. */
function CutMark({ repairs, at }: { readonly repairs: Repairs; readonly at: number }) {
  const step = repairs?.steps[at];
  if (step?.locked != null)
    return (
      <small className="locked" title={cleanText(step.locked.text)}>
        <Icon of={Lock} size={12} /> {LOCKED[step.locked.by]}
      </small>
    );
  if (step === undefined || step.cost === null || repairs?.cheapest !== at) return null;
  return (
    <small className="mark cut">
      <Icon of={Scissors} size={12} /> Cheapest cut <Cost cost={step.cost} isSum={!isOneRepair(step)} />
    </small>
  );
}

const LOCKED = {
  windows: 'Cannot be cut: created by Windows',
  constraint: "You can't change this",
  none: 'No known repair',
} as const;

interface CheapestCutProps {
  readonly repairs: Repairs;
  readonly onSelect: (at: number) => void;
}

function CheapestCut({ repairs, onSelect }: CheapestCutProps) {
  if (repairs === undefined) return null;
  const { cheapest, steps } = repairs;
  if (cheapest === null) {
    // Only steps that start in Tier Zero can have a cost without being the cheapest.
    const isTooLate = steps.some(({ cost }) => cost !== null);
    return (
      <p className="quiet">
        No known single repair cuts this path{isTooLate && ' before it reaches Tier Zero'}.
      </p>
    );
  }
  const [repair] = steps[cheapest]?.repairs ?? [];
  return (
    <p>
      <button type="button" className="plain" onClick={() => onSelect(cheapest)}>
        Cheapest cut: step {cheapest + 1}
      </button>
      {repair !== undefined && <> {cleanText(repair.title)}</>}
    </p>
  );
}

function Sentence({
  step: { source, target },
  phrase,
  graph,
  nameOf,
}: {
  readonly step: StoryStep;
  readonly phrase: string;
  readonly graph: Graph;
  readonly nameOf: (id: string) => string;
}) {
  const named = (id: string) => ({ name: nameOf(id), kind: graph.nodes.get(id)?.kind ?? '' });
  const names = shortNames(named(source), named(target));
  const [from, to] = [source, target].map((id, at) => (
    <strong key={id} title={nameOf(id)}>
      <bdi>{names[at]}</bdi>
    </strong>
  ));
  return (
    <>
      {from} {phrase} {to}
    </>
  );
}

/** Kinds, the source of a right, when it was last seen, and the attack effort of the step. */
function Basis({
  step: { edges },
  effort,
}: {
  readonly step: StoryStep;
  readonly effort: number | undefined;
}) {
  const [first] = edges;
  const parts = [
    edges.length === 1 ? first!.kind : `${first!.kind} + ${edges.length - 1} more`,
    first!.isAcl ? (first!.isInherited ? 'inherited' : 'explicit ACE') : undefined,
    first!.isDerived ? 'derived' : undefined,
    effort === undefined ? undefined : stepEffortWords(effort),
  ].filter((part) => part !== undefined);
  const { lastSeen } = first!;
  return (
    <>
      {parts.join(' · ')}
      {isTime(lastSeen) && <span title={formatMoment(lastSeen)}> · {ageText(lastSeen)}</span>}
    </>
  );
}

function ageText(time: string): string {
  const age = formatAgeShort(time);
  return age === 'now' ? 'just now' : `${age} ago`;
}

function IfCut({
  step: { edges },
  number,
  graph,
  zone,
  repairs,
  isShort,
}: {
  readonly step: StoryStep;
  readonly number: number;
  readonly graph: Graph;
  readonly zone: number;
  readonly repairs: PathRepairsRecord['steps'][number] | undefined;
  /** Shows only the figures and their bar. */
  readonly isShort: boolean;
}) {
  const locked = repairs?.locked ?? null;
  const request = {
    ...(zone !== TIER_ZERO && { asset_group_tag_id: zone }),
    remove: edges.map(({ source, kind, target }) => ({ source_id: source, kind, target_id: target })),
  };
  const query = useSimulation(request, locked === null);
  const [first] = edges;
  const title = `Remove ${edges.map(({ kind }) => kind).join(', ')} on ${plainName(graph, first!.target)} from ${plainName(graph, first!.source)}`;
  const fall = query.data && simulatedFall(query.data, zone);
  if (locked !== null)
    return (
      <div className="if-cut" aria-live="polite">
        <p>
          <Icon of={Lock} size={14} /> Step {number} cannot be cut
        </p>
        <p className="quiet">{cleanText(locked.text)}</p>
      </div>
    );
  const [repair] = repairs?.repairs ?? [];
  return (
    <div className="if-cut" aria-live="polite">
      <p>
        If you cut step {number}
        {fall !== undefined && fall.before.all > 0 && !query.isPlaceholderData && (
          <span className="end" title={`${fall.after.exposed} of ${principalsText(fall.after.all)}`}>
            {formatShare(shareIn(fall.before))} → <strong>{formatShare(shareIn(fall.after))}</strong>
          </span>
        )}
      </p>
      {query.error !== null ? (
        <p className="quiet">{describeError(query.error).text}</p>
      ) : fall === undefined || query.isPlaceholderData ? (
        <p className="quiet">Simulating…</p>
      ) : (
        fall.before.all > 0 && (
          <>
            <FallBar before={shareIn(fall.before)} after={shareIn(fall.after)} />
            {fall.before.exposed === fall.after.exposed && (
              <p className="quiet">Other paths remain: this cut alone does not change exposure.</p>
            )}
          </>
        )
      )}
      {repair !== undefined && !isShort && (
        <p className="quiet">
          {repair.removes ? cleanText(repair.title) : `One of several changes: ${cleanText(repair.title)}`}
        </p>
      )}
      {!isShort && <AddToWhatIf request={request} title={title} words="Add cut to What if" isMain />}
    </div>
  );
}
