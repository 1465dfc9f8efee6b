/** The first start: which data to collect, where to upload it, and sample data. */
import { useState } from 'react';
import { Link } from 'wouter';
import { PastedCommand } from '../../parts/PastedCommand.tsx';
import { describeError, useAnswer } from '../../service/queries.ts';
import { useSelf } from '../../service/self.ts';
import { collectCommand, serviceAddress } from '../data/collectCommands.ts';
import { DropBox, OwnUploads } from '../data/DropArea.tsx';
import { beginUpload, useUploads } from '../data/upload.ts';
import { FirstResults } from './FirstResults.tsx';

/** Commands that start third-party collectors. */
const COLLECTING = ['SharpHound.exe -c All', 'azurehound list -t TENANT -o azure.json'];

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
        See your first attack path in minutes: upload a collection, or load the sample data. Nothing leaves
        this service.
      </p>
      <ol className="steps">
        <li className="card">
          <h2>Collect from my directory</h2>
          <p>
            One command on any Linux host collects Active Directory with an ordinary account, encrypted and
            read-only, and uploads the data. The results appear here.
          </p>
          <PastedCommand text={collectCommand(serviceAddress(location.href))} />
        </li>
        <li className="card">
          <h2>Or load files: 1. Collect</h2>
          <p>
            Run SharpHound in the domain, or AzureHound against the tenant. An ordinary account is enough.
          </p>
          {COLLECTING.map((command) => (
            <PastedCommand key={command} text={command} />
          ))}
        </li>
        <li className="card">
          <h2>Or load files: 2. Upload</h2>
          {mayUpload ? (
            <DropBox>
              <p>
                <strong>Drop files here</strong>: ZIP archives or JSON files, or a folder of them
              </p>
            </DropBox>
          ) : (
            <p>
              Your role cannot upload. When a user with this permission uploads a collection, the results
              appear here. <Link href="/profile">Your profile</Link>
            </p>
          )}
        </li>
        {mayUpload && (
          <li className="card">
            <h2>Or load sample data</h2>
            <p>
              A fictional company with realistic flaws: several domains and a tenant. You can delete it later.
            </p>
            <button type="button" disabled={isWorking} onClick={() => void sample()}>
              Load sample data
            </button>
            {failure !== undefined && <p role="alert">{failure}</p>}
          </li>
        )}
      </ol>
      {isWorking && <FirstResults />}
      <OwnUploads />
    </div>
  );
}
