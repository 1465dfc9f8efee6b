/** Explore: objects, the paths between them, and queries, in three regions: the question, its answer, and the selection. */
import { CannotChange } from './CannotChange.tsx';
import { DrawingCard } from './DrawingCard.tsx';
import { DrawingRegion } from './DrawingRegion.tsx';
import { NOTHING_ASKED } from './drawingAddress.ts';
import { PasteNames } from './PasteNames.tsx';
import { Question } from './Question.tsx';
import { SaveDrawing } from './SaveDrawing.tsx';
import { SelectionPanel } from './SelectionPanel.tsx';
import { Story } from './Story.tsx';
import { type Explore, useExplore } from './useExplore.ts';

export default function ExplorePage() {
  const explore = useExplore();
  const { state, opened, story, isBeside } = explore;
  // While a path is played, the story shows its sentence, and nothing covers the drawing.
  const panel = story.played === undefined && <SelectionRegion explore={explore} />;
  return (
    <div className={`explore explore-${opened === undefined ? state.mode : 'drawing'}`}>
      <QuestionRegion explore={explore} />
      <DrawingRegion explore={explore} panel={panel} />
      <Dialogs explore={explore} />
      {!isBeside && panel}
    </div>
  );
}

interface RegionProps {
  readonly explore: Explore;
}

function QuestionRegion({ explore }: RegionProps) {
  const { state, address, query, opened, story, actions, nameOf, whole } = explore;
  return (
    <Question
      state={state}
      address={address}
      isRunning={query.isFetching}
      error={query.error}
      onCancel={explore.cancel}
      card={
        opened && (
          <DrawingCard
            opened={opened}
            content={explore.content}
            onChanged={explore.renew}
            onDeleted={() => address.set({ drawing: undefined })}
          />
        )
      }
    >
      {story.path !== undefined && <Story graph={whole} {...{ story, state, actions, nameOf }} />}
    </Question>
  );
}

function SelectionRegion({ explore }: RegionProps) {
  const { state, address, actions, whole, layout } = explore;
  return (
    <SelectionPanel
      {...{ state, address, actions, whole }}
      drawing={layout.drawing}
      onCenter={explore.center}
      onCannotChange={explore.cannotChange}
    />
  );
}

function Dialogs({ explore: { open, dispatch, address, whole, content } }: RegionProps) {
  const { dialog } = open;
  const close = () => dispatch({ type: 'dialog', dialog: undefined });
  if (dialog === undefined) return null;
  if (dialog === 'paste') return <PasteNames address={address} onClose={close} />;
  if (dialog !== 'save') return <CannotChange fixed={dialog.fixed} graph={whole} onClose={close} />;
  return (
    <SaveDrawing
      content={content()}
      onSaved={({ id }) => address.set({ ...NOTHING_ASKED, drawing: id })}
      onClose={close}
    />
  );
}
