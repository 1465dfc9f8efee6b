/** Messages between the worker thread and its parent. */
import type { GenerationFacts, GenerationMessage } from '@clew/generation';
import type { ConnectionConfig } from '@clew/store';
import type { WorkerOptions } from './worker.ts';

export interface ThreadOptions
  extends Pick<WorkerOptions, 'replica' | 'tasks' | 'analysis' | 'limits' | 'aging'> {
  readonly connection: ConnectionConfig;
  readonly logLevel: string;
  readonly tracesUrl?: string;
}

export type ToThread =
  /** The parent now answers requests from this generation. */
  { readonly type: 'received'; readonly id: number } | { readonly type: 'stop' };

export type FromThread =
  /** A generation whose findings are being computed: plans can be prepared. */
  | { readonly type: 'graph'; readonly generation: GenerationMessage; readonly facts: GenerationFacts }
  /** A generation that is being published: data for requests can be prepared. The facts are absent if they were sent with its graph. */
  | { readonly type: 'coming'; readonly generation: GenerationMessage; readonly facts?: GenerationFacts }
  | { readonly type: 'generation'; readonly generation: GenerationMessage }
  | { readonly type: 'ready' }
  /** The reason why the worker cannot work; absent when it continues. */
  | { readonly type: 'obstacle'; readonly obstacle: string | undefined };
