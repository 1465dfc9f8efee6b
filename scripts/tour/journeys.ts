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
    title: 'The bytes of a file become a published edge',
    stops: [
      {
        file: 'intake/src/ingest/uploadHandlers.ts',
        symbol: 'uploadHandlers',
        says: 'answers the requests of an upload',
      },
      {
        file: 'intake/src/ingest/storeUpload.ts',
        symbol: 'storeUpload',
        says: 'stores the bytes as they came, before the answer',
      },
      {
        file: 'intake/src/ingest/drainIngest.ts',
        symbol: 'drainIngest',
        says: 'takes the next job, in the thread of the worker',
        over: 'the row of the job, and a notification of the database',
      },
      {
        file: 'intake/src/ingest/ingestJob.ts',
        symbol: 'ingestJob',
        says: 'does all files of a job in one transaction',
      },
      {
        file: 'intake/src/ingest/stageFile.ts',
        symbol: 'stageFile',
        says: 'writes the facts of a file into staging tables',
      },
      {
        file: 'collections/src/readCollection.ts',
        symbol: 'readCollection',
        says: 'reads one object after the other, in bounded memory',
      },
      {
        file: 'collections/src/sharphound/computers.ts',
        symbol: 'computers',
        says: 'turns one collected computer into facts',
      },
      {
        file: 'intake/src/ingest/merge/merge.ts',
        symbol: 'Merge',
        says: 'brings the staged facts into the tables',
        from: 'ingestJob',
      },
      {
        file: 'worker/src/generations/buildGeneration.ts',
        symbol: 'buildGeneration',
        says: 'makes a generation of the facts, step by step',
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
        says: 'derives who administers a computer',
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
    title: 'A signed request becomes an answer',
    stops: [
      { file: 'service/src/main.ts', symbol: 'startService', says: 'puts the parts of the service together' },
      {
        file: 'server/src/http/server.ts',
        symbol: 'createHttpServer',
        says: 'has a route for each row of the contract',
      },
      {
        file: 'server/src/http/pipeline.ts',
        symbol: 'runOperation',
        says: 'takes a request through all checks, in their order',
      },
      {
        file: 'server/src/http/validation.ts',
        symbol: 'createContractReader',
        says: 'reads path, query and body as the contract has them',
        from: 'createHttpServer',
      },
      {
        file: 'identity/src/authenticator.ts',
        symbol: 'createAuthenticator',
        says: 'finds out who asks',
        from: 'startService',
      },
      {
        file: 'identity/src/requestSignature.ts',
        symbol: 'signatureFits',
        says: 'compares the signature of the whole request',
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
        says: 'is the structure that a search uses',
      },
    ],
  },
  {
    title: 'A finding goes from a rule to a card of the plan',
    stops: [
      {
        file: 'analysis/src/ad/localGroupRights.ts',
        symbol: 'adminTo',
        says: 'derives an edge into Tier Zero',
      },
      {
        file: 'judgment/src/findings/findingStep.ts',
        symbol: 'workOutFindings',
        says: 'works out zones and findings',
        over: 'the graph of the generation',
      },
      {
        file: 'analysis/src/findings/findFindings.ts',
        symbol: 'collectFindings',
        says: 'asks each finding type',
      },
      {
        file: 'analysis/src/findings/relationshipFindings.ts',
        symbol: 'findRelationships',
        says: 'goes over the edges that cross the boundary of a zone',
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
        says: 'has a plan made for each generation',
        over: 'the generation that was published',
      },
      {
        file: 'plans/src/tasks/zonePlan.ts',
        symbol: 'zonePlan',
        says: 'makes the plan of a zone in a thread of its own',
        over: 'a question to the thread that makes plans (`plans/src/threads/threadTable.ts`)',
      },
      {
        file: 'planning/src/relaxation/planGraph.ts',
        symbol: 'planGraph',
        says: 'lists the repairs that remove each step of an attack path',
      },
      {
        file: 'planning/src/search/planCards.ts',
        symbol: 'findCards',
        says: 'finds the few changes that keep most principals out',
        from: 'zonePlan',
      },
      {
        file: 'plans/src/http/getPlan.ts',
        symbol: 'getPlan',
        says: 'answers with the stored plan',
        over: 'the plan in the database',
      },
      {
        file: 'plans/src/http/planAnswer.ts',
        symbol: 'planAnswer',
        says: 'shows the part that the caller may see',
      },
    ],
  },
];
