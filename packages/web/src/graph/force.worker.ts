import { type ForceRequest, forceLayout } from './force.ts';

addEventListener('message', ({ data }: MessageEvent<ForceRequest>) => {
  const places = forceLayout(data, (share) => postMessage(share));
  postMessage(places, { transfer: [places.buffer] });
});
