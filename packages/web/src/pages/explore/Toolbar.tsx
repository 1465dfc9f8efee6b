/** The bar above a drawing: its size, display options, undo, and export. */
import { Bookmark, Redo2, Undo2 } from 'lucide';
import type { ReactNode } from 'react';
import type { Drawing } from '../../graph/drawing.ts';
import type { Graph } from '../../graph/model.ts';
import { Icon } from '../../parts/Icon.tsx';
import { notify } from '../../parts/notices.ts';
import { describeError, useAnswer } from '../../service/queries.ts';
import { counted, formatCount } from '../../text/formats.ts';
import type { ExploreActions } from './exploreActions.ts';
import { type ExploreState, LABELS, type Labels } from './exploreState.ts';
import { type ExportFormat, exportGraph } from './exports.ts';
import { exportTexts } from './exportTexts.ts';
import type { Found } from './useExploreGraph.ts';

export type Face = 'grouped' | 'layers' | 'free' | 'table';

const FACES: readonly (readonly [Face, string])[] = [
  ['grouped', 'Grouped'],
  ['layers', 'Hierarchical'],
  ['free', 'Force'],
  ['table', 'Table'],
];

interface ToolbarProps {
  readonly state: ExploreState;
  readonly whole: Graph;
  readonly drawing: Drawing;
  readonly hasDrawing: boolean;
  readonly found: Found | undefined;
  /** The question in words, for exported files. */
  readonly title: string;
  /** Lines to cut. */
  readonly cut: ReadonlySet<string>;
  readonly nameOf: (id: string) => string;
  readonly idOf: (id: string) => string;
  readonly face: Face;
  readonly onFace: (face: Face) => void;
  readonly actions: ExploreActions;
  readonly onLabels: (labels: Labels) => void;
  /** Search in the drawing, and the multiple selection; absent without a drawing. */
  readonly children?: ReactNode;
  readonly onUnhide: () => void;
  readonly onFold: () => void;
  /** Absent if it cannot be saved. */
  readonly onSave: (() => void) | undefined;
}

export function Toolbar(props: ToolbarProps) {
  const { state, whole, drawing, nameOf, face } = props;
  const analyzed = useAnswer('GetDatapipeStatus', {}).data?.data.last_complete_analysis_at;
  const save = (format: ExportFormat) =>
    void exportGraph(format, {
      ...{ graph: whole, drawing, nameOf, idOf: props.idOf, cut: props.cut },
      texts: exportTexts(props.title, analyzed, Date.now()),
    }).catch((error) => notify(`Could not export. ${describeError(error).text}`));
  if (whole.nodes.size === 0) return null;
  const { actions } = props;
  const [last, next] = [actions.done.at(-1), actions.undone.at(-1)];
  const omitted = props.found?.omitted ?? 0;
  return (
    <div className="bar" role="toolbar" aria-label="Drawing">
      {face !== 'grouped' && (
        <strong>
          {counted(whole.nodes.size, 'object')},{' '}
          {omitted > 0
            ? `${formatCount(whole.edges.length)} of ${counted(whole.edges.length + omitted, 'relationship')} shown`
            : counted(whole.edges.length, 'relationship')}
        </strong>
      )}
      {state.hidden.size > 0 && <span>{formatCount(state.hidden.size)} hidden</span>}
      <span className="segments">
        {FACES.filter(
          ([one]) => one !== 'grouped' || (state.mode === 'object' && state.drawing === undefined),
        ).map(([one, title]) => (
          <button key={one} type="button" aria-pressed={face === one} onClick={() => props.onFace(one)}>
            {title}
          </button>
        ))}
      </span>
      <span className="joined">
        <button
          type="button"
          aria-label="Undo"
          title={last === undefined ? 'Nothing to undo' : `Undo: ${last} (Ctrl Z)`}
          disabled={last === undefined}
          onClick={actions.undo}
        >
          <Icon of={Undo2} />
        </button>
        <button
          type="button"
          aria-label="Redo"
          title={next === undefined ? 'Nothing to redo' : `Redo: ${next} (Ctrl Shift Z)`}
          disabled={next === undefined}
          onClick={actions.redo}
        >
          <Icon of={Redo2} />
        </button>
      </span>
      {state.hidden.size > 0 && (
        <button type="button" onClick={props.onUnhide}>
          Show hidden
        </button>
      )}
      {state.unfolded.size > 0 && (
        <button type="button" onClick={props.onFold}>
          Fold again
        </button>
      )}
      {props.onSave !== undefined && (
        <button type="button" onClick={props.onSave}>
          <Icon of={Bookmark} />
          Save…
        </button>
      )}
      {props.children}
      {props.hasDrawing && face !== 'table' && (
        <label className="choice" title="Texts of relationships">
          <span className="unseen">Labels</span>
          <select value={state.labels} onChange={({ target }) => props.onLabels(target.value as Labels)}>
            {LABELS.map((one) => (
              <option key={one} value={one}>
                Labels: {one}
              </option>
            ))}
          </select>
        </label>
      )}
      <label className="choice end">
        <span className="unseen">Export</span>
        <select
          value=""
          onChange={({ target }) => {
            if (target.value !== '') save(target.value as ExportFormat);
          }}
        >
          <option value="">Export…</option>
          {props.hasDrawing && <option value="png">PNG picture</option>}
          {props.hasDrawing && <option value="svg">SVG drawing</option>}
          <option value="json">JSON (OpenGraph)</option>
          <option value="csv">CSV of relationships</option>
        </select>
      </label>
    </div>
  );
}
