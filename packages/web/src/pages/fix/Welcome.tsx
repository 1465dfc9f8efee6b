/** The first start: three steps to the first result. */
import { useState } from 'react';
import { Link } from 'wouter';
import { describeError, useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { DropArea } from '../data/DropArea.tsx';
import { beginUpload, useUploads } from '../data/upload.ts';

export function Welcome() {
  const self = useSelf();
  const uploads = useUploads();
  const status = useAnswer('GetDatapipeStatus', {}, { every: 2000 });
  const [failure, setFailure] = useState<string>();
  const state = status.data?.data.status;
  const isWorking =
    state === 'ingesting' ||
    state === 'analyzing' ||
    uploads.some(({ state: one }) => one === 'sending' || one === 'ingesting');
  const sample = async () => {
    setFailure(undefined);
    try {
      const answer = await fetch(new URL('sample.zip', document.baseURI));
      if (!answer.ok) throw new Error('the sample is not there');
      await beginUpload([new File([await answer.blob()], 'clew-sample.zip', { type: 'application/zip' })]);
    } catch (error) {
      setFailure(describeError(error).text);
    }
  };
  const mayUpload = self?.may('graphdb/IngestManage') ?? true;
  return (
    <div className="page">
      <h1>Welcome to Clew</h1>
      <p className="lead">
        Nothing is known yet. Three steps lead to the first repair; with a collection at hand they take some
        minutes.
      </p>
      <ol className="steps">
        <li className="card">
          <h2>1. Collect</h2>
          <p>
            Run SharpHound in the domain, or AzureHound against the tenant, with an ordinary account. Each
            writes a ZIP archive or a JSON file.
          </p>
        </li>
        <li className="card">
          <h2>2. Upload</h2>
          <p>Drop their output below. Nothing leaves this service.</p>
        </li>
        <li className="card">
          <h2>3. Repair</h2>
          <p>The first repair shows here by itself, with the path that it cuts.</p>
        </li>
      </ol>
      {isWorking && (
        <p role="status" className="card">
          <span className="busy">
            {state === 'analyzing' ? 'Analyzing: the results come next.' : 'Reading the uploaded files.'}
          </span>
        </p>
      )}
      {mayUpload ? (
        <>
          <DropArea />
          <p className="card">
            No collection at hand? A made-up company with the flaws of real ones shows how Clew works.{' '}
            <button type="button" disabled={isWorking} onClick={() => void sample()}>
              Load sample data
            </button>
            {failure !== undefined && <span role="alert"> {failure}</span>}
          </p>
        </>
      ) : (
        <p className="card">
          Your role cannot upload. A user who may will do it; the results show here then.{' '}
          <Link href="/profile">Your profile</Link>
        </p>
      )}
    </div>
  );
}
