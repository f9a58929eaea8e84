import {
  applyEdits,
  lineEditOf,
  type RankedPatch,
  type Ranking,
  unifiedDiff,
  type WorkspaceModules,
} from '@capstan/repair';

/** A ranked patch as `validate_patch` answers it: a diff for people, whole-line edits for the file tools. */
export function describePatch(modules: WorkspaceModules, ranking: Ranking, ranked: RankedPatch) {
  const { patch, rank, group, fixes, disables } = ranked;
  const texts = new Map(modules.sources.map((file) => [file.path, file.text]));
  const paths = [...new Set(patch.edits.map((edit) => edit.path))];
  const diffs = paths.map((path) => {
    const before = texts.get(path) ?? '';
    const own = patch.edits.filter((edit) => edit.path === path);
    return unifiedDiff(path, before, applyEdits(before, own) ?? before);
  });
  return {
    patchId: patch.id,
    rank,
    group,
    diff: diffs.join(''),
    edits: patch.edits.map((edit) => lineEditOf(texts.get(edit.path) ?? '', edit)),
    fixes: [...fixes],
    reason: reasonOf(ranking, ranked),
    ...(disables === undefined ? {} : { disables }),
  };
}

function reasonOf({ patches }: Ranking, { patch, group, fixes, whole }: RankedPatch): string {
  const alike = patches.filter((other) => other.group === group).length - 1;
  const company = alike > 0 ? `; ${alike} other ${alike === 1 ? 'patch behaves' : 'patches behave'} alike` : '';
  const tests = fixes.length === 1 ? '1 failing test passes' : `${fixes.length} failing tests pass`;
  const rest = whole ? 'none breaks' : 'none breaks in the files that reach the change';
  return `${patch.operator} at line ${patch.line}: ${tests}, ${rest}${company}.`;
}
