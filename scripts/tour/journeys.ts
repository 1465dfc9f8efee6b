/** Three routes through the code, for new readers. */

export interface Stop {
  /** Relative to `packages/`. */
  readonly file: string;
  /** The declaration in the file that the reader should examine. */
  readonly symbol: string;
  readonly says: string;
  /** The symbol of an earlier stop that leads here; default: the previous stop. */
  readonly from?: string;
  /** The connection if no import leads here: data in the database, or a request. */
  readonly over?: string;
}

export interface Journey {
  readonly title: string;
  readonly stops: readonly Stop[];
}

export const JOURNEYS: readonly Journey[] = [
  {
    title: 'How the bytes of a file become a published edge',
    stops: [
      {
        file: 'intake/src/ingest/uploadHandlers.ts',
        symbol: 'uploadHandlers',
        says: 'handles the requests of an upload',
      },
      {
        file: 'intake/src/ingest/storeUpload.ts',
        symbol: 'storeUpload',
        says: 'stores the received bytes before the answer',
      },
      {
        file: 'intake/src/ingest/drainIngest.ts',
        symbol: 'drainIngest',
        says: 'takes the next job, in the worker thread',
        over: 'the row of the job, and a notification of the database',
      },
      {
        file: 'intake/src/ingest/ingestJob.ts',
        symbol: 'ingestJob',
        says: 'processes all files of a job in one transaction',
      },
      {
        file: 'intake/src/ingest/stageFile.ts',
        symbol: 'stageFile',
        says: 'writes the facts of a file into staging tables',
      },
      {
        file: 'collections/src/readCollection.ts',
        symbol: 'readCollection',
        says: 'reads one object at a time, with bounded memory',
      },
      {
        file: 'collections/src/sharphound/computers.ts',
        symbol: 'computers',
        says: 'converts one collected computer to facts',
      },
      {
        file: 'intake/src/ingest/merge/merge.ts',
        symbol: 'Merge',
        says: 'merges the staged facts into the tables',
        from: 'ingestJob',
      },
      {
        file: 'worker/src/generations/buildGeneration.ts',
        symbol: 'buildGeneration',
        says: 'builds a generation from the facts, step by step',
        over: 'the count of changes in the database',
      },
      {
        file: 'worker/src/generations/loadGraph.ts',
        symbol: 'loadGraph',
        says: 'loads nodes and edges into columns',
      },
      {
        file: 'analysis/src/analyze.ts',
        symbol: 'analyze',
        says: 'runs the rules in the order of their inputs',
        from: 'buildGeneration',
      },
      {
        file: 'analysis/src/ad/localGroupRights.ts',
        symbol: 'adminTo',
        says: 'derives the administrators of a computer',
      },
      {
        file: 'worker/src/generations/writeDerived.ts',
        symbol: 'writeDerived',
        says: 'publishes the derived edges, with the status of the job',
        from: 'buildGeneration',
      },
    ],
  },
  {
    title: 'How a signed request becomes an answer',
    stops: [
      {
        file: 'service/src/main.ts',
        symbol: 'startService',
        says: 'creates and connects the parts of the service',
      },
      {
        file: 'server/src/http/server.ts',
        symbol: 'createHttpServer',
        says: 'has a route for each row of the contract',
      },
      {
        file: 'server/src/http/pipeline.ts',
        symbol: 'runOperation',
        says: 'runs all checks of a request, in order',
      },
      {
        file: 'server/src/http/validation.ts',
        symbol: 'createContractReader',
        says: 'reads path, query and body as the contract specifies',
        from: 'createHttpServer',
      },
      {
        file: 'identity/src/authenticator.ts',
        symbol: 'createAuthenticator',
        says: 'identifies the caller',
        from: 'startService',
      },
      {
        file: 'identity/src/requestSignature.ts',
        symbol: 'signatureFits',
        says: 'verifies the signature of the whole request',
      },
      {
        file: 'explore/src/graphs/handlers/searchHandlers.ts',
        symbol: 'searchHandlers',
        says: 'answers a search',
        from: 'startService',
      },
      {
        file: 'queries/src/search/searchIndex.ts',
        symbol: 'buildSearchIndex',
        says: 'builds the index for searches',
      },
    ],
  },
  {
    title: 'How a finding leads from a rule to a card of the plan',
    stops: [
      {
        file: 'analysis/src/ad/localGroupRights.ts',
        symbol: 'adminTo',
        says: 'derives an edge into Tier Zero',
      },
      {
        file: 'judgment/src/findings/findingStep.ts',
        symbol: 'workOutFindings',
        says: 'computes zones and findings',
        over: 'the graph of the generation',
      },
      {
        file: 'analysis/src/findings/findFindings.ts',
        symbol: 'collectFindings',
        says: 'runs each finding type',
      },
      {
        file: 'analysis/src/findings/relationshipFindings.ts',
        symbol: 'findRelationships',
        says: 'visits the edges that cross the boundary of a zone',
      },
      {
        file: 'judgment/src/findings/publish/publishFindings.ts',
        symbol: 'publishFindings',
        says: 'writes the changes',
        from: 'workOutFindings',
      },
      {
        file: 'plans/src/run/planMaker.ts',
        symbol: 'startPlanMaker',
        says: 'requests a plan for each generation',
        over: 'the generation that was published',
      },
      {
        file: 'plans/src/tasks/zonePlan.ts',
        symbol: 'zonePlan',
        says: 'computes the plan of a zone in a separate thread',
        over: 'a message to the planning thread (`plans/src/threads/threadTable.ts`)',
      },
      {
        file: 'planning/src/relaxation/planGraph.ts',
        symbol: 'planGraph',
        says: 'lists the repairs that remove each step of an attack path',
      },
      {
        file: 'planning/src/search/planCards.ts',
        symbol: 'findCards',
        says: 'finds the few changes that cut off most principals',
        from: 'zonePlan',
      },
      {
        file: 'plans/src/http/getPlan.ts',
        symbol: 'getPlan',
        says: 'returns the stored plan',
        over: 'the plan in the database',
      },
      {
        file: 'plans/src/http/planAnswer.ts',
        symbol: 'planAnswer',
        says: 'selects the part that the caller can see',
      },
    ],
  },
];
