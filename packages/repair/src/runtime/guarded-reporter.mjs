// Reporter inside the process of one test file; see guard.mjs.
import { takeChannel } from './report-channel.mjs';
import { testRecorder } from './test-events.mjs';

const { send, tampered } = takeChannel();

// biome-ignore lint/correctness/useYield: a reporter is a generator; this one writes to its own channel.
export default async function* report(source) {
  const record = testRecorder();
  for await (const event of source) {
    const test = record(event);
    if (test !== undefined) send(test);
  }
  send({ end: true, tampered: tampered() });
}
