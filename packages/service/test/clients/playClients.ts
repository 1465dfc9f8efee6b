/** Plays all recordings against a service, and compares the answers with the recorded ones. */
import { existsSync, readFileSync } from 'node:fs';
import type { ClientService } from './clientService.ts';
import { playBolt } from './playBolt.ts';
import { playHttp } from './playHttp.ts';
import { answerFile, type Recording } from './recordings.ts';

export interface PlayedRequest {
  readonly name: string;
  /** The request and its answer. */
  readonly text: string;
  readonly isSame: boolean;
}

export interface PlayedClient {
  readonly client: string;
  readonly requests: readonly PlayedRequest[];
}

export async function playClient(service: ClientService, recording: Recording): Promise<PlayedClient> {
  const requests: PlayedRequest[] = [];
  for (const name of recording.requests.map((request) => request.name)) {
    const text = await play(service, recording, name);
    const file = answerFile(name);
    requests.push({ name, text, isSame: existsSync(file) && readFileSync(file, 'utf8') === text });
  }
  return { client: recording.client, requests };
}

/** @returns the request and its answer as text */
export async function play(service: ClientService, recording: Recording, name: string): Promise<string> {
  if (recording.protocol === 'bolt') {
    const query = recording.requests.find((one) => one.name === name);
    if (query !== undefined) return playBolt(service, recording, query);
  } else {
    const request = recording.requests.find((one) => one.name === name);
    if (request !== undefined) return playHttp(service, recording, request);
  }
  throw new Error(`${recording.client} has no request ${name}`);
}
