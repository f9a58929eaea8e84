// Runs inside the sandbox, on the repository's own Node: reads one job from standard input, writes one JSON line per
// result to standard output. No tested code runs in this process.
import { dropAll, emit, steps, usedCpuMs } from './driver-context.mjs';
import { confirm, isolated } from './isolated-step.mjs';
import { explore, observe, screen } from './screen-step.mjs';
import { suite } from './suite-step.mjs';

try {
  let own = { files: [], wallMs: Number.POSITIVE_INFINITY };
  for (const step of steps) {
    if (step.kind === 'suite') {
      const found = await suite(step);
      if (found === undefined) break;
      own = found;
    } else if (step.kind === 'isolated') await isolated(step, step.files ?? own.files);
    else if (step.kind === 'observe') {
      // A suite on which our harness waits much longer than its runner needed is not one for it.
      const timeoutMs = Math.min(step.timeoutMs, step.patienceMs + step.patienceTimes * own.wallMs);
      await observe({ ...step, timeoutMs }, step.files ?? own.files);
    } else if (step.kind === 'screen') await screen(step);
    else if (step.kind === 'explore') await explore(step);
    else if (step.kind === 'confirm') await confirm(step);
    else throw new Error(`unknown step ${step.kind}`);
  }
  emit({ kind: 'done', cpuMs: usedCpuMs() });
} finally {
  dropAll();
}
