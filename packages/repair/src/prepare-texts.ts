import { type Instrumented, instrument, type Probe, render } from './instrument.ts';
import { nodesIn, type SourceFile } from './parse-source.ts';
import type { WorkspaceModules } from './read-workspace.ts';

/** What a copy of the workspace is made of when candidates are screened. */
export interface PreparedTexts {
  /** Path -> text, with probes in sources and our stand-in for node:test in tests. */
  readonly texts: Readonly<Record<string, string>>;
  readonly instrumented: ReadonlyMap<string, Instrumented>;
  readonly probes: readonly Probe[];
}

/** Instruments all sources and redirects the tests. `runtimeInside` is where the stand-in lies in the sandbox. */
export function prepareTexts(modules: WorkspaceModules, runtimeInside: string): PreparedTexts {
  const texts: Record<string, string> = {};
  const instrumented = new Map<string, Instrumented>();
  const probes: Probe[] = [];
  for (const file of modules.sources) {
    const one = instrument(file, probes.length);
    probes.push(...one.probes);
    instrumented.set(file.path, one);
    texts[file.path] = render(one);
  }
  for (const file of modules.tests) texts[file.path] = redirectTests(file, `${runtimeInside}/node-test.cjs`);
  return { texts, instrumented, probes };
}

function redirectTests(file: SourceFile, target: string): string {
  let text = '';
  let at = 0;
  for (const node of nodesIn(file.program)) {
    if (node.type !== 'Literal' || node.value !== 'node:test') continue;
    text += file.text.slice(at, node.start) + JSON.stringify(target);
    at = node.end;
  }
  return text + file.text.slice(at);
}
