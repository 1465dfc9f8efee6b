/** Permanent deletion: shows the data to delete, and requires a typed word. */
import { type FormEvent, useState } from 'react';
import { Answer, Empty } from '../../parts/Answer.tsx';
import { FormDialog } from '../../parts/FormDialog.tsx';
import { notify } from '../../parts/notices.ts';
import { call } from '../../service/client.ts';
import { useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { cleanText } from '../../text/cleanText.ts';
import { counted } from '../../text/formats.ts';
import { sourceTitle } from './sourceTitles.ts';

interface Choice {
  readonly all: boolean;
  readonly sources: readonly number[];
  readonly jobs: boolean;
  readonly quality: boolean;
}

const WORD = 'delete';

export function ClearingView() {
  const self = useSelf();
  const sources = useAnswer('GetSourceKinds');
  const waiting = useAnswer('GetAnalysisRequest', {}, { every: 5000 });
  const [asked, setAsked] = useState<Choice>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const choice: Choice = {
      all: fields.has('all'),
      sources: fields.getAll('source').map(Number),
      jobs: fields.has('jobs'),
      quality: fields.has('quality'),
    };
    if (choice.all || choice.sources.length > 0 || choice.jobs || choice.quality) setAsked(choice);
    else notify('Choose data to delete');
  };
  if (self !== undefined && !self.may('db/Wipe')) return <Empty title="Your role can't delete data" />;
  return (
    <>
      {waiting.data?.data.request_type === 'deletion' && (
        <p className="warning" role="status">
          A deletion is waiting or running.
        </p>
      )}
      <form onSubmit={submit} className="card">
        <h2>Data to delete</h2>
        <fieldset>
          <legend>The graph</legend>
          <label>
            <input type="checkbox" name="all" /> All collected objects and relationships
          </label>
          <Answer query={sources} what="the sources">
            {({ data }) =>
              data.kinds.map(({ id, name }) => (
                <label key={id}>
                  <input type="checkbox" name="source" value={id} /> {cleanText(sourceTitle(name))}
                </label>
              ))
            }
          </Answer>
        </fieldset>
        <fieldset>
          <legend>Histories</legend>
          <label>
            <input type="checkbox" name="jobs" /> Finished upload jobs
          </label>
          <label>
            <input type="checkbox" name="quality" /> Data quality figures
          </label>
        </fieldset>
        <button type="submit" className="danger">
          Delete…
        </button>
      </form>
      {asked !== undefined && <Confirm choice={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function Confirm({ choice, onClose }: { readonly choice: Choice; readonly onClose: () => void }) {
  return (
    <FormDialog
      title="Delete permanently?"
      fields={[
        { type: 'content', name: 'effects', content: <Effects choice={choice} /> },
        { type: 'text', name: 'word', label: `Type “${WORD}” to continue` },
      ]}
      words="Delete"
      isDanger
      isDisabled={(values) => values.text('word').toLowerCase() !== WORD}
      send={() =>
        call('DeleteBloodHoundDatabase', {
          body: {
            ...(choice.all
              ? { deleteCollectedGraphData: true }
              : choice.sources.length > 0 && { deleteSourceKinds: [...choice.sources] }),
            ...(choice.jobs && { deleteFileIngestHistory: true }),
            ...(choice.quality && { deleteDataQualityHistory: true }),
          },
        })
      }
      onSent={() => notify('The deletion was requested')}
      onClose={onClose}
    />
  );
}

function Effects({ choice }: { readonly choice: Choice }) {
  return (
    <>
      <ul>
        {choice.all && <li>every object and relationship of the graph; all findings close</li>}
        {!choice.all && choice.sources.length > 0 && (
          <li>the data of {counted(choice.sources.length, 'source')}; findings that need it close</li>
        )}
        {choice.jobs && <li>the history of uploads</li>}
        {choice.quality && <li>the history of data quality</li>}
      </ul>
      <p>This cannot be undone. Users, zones and settings stay.</p>
      {(choice.all || choice.sources.length > 0) && (
        <>
          <p>
            If a later collection finds these findings again, they are new: they have no owner, and their risk
            is not accepted.
          </p>
          <p>
            Stored reports, saved views, drawings and plans stay, and also the history of findings: they can
            contain names of objects. Scheduled reports and started plans wait for the next collection.
          </p>
        </>
      )}
    </>
  );
}
